/// The line in which somebody writes what is looked for in a list: a GtkSearchBar `search`, and its entry `search-entry`.
@MainActor
public final class SearchPart {
    /// Something else is looked for, or nothing any more.
    public var changed: (() -> Void)?
    private let bar: Part, entry: Part

    /// `page`: typing anywhere there begins a search.
    public init(_ layout: Layout, typedIn page: String) {
        bar = layout.part("search")
        entry = layout.part("search-entry")
        entry.on("search-changed") { [weak self] in self?.changed?() }
        bar.on("notify::search-mode-enabled") { [weak self] in self?.changed?() }
        bar.keys(of: layout.part(page), to: entry)
    }

    public var isOpen: Bool { bar.flag("search-mode-enabled") }
    /// Nil where nothing is looked for.
    public var words: String? {
        let words = entry.text("text")
        return isOpen && !words.isEmpty ? words : nil
    }

    public func open() {
        bar.set("search-mode-enabled", true)
        entry.focus()
    }

    public func close() { bar.set("search-mode-enabled", false) }
}
