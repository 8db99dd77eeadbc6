import CWindow

/// A line at the lower edge of a window, for a few seconds, perhaps with a button.
@MainActor
public final class Toast {
    fileprivate let sentence: String, button: String?, call: @MainActor () -> Void
    fileprivate var part: Part?

    fileprivate init(_ sentence: String, _ button: String?, _ call: @escaping @MainActor () -> Void) { (self.sentence, self.button, self.call) = (sentence, button, call) }
}

/// The toasts of a window, one at a time. The overlay would keep a queue itself; but libadwaita 1.2 reads what it has freed where a toast that comes in
/// the place of another one is dismissed in its first moments, so that each is given to it when the one before is quite gone.
@MainActor
final class Toasts {
    private let overlay: Part
    private var waiting: [Toast] = []
    private var shown: Toast?
    /// So many letters are beside a button in a narrow window, and so many lines are shown.
    private static let letters = 34, lines = 10
    /// Longer than a toast takes to go: 0.3 s.
    private static let pause = Duration.milliseconds(400)

    init(_ overlay: Part) { self.overlay = overlay }

    func tell(_ sentence: String, _ button: String?, _ call: @escaping @MainActor () -> Void) -> Toast {
        let toast = Toast(sentence, button, call)
        waiting.append(toast)
        showNext()
        return toast
    }

    /// What it says is not so any more.
    func withdraw(_ toast: Toast) {
        waiting.removeAll { $0 === toast }
        if shown === toast, let part = toast.part { CWindow_dismiss_toast(part.object) }
    }

    private func showNext() {
        guard shown == nil, !waiting.isEmpty else { return }
        let toast = waiting.removeFirst()
        shown = toast
        let lines = OneLine.broken(toast.sentence, at: Self.letters, most: Self.lines)
        let part = Part(owned: CWindow_toast(overlay.object, OneLine.sentences(toast.sentence), lines.count > 1 ? lines.joined(separator: "\n") : nil, toast.button))
        toast.part = part
        if toast.button != nil { part.on("button-clicked", toast.call) }
        part.on("dismissed") { [weak self, weak toast] in
            // Said again where it is dismissed while it goes.
            guard let toast, toast.part != nil else { return }
            toast.part = nil
            Task {
                try? await Task.sleep(for: Self.pause)
                self?.shown = nil
                self?.showNext()
            }
        }
    }
}
