import CWindow

/// A list of a layout: its rows, which of them is chosen, and what is done with that one. One is chosen as long as it is there; where it goes, the
/// next one is, as in any list.
@MainActor
public final class ListPart<Row: Identifiable & Equatable> {
    /// Another row is chosen, or none is.
    public var chose: (() -> Void)?
    public let view: Part
    private let selection: Part
    private let list: Rows<Row>
    /// To be chosen as soon as it is there.
    private var wanted: Row.ID?
    /// Where the row was that somebody takes away.
    private var nextPosition: Int?
    private var isShowing = false

    /// `name`: a GtkListView or GtkGridView whose model is a GtkSingleSelection. One without a factory has rows of two lines.
    public init(_ layout: Layout, _ name: String, _ face: @escaping @MainActor (Row) -> RowFace) {
        view = layout.part(name)
        guard let selection = view.part("model") else { fatalError("The list “\(name)” has no selection.") }
        self.selection = selection
        list = Rows(face)
        selection.set("model", list.model)
        if view.part("factory") == nil { view.set("factory", Part(owned: CWindow_row_factory())) }
        if let scrolled = view.part("vadjustment") {
            list.seen { [list] in
                let (value, page, all) = (scrolled.number("value"), scrolled.number("page-size"), scrolled.number("upper"))
                return all > 0 ? list.count * (value + page / 2) / all : 0
            }
        }
        selection.on("notify::selected") { [weak self] in if let self, !isShowing { chose?() } }
    }

    public var rows: [Row] { list.rows }
    public var chosen: Row? { list[selection.number("selected")] }
    public func row(_ id: Row.ID) -> Row? { list.position(of: id).flatMap { list[$0] } }

    /// Now, or as soon as it is there.
    public func choose(_ id: Row.ID?) {
        wanted = id
        chooseWanted()
    }

    /// The row that is chosen is about to go.
    public func chooseNext() { nextPosition = selection.number("selected") }

    public func show(_ rows: [Row]) {
        let before = chosen?.id
        isShowing = true
        list.show(rows, in: view, chosen: before)
        if wanted != nil { chooseWanted() } else if let before, let position = list.position(of: before) { select(position) } else if before != nil, let next = nextPosition, !rows.isEmpty {
            select(min(next, rows.count - 1))
        }
        if before != nil { nextPosition = nil }
        isShowing = false
        if chosen?.id != before { chose?() }
        if list.count > 0, AwaitedFocus.isOf(self) { focus() }
    }

    private func chooseWanted() {
        guard let wanted, let position = list.position(of: wanted) else { return }
        self.wanted = nil
        select(position)
    }

    private func select(_ position: Int) { if selection.number("selected") != position { selection.set("selected", position) } }

    /// By Return, or by a click.
    public func activated(_ call: @escaping @MainActor (Row) -> Void) {
        view.on("activate") { [list] values in
            if let row = list[values.first?.number ?? 0] { call(row) }
            return false
        }
    }

    /// The keyboard comes to what is chosen, or to the first; where rows are on their way, when they are there.
    public func focus() {
        guard list.count > 0 else { return AwaitedFocus.set(self) }
        if chosen == nil { select(0) }
        view.focus()
    }
}

/// The list that the keyboard comes to as soon as it has rows, unless something else is given the keyboard before, or they are very long in coming.
@MainActor
enum AwaitedFocus {
    private static var list: (id: ObjectIdentifier, until: ContinuousClock.Instant)?

    static func set(_ list: AnyObject) { self.list = (ObjectIdentifier(list), .now + .seconds(20)) }
    static func isOf(_ list: AnyObject) -> Bool { self.list.map { $0.id == ObjectIdentifier(list) && ContinuousClock.now < $0.until } ?? false }
    static func clear() { list = nil }
}
