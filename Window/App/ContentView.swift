import Foundation
import Widgets
import WindowModel

/// A version's content, as a text or as a picture; or why it cannot be looked at.
@MainActor
final class ContentView {
    /// Lines with what marks them; the mark itself is before each, for who sees no colours.
    typealias Line = (sign: String, text: String, mark: TextBuffer.Mark?)

    private let stack: Part, picture: Part, fault: Part, view: Part
    private let buffer: TextBuffer
    private var turn = 0
    /// A longer line takes GTK seconds to lay out.
    private static let longestLine = 4_000

    /// `name`: before the names of its parts.
    init(_ layout: Layout, _ name: String) {
        stack = layout.part(name + "-stack")
        picture = layout.part(name + "-picture")
        fault = layout.part(name + "-fault")
        view = layout.part(name + "-text")
        buffer = TextBuffer(of: view)
    }

    private static func drawable(_ line: Substring) -> Substring {
        line.utf8.count <= longestLine ? line : (line.prefix(longestLine) + "…")[...]
    }

    func clear() {
        turn += 1
        stack.set("visible-child-name", "none")
    }

    func explain(_ sentence: String) {
        turn += 1
        fault.set("label", OneLine.sentences(sentence))
        stack.set("visible-child-name", "fault")
    }

    /// `name`: for who cannot see a picture.
    func show(_ content: VersionContent, called name: String) {
        turn += 1
        switch content {
        case .text(let text):
            _ = buffer.load(text.split(separator: "\n", omittingEmptySubsequences: false).map { Self.drawable($0) }.joined(separator: "\n"))
            stack.set("visible-child-name", "text")
        case .fault(let sentence): explain(sentence)
        case .bytes(let bytes):
            let mine = turn
            Task {
                let drawn = await ScreenPicture.drawn(bytes, most: 2_560)
                guard mine == turn else { return }
                guard let drawn else {
                    let size = await ScreenPicture.tooLarge(bytes)
                    if mine == turn { explain(size ?? "It is no text, and no picture that can be drawn here: \(OverviewPage.size(Int64(bytes.count))).") }
                    return
                }
                picture.set("paintable", drawn)
                picture.set("alternative-text", OneLine.shown(name))
                stack.set("visible-child-name", "picture")
            }
        }
    }

    func show(_ lines: [Line]) {
        turn += 1
        _ = buffer.load(OneLine.withoutNul(lines.map { "\($0.sign) \(Self.drawable($0.text[...]))\n" }.joined()))
        for (number, line) in lines.enumerated() { if let mark = line.mark { buffer.mark(mark, number..<(number + 1)) } }
        stack.set("visible-child-name", "text")
    }
}
