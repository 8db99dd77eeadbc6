import Foundation
import Widgets
import WindowModel

/// Both sides of a document that two changed at once, beside each other; of texts with what differs marked. One is kept, or both.
@MainActor
final class SidesPage {
    let page: Part
    private let layout = Layout(PackageResources.sides_ui)
    private let halves: Part, nowLabel: Part, otherLabel: Part, keepNow: Part, nextOther: Part
    private let now: ContentView, other: ContentView
    private weak var window: MainWindow?
    private var path: String?
    private var drive: Drive?
    private var sides: [DocumentVersion] = []
    private var shown = 1
    private var turn = 0

    init() {
        page = layout.part("page")
        halves = layout.part("halves")
        nowLabel = layout.part("now-label")
        otherLabel = layout.part("other-label")
        keepNow = layout.part("keep-now")
        nextOther = layout.part("next-other")
        now = ContentView(layout, "now")
        other = ContentView(layout, "other")
    }

    func start(in window: MainWindow) {
        self.window = window
        keepNow.on("clicked") { [weak self] in self?.decide { self?.sides.first } }
        layout.part("keep-other").on("clicked") { [weak self] in self?.decide { self.flatMap { $0.sides.indices.contains($0.shown) ? $0.sides[$0.shown] : nil } } }
        layout.part("keep-both").on("clicked") { [weak self] in self?.keepBoth() }
        nextOther.on("clicked") { [weak self] in self?.showNext() }
    }

    func arrange(isNarrow: Bool) { halves.set("orientation", isNarrow ? 1 : 0) }

    func open(_ path: String, on drive: Drive) {
        (self.path, self.drive, sides, shown) = (path, drive, [], 1)
        now.clear()
        other.clear()
        refresh()
    }

    func refresh() {
        guard let path, let drive, let program = window?.program else { return }
        Task {
            do {
                let history = try await program.history(of: path, on: drive), found = history.versions.prefix(1) + history.others
                guard self.path == path, Array(found) != sides else { return }
                guard found.count > 1 else {
                    // Somebody has decided meanwhile.
                    self.path = nil
                    window?.openDocument(path)
                    return
                }
                let isFirst = sides.isEmpty
                sides = Array(found)
                nextOther.set("visible", sides.count > 2)
                show(min(shown, sides.count - 1))
                if isFirst { keepNow.focus() }
            } catch {
                guard self.path == path else { return }
                now.explain(ValiseFault.sentence(of: error))
                other.clear()
            }
        }
    }

    private func showNext() { show(shown % (sides.count - 1) + 1) }

    private func show(_ number: Int) {
        shown = number
        turn += 1
        let mine = turn, ours = sides[0], theirs = sides[number], name = ((path ?? "") as NSString).lastPathComponent
        nowLabel.set("label", label("Now", ours))
        otherLabel.set("label", label(sides.count > 2 ? "Side \(number) of \(sides.count - 1)" : "The other side", theirs))
        Task {
            let contents = (await VersionContent.read(ours), await VersionContent.read(theirs))
            guard mine == turn else { return }
            guard case .text(let mineText) = contents.0, case .text(let theirText) = contents.1 else {
                now.show(contents.0, called: name)
                other.show(contents.1, called: name)
                return
            }
            let comparison = await Task.detached { LineComparison(from: mineText, to: theirText) }.value
            guard mine == turn else { return }
            now.show(comparison.lines.map { $0.mark == .both ? (" ", $0.text, nil) : $0.mark == .removed ? ("−", $0.text, .removed) : (" ", "", nil) })
            other.show(comparison.lines.map { $0.mark == .both ? (" ", $0.text, nil) : $0.mark == .added ? ("+", $0.text, .added) : (" ", "", nil) })
        }
    }

    private func label(_ what: String, _ side: DocumentVersion) -> String {
        OneLine.shown([what, side.date.formatted(date: .abbreviated, time: .shortened), side.computer].filter { !$0.isEmpty }.joined(separator: " · "))
    }

    // MARK: Deciding

    private func decide(_ side: () -> DocumentVersion?) {
        guard let side = side(), let path, let window, let program = window.program else { return }
        finish(path, "The other side is kept as a version") { try await program.decide(path, for: side) }
    }

    private func keepBoth() {
        guard let path, let window, let program = window.program else { return }
        finish(path, "The other side is a document of its own beside it") { try await program.keepBoth(path) }
    }

    private func finish(_ path: String, _ sentence: String, _ deed: @escaping @MainActor () async throws -> Void) {
        guard let window else { return }
        window.perform { [self] in
            try await deed()
            self.path = nil
            window.screen.tell(sentence)
            window.openDocument(path)
            window.refreshDrives()
        }
    }
}
