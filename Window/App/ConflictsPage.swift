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
    private let rows: AskedRows<Shown>
    private weak var window: MainWindow?

    init() {
        page = layout.part("page")
        rows = AskedRows(layout) { row in
            let sides = row.history.others.map { side in [side.date.formatted(date: .abbreviated, time: .shortened), side.computer].filter { !$0.isEmpty }.joined(separator: ", ") }
            return RowFace(row.place, subtitle: "The other side: " + sides.joined(separator: "; "))
        }
    }

    func start(in window: MainWindow) {
        self.window = window
        rows.list.activated { [weak window] in window?.openSides($0.history.path) }
    }

    func show(_ drive: Drive) {
        rows.turn(to: drive)
        refresh()
    }

    func refresh() {
        guard let drive = rows.drive, let program = window?.program else { return }
        rows.ask { try await program.conflicts(on: drive).map { Shown(history: $0, place: drive.place(of: $0.path)) } }
    }

    func focus() { rows.list.focus() }
}
