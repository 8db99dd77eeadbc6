import Foundation

/// A row of the list of drives: one that is mounted, or a container that was and can be again.
public struct DriveRow: Identifiable, Equatable, Sendable {
    public let id: String
    /// Nil where it is not mounted.
    public let drive: Drive?
    public let container: String?
    public let mountpoint: String

    public var name: String { (mountpoint as NSString).lastPathComponent }

    /// In one line.
    public var state: String {
        guard let drive else { return "Not mounted" }
        guard drive.isAnswering else { return "⚠ Does not answer" }
        if drive.fault != nil { return "⚠ Its container is not where it was" }
        var words: [String] = []
        func count(_ number: Int, _ one: String, _ many: String) { if number > 0 { words.append("\(number) \(number == 1 ? one : many)") } }
        count(drive.conflictCount ?? 0, "conflict", "conflicts")
        count(drive.draftCount, "unsaved change", "unsaved changes")
        count(drive.errorCount, "file with an error", "files with errors")
        if !words.isEmpty { return "⚠ " + words.joined(separator: ", ") }
        return drive.isReadOnly ? "Mounted, read-only" : "Mounted"
    }
}

/// The drives that are mounted, and those that were. It follows the system's table of mounts.
@MainActor
public final class DriveList {
    public var changed: (() -> Void)?
    public private(set) var rows: [DriveRow] = []
    /// Why there is no list.
    public private(set) var fault: String?
    public let program: ValiseProgram
    private var known: KnownContainers
    private var watch: MountTableWatch?
    private var isAsking = false, isOutdated = false

    public init(_ program: ValiseProgram, known: KnownContainers) { (self.program, self.known) = (program, known) }

    public func start() {
        watch = MountTableWatch { [weak self] in self?.refresh() }
        refresh()
    }

    public func stop() {
        watch?.stop()
        watch = nil
    }

    /// Asks again. What is asked for while an answer is under way is asked once more after it.
    public func refresh() {
        guard !isAsking else {
            isOutdated = true
            return
        }
        isAsking = true
        Task {
            repeat {
                isOutdated = false
                await ask()
            } while isOutdated
            isAsking = false
        }
    }

    public func ask() async {
        do {
            let drives = try await program.drives()
            fault = nil
            known.add(drives.compactMap { drive in drive.container.map { ($0, drive.mountpoint) } })
            show(drives)
        } catch {
            fault = ValiseFault.sentence(of: error)
        }
        changed?()
    }

    private func show(_ drives: [Drive]) {
        var ids: Set<String> = []
        let mounted = drives.map { drive in
            // One that does not answer does not say what it shows, but was known to.
            let container = drive.container ?? known.entries.first { $0.mountpoint == drive.mountpoint }?.container
            let id = container.flatMap { ids.contains($0) ? nil : $0 } ?? drive.mountpoint
            ids.insert(id)
            return DriveRow(id: id, drive: drive, container: container, mountpoint: drive.mountpoint)
        }
        // One whose folder has another drive now, or that does not answer there, is no second row.
        let places = Set(drives.map(\.mountpoint))
        let resting = known.entries.filter { !ids.contains($0.container) && !places.contains($0.mountpoint) && $0.isThere }
            .map { DriveRow(id: $0.container, drive: nil, container: $0.container, mountpoint: $0.mountpoint) }
        rows = (mounted + resting).sorted { ($0.name.localizedLowercase, $0.id) < ($1.name.localizedLowercase, $1.id) }
    }

    /// The drive that a path is on: that of the longest mountpoint.
    public func drive(of path: String) -> Drive? { rows.compactMap(\.drive).filter { $0.has(path) }.max { $0.mountpoint.utf8.count < $1.mountpoint.utf8.count } }

    /// The row of the container that a path is in.
    public func row(containing path: String) -> DriveRow? { rows.first { row in row.container.map { path == $0 || path.hasPrefix($0 + "/") } ?? false } }

    public func mount(_ container: String, on mountpoint: String, password: String? = nil) async throws {
        try await program.mount(container, on: mountpoint, password: password)
        await ask()
    }

    public func unmount(_ drive: Drive, atOnce: Bool = false) async throws {
        try await program.unmount(drive, atOnce: atOnce)
        await ask()
    }

    /// A container that is not mounted is no longer in the list. It stays as it is.
    public func forget(_ row: DriveRow) {
        guard row.drive == nil, let container = row.container else { return }
        known.remove(container)
        rows.removeAll { $0.id == row.id }
        changed?()
    }

    public func remember(_ row: DriveRow) {
        guard let container = row.container else { return }
        known.add([(container, row.mountpoint)])
        refresh()
    }

    /// Where a container is to be shown: where it was, or in a folder of its name in the home that is not there or is empty.
    public func place(for container: String) -> String {
        if let known = known.entries.first(where: { $0.container == container }) { return known.mountpoint }
        let name = (container as NSString).lastPathComponent
        let first = HomeFolder.path + "/" + (name.isEmpty || name == "/" ? "Valise" : name)
        func isFree(_ path: String) -> Bool {
            if path == container || container.hasPrefix(path + "/") || rows.contains(where: { $0.mountpoint == path }) { return false }
            guard FileManager.default.fileExists(atPath: path) else { return true }
            return (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) ?? false
        }
        // Of two folders of one name the drive is to be told from what it shows.
        var path = first, number = 1
        while !isFree(path) {
            path = first + (number == 1 ? " Drive" : " Drive \(number)")
            number += 1
        }
        return path
    }
}
