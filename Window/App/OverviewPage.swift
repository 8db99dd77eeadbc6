import Foundation
import Widgets
import WindowModel

/// A drive: where it is, what somebody should look at, and the room that earlier versions and deleted items take.
@MainActor
final class OverviewPage: DrivePage {
    let page: Part
    private let layout = Layout(PackageResources.overview_ui)
    private let problems: ListPart<DriveProblem>
    private weak var window: MainWindow?
    private var drive: Drive?
    /// What the doctor says of it, asked once for each drive and whenever it does not answer.
    private var found: [DriveProblem] = []
    private var versionsAction: Part?, deletedAction: Part?

    init() {
        page = layout.part("page")
        problems = ListPart(layout, "problems") { RowFace($0.title, subtitle: $0.reason) }
    }

    func start(in window: MainWindow) {
        self.window = window
        problems.activated { [weak window] problem in if let path = problem.path { window?.openDocument(path) } else { window?.screen.tell(problem.reason.isEmpty ? problem.title : problem.reason) } }
        versionsAction = window.screen.action("free-versions") { [self] in freeVersions() }
        deletedAction = window.screen.action("free-deleted") { [self] in freeDeleted() }
    }

    func show(_ drive: Drive) {
        let isOther = self.drive?.mountpoint != drive.mountpoint || self.drive?.fault != drive.fault
        self.drive = drive
        if isOther {
            found = []
            askDoctor(drive)
        }
        layout.part("mountpoint").set("subtitle", OneLine.shown(drive.mountpoint))
        layout.part("container").set("subtitle", OneLine.shown(drive.container ?? "It does not say"))
        layout.part("state").set("subtitle", OneLine.shown(state(drive)))
        layout.part("versions").set("subtitle", room(drive.versions))
        layout.part("deleted").set("subtitle", room(drive.deleted))
        versionsAction?.set("enabled", (drive.versions?.items ?? 0) > 0 && !drive.isReadOnly)
        deletedAction?.set("enabled", (drive.deleted?.items ?? 0) > 0 && !drive.isReadOnly)
        layout.part("disk").set("subtitle", disk(drive))
        showProblems()
    }

    private func showProblems() {
        // Of one that does not answer both say the same.
        let all = Array(((drive?.problems ?? []) + found.filter { drive?.fault?.hasPrefix($0.title) != true }).prefix(100))
        problems.show(all)
        layout.part("problems-group").set("visible", !all.isEmpty)
    }

    private func askDoctor(_ drive: Drive) {
        guard let program = window?.program else { return }
        Task {
            guard let said = try? await program.problems(of: drive.container), self.drive?.mountpoint == drive.mountpoint else { return }
            found = said
            showProblems()
        }
    }

    private func state(_ drive: Drive) -> String {
        var words = [drive.isReadOnly ? "Read-only" : drive.draftCount == 0 ? "All is saved" : drive.draftCount == 1 ? "One change is not saved yet" : "\(drive.draftCount) changes are not saved yet"]
        if let since = drive.since { words.append("mounted since \(since.formatted(date: .abbreviated, time: .shortened))") }
        return drive.isAnswering ? words.joined(separator: ", ") : "It does not answer"
    }

    private func room(_ room: Drive.Room?) -> String {
        guard let room else { return "Not known, or not yours to free" }
        return room.items == 0 ? "None" : "\(room.items) \(room.items == 1 ? "item" : "items"), \(Self.size(room.size))"
    }

    private func disk(_ drive: Drive) -> String {
        // Of the container: a drive that does not answer is not asked.
        guard let container = drive.container, let values = try? FileManager.default.attributesOfFileSystem(forPath: container) else { return "Not known" }
        return (values[.systemFreeSize] as? NSNumber).map { Self.size($0.int64Value) } ?? "Not known"
    }

    static func size(_ bytes: Int64) -> String { bytes.formatted(.byteCount(style: .file)) }

    func refresh() {}
    func focus() { if problems.rows.isEmpty { layout.part("open-button").focus() } else { problems.focus() } }

    // MARK: Room

    private func freeVersions() {
        guard let window, let program = window.program, let drive, let room = drive.versions else { return }
        let answers: [(label: String, kind: Screen.Answer)] = [("_Cancel", .other), ("_Older Than a Month", .destroying), ("_All of Them", .destroying)]
        window.screen.ask("Free the Room of Earlier Versions?", "There are \(room.items), which take \(Self.size(room.size)). They are gone for good; documents stay, and so do conflicts.", answers) { [weak self] answer in
            guard answer > 0 else { return }
            self?.free { try await program.freeVersions(of: drive, olderThan: answer == 1 ? "30 days ago" : nil) }
        }
    }

    private func freeDeleted() {
        guard let window, let program = window.program, let drive, let room = drive.deleted else { return }
        window.screen.ask("Free the Room of Deleted Items?", "There are \(room.items), which take \(Self.size(room.size)). They are gone for good.", [("_Cancel", .other), ("_Remove Them", .destroying)]) { [weak self] answer in
            if answer == 1 { self?.free { try await program.freeDeleted(of: drive) } }
        }
    }

    private func free(_ deed: @escaping @MainActor () async throws -> String) {
        window?.perform { [weak self] in
            let said = try await deed()
            self?.window?.screen.tell(said.isEmpty ? "Nothing was to be freed" : said)
            self?.window?.refreshDrives()
        }
    }
}
