import Containers
import LinuxFiles
import Shell

/// What a drive says of itself, with the conflicts in its container and the room that is taken by what is kept there.
struct DriveReport {
    let mount: MountTable.Mount
    let json: JSON
    let page: StatusPage

    init(_ mount: MountTable.Mount, withRoom: Bool) throws(Stop) {
        let json = try StatusSource.page(of: mount)
        var page = StatusPage(json)
        page.conflicts = page.container.flatMap { Self.conflicts(in: $0, on: mount.mountpoint) }
        if withRoom, let container = page.container, let (versions, deleted) = Self.room(in: container) { (page.versions, page.deleted) = (versions, deleted) }
        (self.mount, self.json, self.page) = (mount, json, page)
    }

    /// What earlier versions and deleted items take.
    private static func room(in path: String) -> (versions: StatusPage.Room, deleted: StatusPage.Room)? {
        guard case .answer(let bytes) = Child.ask({ () throws(Errno) in
            let container: Container, deleted: KeptRoom
            do throws(Failure) { container = try Container.open(path, access: .read, creating: []) } catch { throw error.errno }
            do throws(StateFault) { deleted = try container.deletedRoom() } catch { throw error.errno }
            let numbers = [try container.versionsRoom(), deleted].flatMap { [Int64($0.items), $0.size] }
            return Array(JSON.array(numbers.map(JSON.integer)).line.utf8)
        }), let numbers = JSON(bytes)?.elements.compactMap(\.integer), numbers.count == 4 else { return nil }
        return (StatusPage.Room(items: numbers[0], size: numbers[1]), StatusPage.Room(items: numbers[2], size: numbers[3]))
    }

    /// The documents that wait for a decision; nil where this user cannot know, or not in time. All of the container is looked at.
    private static func conflicts(in path: String, on mountpoint: String) -> [String]? {
        guard case .answer(let bytes) = Child.ask({ () throws(Errno) in
            let container: Container
            do throws(Failure) { container = try Container.open(path, access: .read, creating: []) } catch { throw error.errno }
            var files: [String] = []
            for document in try container.conflictedDocuments() {
                // Of several with one title each is called otherwise on the drive.
                let file = try? document.place.file(on: mountpoint)
                files.append(file ?? ([mountpoint] + (document.place.path + [document.shown]).map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/"))
            }
            return Array(JSON.array(files.sorted().map(JSON.string)).line.utf8)
        }) else { return nil }
        return JSON(bytes).map { $0.elements.compactMap(\.string) }
    }

    func text(details: Bool) -> String { page.text(mountpoint: mount.mountpoint, clock: .current, details: details) }
}
