import Foundation
import TextEditorModel
import Widgets

/// Both sides of a note that two changed at once, with what differs marked, by a sign and by a colour. They are scrolled together.
@MainActor
final class ConflictSides {
    /// That side is to stay.
    var kept: ((Int) -> Void)?
    private let box: Part, nowLabel: Part, otherLabel: Part, nextOther: Part, keepNow: Part
    private let nowView: Part, otherView: Part
    private let now: TextBuffer, other: TextBuffer
    private var sides: [NoteList.Side] = []
    private var shown = 1

    init(_ layout: Layout) {
        box = layout.part("sides")
        nowLabel = layout.part("now-label")
        otherLabel = layout.part("other-label")
        nextOther = layout.part("next-other")
        keepNow = layout.part("keep-now")
        nowView = layout.part("now-text")
        otherView = layout.part("other-text")
        now = TextBuffer(of: nowView)
        other = TextBuffer(of: otherView)
        keepNow.on("clicked") { [weak self] in self?.kept?(0) }
        layout.part("keep-other").on("clicked") { [weak self] in if let self { kept?(shown) } }
        nextOther.on("clicked") { [weak self] in self?.showNext() }
    }

    func arrange(isNarrow: Bool) { box.set("orientation", isNarrow ? 1 : 0) }

    func show(_ sides: [NoteList.Side]) {
        self.sides = sides
        nextOther.set("visible", sides.count > 2)
        show(1)
        keepNow.focus()
    }

    private func showNext() { show(shown % (sides.count - 1) + 1) }

    private func show(_ number: Int) {
        shown = number
        let side = sides[number]
        nowLabel.set("label", label("Now", sides[0]))
        otherLabel.set("label", label(sides.count > 2 ? "Side \(number) of \(sides.count - 1)" : "The other side", side))
        // A line that one side lacks is an empty one there, so that the others stand beside each other.
        var texts: (String, String) = ("", ""), marked: (removed: [Int], added: [Int]) = ([], [])
        for (line, entry) in side.difference.lines.enumerated() {
            switch entry.mark {
            case .both: texts = (texts.0 + "  \(entry.text)\n", texts.1 + "  \(entry.text)\n")
            case .old:
                texts = (texts.0 + "− \(entry.text)\n", texts.1 + "\n")
                marked.removed.append(line)
            case .new:
                texts = (texts.0 + "\n", texts.1 + "+ \(entry.text)\n")
                marked.added.append(line)
            }
        }
        _ = now.load(OneLine.withoutNul(texts.0))
        _ = other.load(OneLine.withoutNul(texts.1))
        for line in marked.removed { now.mark(.removed, line..<(line + 1)) }
        for line in marked.added { other.mark(.added, line..<(line + 1)) }
    }

    private func label(_ what: String, _ side: NoteList.Side) -> String {
        var words = [what]
        if let date = side.date { words.append(date.formatted(date: .abbreviated, time: .shortened)) }
        if let computer = side.computer, !computer.isEmpty { words.append(OneLine.shown(computer)) }
        return words.joined(separator: " · ")
    }
}
