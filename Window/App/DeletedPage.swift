import Foundation
import Widgets
import WindowModel

/// What was deleted on a drive, by the day. One comes back, or all of a day, or all.
@MainActor
final class DeletedPage: DrivePage {
    private struct Shown: Identifiable, Equatable {
        let item: DeletedItem
        let place: String
        /// Of the first of a day.
        let day: String
        var id: String { item.id }
    }

    let page: Part
    private let layout = Layout(PackageResources.deleted_ui)
    private let rows: AskedRows<Shown>
    private var list: ListPart<Shown> { rows.list }
    private weak var window: MainWindow?
    private var toast: Toast?

    init() {
        page = layout.part("page")
        rows = AskedRows(layout) { row in
            var words = [row.item.deleted.formatted(date: .omitted, time: .shortened)]
            if let size = row.item.size { words.append(OverviewPage.size(size)) }
            if row.item.versions > 0 { words.append(row.item.versions == 1 ? "with an earlier version" : "with \(row.item.versions) earlier versions") }
            if row.item.inTrash != nil { words.append("in the trash") }
            let folder = (row.place as NSString).deletingLastPathComponent
            if !folder.isEmpty { words.append("from \(folder)") }
            return RowFace(row.item.name, subtitle: words.joined(separator: " · "), mark: row.day)
        }
    }

    func start(in window: MainWindow) {
        self.window = window
        let bar = layout.part("bar")
        rows.shown = { bar.set("visible", $0) }
        list.activated { [weak self] in self?.bringBack([$0.item]) }
        window.screen.action("bring-back", keys: "<Control>b") { [self] in
            if let row = list.chosen { bringBack([row.item]) } else { window.screen.tell("Choose what is to come back first.") }
        }
        window.screen.action("bring-back-day") { [self] in
            guard let row = list.chosen ?? list.rows.first else { return }
            ask(list.rows.map(\.item).filter { Calendar.current.isDate($0.deleted, inSameDayAs: row.item.deleted) }, of: DayName.of(row.item.deleted))
        }
        window.screen.action("bring-back-all") { [self] in ask(list.rows.map(\.item), of: nil) }
    }

    func show(_ drive: Drive) {
        rows.turn(to: drive)
        refresh()
    }

    func refresh() {
        guard let drive = rows.drive, let program = window?.program else { return }
        rows.ask {
            var last = ""
            return try await program.deleted(on: drive).map { item in
                let day = DayName.of(item.deleted)
                defer { last = day }
                return Shown(item: item, place: drive.place(of: item.path), day: day == last ? "" : day)
            }
        }
    }

    func focus() { list.focus() }

    private func ask(_ items: [DeletedItem], of day: String?) {
        guard items.count > 1 else { return items.isEmpty ? () : bringBack(items) }
        let what = day.map { "All \(items.count) items that were deleted: \($0)." } ?? "All \(items.count) items."
        window?.screen.ask("Bring Them Back?", what + " Of several that had one name, the last one comes.", [("_Cancel", .other), ("_Bring Back", .suggested)]) { [weak self] answer in
            if answer == 1 { self?.bringBack(items) }
        }
    }

    private func bringBack(_ items: [DeletedItem]) {
        guard let drive = rows.drive, let window, let program = window.program, let first = items.first else { return }
        list.chooseNext()
        Task {
            do {
                try await program.bringBack(items, on: drive)
                window.screen.withdraw(toast)
                toast = items.count == 1 ? window.screen.tell("“\(OneLine.name(first.name))” is back", "_Show") { [weak window] in window?.openDocument(first.path) } : window.screen.tell("\(items.count) items are back")
            } catch { window.screen.tell(ValiseFault.sentence(of: error)) }
            refresh()
            window.refreshDrives()
        }
    }
}
