import Foundation
import Widgets
import WindowModel

/// The documents that two sides changed at once. One is opened with both sides beside each other.
@MainActor
final class ConflictsPage: DrivePage {
    private struct Shown: Identifiable, Equatable {
        let history: DocumentHistory
        let place: String
        var id: String { history.path }
    }

    let page: Part
    private let layout = Layout(PackageResources.conflicts_ui)
    private let stack: Part
    private let list: ListPart<Shown>
    private weak var window: MainWindow?
    private var drive: Drive?
    private var turn = 0

    init() {
        page = layout.part("page")
        stack = layout.part("stack")
        list = ListPart(layout, "rows") { row in
            let sides = row.history.others.map { side in [side.date.formatted(date: .abbreviated, time: .shortened), side.computer].filter { !$0.isEmpty }.joined(separator: ", ") }
            return RowFace(row.place, subtitle: "The other side: " + sides.joined(separator: "; "))
        }
    }

    func start(in window: MainWindow) {
        self.window = window
        list.activated { [weak window] in window?.openSides($0.history.path) }
    }

    func show(_ drive: Drive) {
        if self.drive?.mountpoint != drive.mountpoint { list.show([]) }
        self.drive = drive
        refresh()
    }

    func refresh() {
        guard let drive, let program = window?.program else { return }
        turn += 1
        let mine = turn
        Task {
            do {
                let rows = try await program.conflicts(on: drive).map { Shown(history: $0, place: drive.place(of: $0.path)) }
                guard mine == turn else { return }
                list.show(rows)
                stack.set("visible-child-name", rows.isEmpty ? "empty" : "rows")
            } catch {
                guard mine == turn else { return }
                layout.part("fault-text").set("label", OneLine.shown(ValiseFault.sentence(of: error)))
                stack.set("visible-child-name", "fault")
            }
        }
    }

    func focus() { list.focus() }
}
