import Containers
import LinuxFiles
import Shell

/// What a drive says of itself, with the conflicts in its container.
struct DriveReport {
    let mount: MountTable.Mount
    let json: JSON
    let page: StatusPage

    init(_ mount: MountTable.Mount) throws(Stop) {
        let json = try StatusSource.page(of: mount)
        var page = StatusPage(json)
        page.conflicts = page.container.flatMap { Self.conflicts(in: $0, on: mount.mountpoint) }
        (self.mount, self.json, self.page) = (mount, json, page)
    }

    /// The documents that wait for a decision; nil where this user cannot know, or not in time. All of the container is looked at.
    private static func conflicts(in path: String, on mountpoint: String) -> [String]? {
        guard case .answer(let bytes) = Child.ask({ () throws(Errno) in
            let container: Container
            do throws(Failure) { container = try Container.open(path, access: .read, creating: []) } catch { throw error.errno }
            let files = try container.conflictedDocuments().map { ([mountpoint] + ($0.place.path + [$0.shown]).map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/") }
            return Array(JSON.array(files.sorted().map(JSON.string)).line.utf8)
        }) else { return nil }
        return JSON(bytes).map { $0.elements.compactMap(\.string) }
    }

    /// `time`: the second at which it is told.
    func text(now: Int64, details: Bool) -> String { page.text(mountpoint: mount.mountpoint, now: now, details: details) }
}
