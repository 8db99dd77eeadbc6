import CWindow

/// The text of a GtkSourceView. It is undone by GTK; what comes from outside changes only what is other in it, so that the place where somebody
/// types stays.
@MainActor
public final class TextBuffer {
    private let buffer: Part
    private var isFromOutside = false

    public init(of view: Part) {
        guard let buffer = view.part("buffer") else { fatalError("A view of texts has a buffer.") }
        self.buffer = buffer
        CWindow_buffer_follow_style(buffer.object)
    }

    public var text: String { Part.taken(CWindow_buffer_text(buffer.object)) }

    /// Somebody typed, or undid that.
    public func edited(_ call: @escaping @MainActor () -> Void) {
        buffer.on("changed") { [weak self] in if self?.isFromOutside == false { call() } }
    }

    /// Another text. False where it cannot be held as it is: a view has no NUL, say, and such a text is not to be edited here.
    public func load(_ text: String) -> Bool {
        fromOutside { replace(0, Int(Int32.max), text, isFirst: true) }
        return self.text.utf8.elementsEqual(text.utf8)
    }

    /// It became this while it was open. That can be undone as if it had been typed.
    public func follow(_ text: String) {
        let old = Array(self.text.unicodeScalars), new = Array(text.unicodeScalars)
        let begin = zip(old, new).prefix { $0.0 == $0.1 }.count
        let rest = min(old.count, new.count) - begin, end = zip(old.suffix(rest).reversed(), new.suffix(rest).reversed()).prefix { $0.0 == $0.1 }.count
        guard old.count != new.count || begin < new.count else { return }
        var middle = ""
        middle.unicodeScalars.append(contentsOf: new[begin..<(new.count - end)])
        fromOutside { replace(begin, old.count - end, middle, isFirst: false) }
    }

    private func replace(_ from: Int, _ to: Int, _ text: String, isFirst: Bool) {
        CWindow_buffer_replace(buffer.object, from, to, text, text.utf8.count, isFirst)
    }

    private func fromOutside(_ body: () -> Void) {
        isFromOutside = true
        defer { isFromOutside = false }
        body()
    }

    public enum Mark: String { case added, removed }

    /// The lines `first` and as many as there are.
    public func mark(_ mark: Mark, _ lines: Range<Int>) { CWindow_buffer_mark(buffer.object, lines.lowerBound, lines.count, mark.rawValue) }
}
