import Containers
import LinuxFiles
import Shell

/// A container that lies in another one would be written by two drives, each of which takes the other's state for documents.
enum NestedContainers {
    /// Before a folder becomes a container.
    static func checkNew(_ folder: String) throws(Stop) {
        // Of a path that is not there yet, the part that is.
        var existing = writtenPath(folder)
        while existing != "/", (try? status(of: existing)) == nil { existing = parent(existing) }
        let place = try NamedPlace(existing)
        if existing != writtenPath(folder) {
            let above: String? = switch place {
            case .container(let container), .inContainer(let container, _): "in the container \(quoted(container))"
            case .drive(let mount), .onDrive(let mount), .apps(let mount): "on the drive \(quoted(mount.mountpoint))"
            case .other: nil
            }
            if let above { throw Stop(1, "\(quoted(folder)) would lie \(above), and no container can be inside another one; name a folder outside of that") }
        }
        guard let wrong = try place.isNoContainer(folder, for: "mount", then: " MOUNTPOINT") else { return }
        throw Stop(1, "no container can be made there: \(wrong)")
    }

    /// Before a container is mounted. `container` is a real path.
    static func checkMounted(_ container: String, readOnly: Bool) throws(Stop) {
        guard !readOnly else { return }
        let table = try MountTable.now()
        let place = try NamedPlace(container)
        if case .apps(let mount) = place, mount.source == container {
            // One whose process has ended writes nowhere, and may be what is mounted anew.
            if case .dead = DriveHealth.of(mount.mountpoint) {} else if !mount.isReadOnly {
                throw Stop(32, "the containers in \(quoted(container)) are shown by the drive \(quoted(mount.mountpoint)) already: use that drive, or mount this one with -o ro")
            }
        } else if let drive = place.drive, (try? StatusSource.page(of: drive))?["backup"] != nil {
            throw Stop(32, "\(quoted(container)) is on the drive of a backup, which is only read; to see its packages as documents: valise mount -o ro \(shellWord(container)) MOUNTPOINT")
        } else if let wrong = try place.isNoContainer(container, for: "mount", then: " MOUNTPOINT, or add -o ro") { throw Stop(32, wrong) }
        if let outer = above(container, table), let opened = try? Container.open(outer, access: .read, creating: [], kinds: PersonsKinds.own.registry), let holder = ContainerLock.holder(of: opened) {
            throw Stop(32, "\(quoted(container)) lies in the container \(quoted(outer)), in which somebody writes (\(printable(holder))); unmount that first, or add -o ro")
        }
        if let inner = table.drives.first(where: { !$0.isReadOnly && $0.source != container && isInside($0.source, container) }) {
            throw Stop(32, "\(quoted(container)) has the container \(quoted(inner.source)) in it, which is mounted on \(quoted(inner.mountpoint)); unmount that first: valise unmount \(shellWord(inner.mountpoint)), or add -o ro")
        }
        let documents = container + "/Documents"
        if (try? status(of: "\(container)/\(Hidden.state)")) == nil, (try? status(of: "\(documents)/\(Hidden.state)")) != nil {
            throw Stop(32, "\(quoted(documents)) has been used as a container by itself, so \(quoted(container)) cannot be one; mount that: valise mount \(shellWord(documents)) MOUNTPOINT, or add -o ro")
        }
    }

    private static func above(_ container: String, _ table: MountTable) -> String? {
        container == "/" ? nil : NamedPlace.container(at: parent(container), table)
    }

    private static func parent(_ path: String) -> String { "/" + path.split(separator: "/").dropLast().joined(separator: "/") }
}
