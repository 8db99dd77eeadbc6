/// A bar above what is shown, with a sentence, and perhaps a button that does something about it.
@MainActor
public final class NoticePart {
    private let bar: Part, text: Part, button: Part?
    private var answer: (() -> Void)?

    /// A GtkInfoBar “notice” with a label “notice-text” in it; `hasButton`: and with a button “notice-button” that responds.
    public init(_ layout: Layout, hasButton: Bool = false) {
        (bar, text, button) = (layout.part("notice"), layout.part("notice-text"), hasButton ? layout.part("notice-button") : nil)
        if hasButton { bar.on("response") { [weak self] in self?.answer?() } }
    }

    public var isShown: Bool { bar.flag("revealed") }

    public func show(_ sentence: String, _ label: String = "", _ answer: (() -> Void)? = nil) {
        text.set("label", OneLine.sentences(sentence))
        button?.set("label", label)
        self.answer = answer
        bar.set("revealed", true)
    }

    public func hide() {
        answer = nil
        bar.set("revealed", false)
    }
}
