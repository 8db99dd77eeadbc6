import CWindow

/// A window: its actions, what it says at its lower edge, and what it does before it is closed.
@MainActor
public final class Screen {
    public let window: Part
    private let toasts: Toasts

    /// `overlay`: the part of it that is an AdwToastOverlay.
    public init(_ window: Part, toasts overlay: Part) {
        self.window = window
        toasts = Toasts(overlay)
        CWindow_add_window(window.object)
    }

    public func show() {
        CWindow_log_frames(window.object)
        CWindow_present(window.object)
    }
    /// As by its button: `closing` is asked.
    public func close() { CWindow_close(window.object, false) }
    public func closeAtOnce() { CWindow_close(window.object, true) }

    /// Asked when somebody closes it: true keeps it open, until ``closeAtOnce()``.
    public func closing(_ isKept: @escaping @MainActor () -> Bool) { window.on("close-request") { _ in isKept() } }

    /// An action `win.name`, of a button, a menu and its keys. Answers it: its property `enabled` says whether it can be done.
    @discardableResult
    public func action(_ name: String, keys: String = "", _ call: @escaping @MainActor () -> Void) -> Part {
        let action = Part(owned: CWindow_add_action(window.object, name))
        action.on("activate", call)
        if !keys.isEmpty { WindowApp.keys(keys, for: "win." + name) }
        return action
    }

    /// For a few seconds, with what can be done about it: by the button, or by who has the answer and calls ``withdraw(_:)`` then.
    @discardableResult
    public func tell(_ sentence: String, _ button: String? = nil, _ call: @escaping @MainActor () -> Void = {}) -> Toast { toasts.tell(sentence, button, call) }

    public func withdraw(_ toast: Toast?) { if let toast { toasts.withdraw(toast) } }

    /// Files that somebody chooses in a GtkFileChooserNative of a layout. It is gone afterwards: GTK 4.8 ends the program where a screen reader asks for
    /// a window that is there and not shown.
    /// `folder`: where the choice begins; GTK shows what was used last otherwise, which is nothing at first.
    public func choose(_ chooser: Part, in folder: String? = nil, _ chosen: @escaping @MainActor ([String]) -> Void) {
        chooser.set("transient-for", window)
        if let folder { CWindow_choose_in(chooser.object, folder) }
        chooser.on("response") { values in
            var paths: [String] = []
            // GTK_RESPONSE_ACCEPT.
            if values.first?.number == -3 {
                let call = SignalCall { files in
                    paths = files.compactMap(\.text)
                    return true
                }
                withExtendedLifetime(call) { CWindow_chosen(chooser.object, SignalCall.function, call.unowned) }
            }
            CWindow_close(chooser.object, true)
            if !paths.isEmpty { chosen(paths) }
            return false
        }
        CWindow_present(chooser.object)
    }

    /// In a browser, say. `failed`: why that could not be.
    public func open(_ address: String, failed: @escaping @MainActor (String) -> Void) {
        let call = SignalCall { values in
            if let fault = values.first?.text { failed(fault) }
            return false
        }
        CWindow_open_address(window.object, address, SignalCall.function, call.context, SignalCall.end)
    }

    /// A question that a layout describes, an AdwMessageDialog. `answered`: the response's name.
    public func ask(_ question: Part, _ answered: @escaping @MainActor (String) -> Void) {
        question.set("transient-for", window)
        question.on("response") { values in
            answered(values.first?.text ?? "")
            return false
        }
        CWindow_present(question.object)
    }

    public enum Answer: Int32, Sendable { case other, suggested, destroying }

    /// A question before the window, with its lines. The first of the answers is what closing it means. `chosen`: an answer's number.
    public func ask(_ heading: String, _ body: String, _ answers: [(label: String, kind: Answer)], _ chosen: @escaping @MainActor (Int) -> Void) {
        question(heading, body, nil, answers) { number, _ in chosen(number) }
    }

    /// A question for a text. `chosen`: what was written, where the answer was not “Cancel”.
    public func askForText(_ heading: String, _ body: String, _ text: String, _ label: String, _ chosen: @escaping @MainActor (String) -> Void) {
        question(heading, body, text, [("_Cancel", .other), (label, .suggested)]) { number, text in if number == 1 { chosen(text) } }
    }

    /// A question for a password, which is not shown while it is typed.
    public func askForPassword(_ heading: String, _ body: String, _ label: String, _ chosen: @escaping @MainActor (String) -> Void) {
        let answers: [(label: String, kind: Answer)] = [("_Cancel", .other), (label, .suggested)]
        question(heading, body, "", answers, isSecret: true) { number, text in if number == 1 { chosen(text) } }
    }

    private func question(
        _ heading: String, _ body: String, _ text: String?, _ answers: [(label: String, kind: Answer)], isSecret: Bool = false,
        _ chosen: @escaping @MainActor (Int, String) -> Void
    ) {
        let question = Part(owned: CWindow_question(window.object, OneLine.shown(heading), OneLine.sentences(body), text.map(OneLine.withoutNul)))
        for (number, answer) in answers.enumerated() { CWindow_add_response(question.object, "\(number)", answer.label, answer.kind.rawValue) }
        question.set("close-response", "0")
        let entry = question.part("extra-child")
        if isSecret {
            entry?.set("visibility", 0)
            // GTK_INPUT_PURPOSE_PASSWORD.
            entry?.set("input-purpose", 8)
        }
        question.on("response") { values in
            chosen(values.first?.text.flatMap(Int.init) ?? 0, entry?.text("text") ?? "")
            return false
        }
        CWindow_present(question.object)
    }

    /// The window's keys, as the GtkShortcutsWindow `keys` of a layout. It is made when it is asked for: GTK 4.8 ends the program where a screen
    /// reader asks for a window that was made and is not shown.
    public func help(_ description: [UInt8]) {
        action("keys", keys: "<Control>question F1") { [window] in
            let keys = Layout(description).part("keys")
            keys.set("transient-for", window)
            CWindow_present(keys.object)
        }
    }
}
