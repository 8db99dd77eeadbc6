import Containers
import KeyValueStore
import LinuxFiles
import Shell

/// The settings that are meant: of a drive, which says where they are, of a container, of an app's identifier, or a file.
enum KeyValuePlace {
    /// `isChanged`: and not on a drive that is read-only.
    static func store(of call: KeyValueCall) throws(Stop) -> KeyValueFile {
        let isChanged = call.deed == .set || call.deed == .delete
        guard let named = call.place else { return try unnamed(call, isChanged: isChanged) }
        return try store(named, isChanged: isChanged)
    }

    static func store(_ named: String, isChanged: Bool = false) throws(Stop) -> KeyValueFile {
        if !isThere(named), let path = try identified(named) { return try store(ofApps: path, isChanged) }
        if isChanged { try ContainerWriting.check(named) }
        switch try NamedPlace(named) {
        case .drive(let mount): return try store(of: mount)
        case .apps(let mount): throw NamedPlace.several(mount)
        case .container(let container): return try store(ofContainer: container)
        case .onDrive(let mount):
            try checkThere(named)
            return try store(of: mount)
        case .inContainer(let container, _):
            try checkThere(named)
            return try store(ofContainer: container)
        case .other(let path):
            if isStore(path) { return try store(at: path) }
            // Nothing is made in a folder that may be anything.
            if (try? status(of: path))?.type == .folder, !hasDocumentsFolder(path) {
                throw Stop(1, "\(quoted(named)) is no container, so nothing is kept in it" + (isChanged ? "; to make it one: valise init \(shellWord(named))" : ""))
            }
            return try store(ofContainer: path)
        }
    }

    /// Where a drive was told that it lies (“kvs=”), and otherwise in what it shows.
    private static func store(of mount: MountTable.Mount) throws(Stop) -> KeyValueFile {
        let page = try StatusSource.page(of: mount)
        if let path = page["kvs"]?.string { return try store(at: path) }
        return try store(ofContainer: StatusSource.container(page, of: mount))
    }

    private static func store(ofContainer path: String) throws(Stop) -> KeyValueFile {
        do throws(Failure) { return try KeyValueFile(container: path) } catch { throw Stop(1, error.sentence) }
    }

    /// Who names a drive as an app's container means the one that it shows.
    private static func store(ofApps path: String, _ isChanged: Bool) throws(Stop) -> KeyValueFile {
        guard case .drive? = try? NamedPlace(path) else { return try store(ofContainer: path) }
        return try store(path, isChanged: isChanged)
    }

    private static func store(at path: String) throws(Stop) -> KeyValueFile {
        do throws(Failure) {
            let file = try KeyValueFile(at: path)
            try file.checkIsStore()
            return file
        } catch { throw Stop(1, error.sentence) }
    }

    /// A file is no container; one that is not there yet is told by what it is called.
    private static func isStore(_ path: String) -> Bool { (try? status(of: path)).map { $0.type == .regular } ?? path.hasSuffix(".plist") }

    /// As an app's container has one, which nobody has used on this computer yet.
    private static func hasDocumentsFolder(_ path: String) -> Bool { (try? status(of: "\(path)/Documents"))?.type == .folder }

    private static func unnamed(_ call: KeyValueCall, isChanged: Bool) throws(Stop) -> KeyValueFile {
        if let path = environment("VALISE_CONTAINER"), !path.isEmpty { return try store(ofApps: path, isChanged) }
        // As with the numbers of deleted items: the drive or the container that somebody is in.
        switch try? NamedPlace(".") {
        case .drive?, .onDrive?, .apps?, .container?, .inContainer?: return try store(".", isChanged: isChanged)
        case .other?, nil: break
        }
        let drives = try MountTable.now().ownContainers
        guard let only = drives.first else { throw Stop(1, "no drive is mounted; name a container at the end: \(call.usage(at: "CONTAINER"))") }
        guard drives.count == 1 else {
            throw Stop(2, "several drives are mounted; name one at the end: \(call.usage(at: shellWord(only.mountpoint)))")
        }
        if isChanged { try ContainerWriting.check(only) }
        return try store(of: only)
    }

    private static func identified(_ identifier: String) throws(Stop) -> String? {
        guard !identifier.contains("/") else { return nil }
        let home = environment("HOME") ?? "/", page = NamedContainers.file(home: home, environment)
        let bytes = (try? contents(of: page, limit: NamedContainers.longestFile)) ?? []
        if let path = NamedContainers(bytes, home: home).path(of: identifier) { return path }
        throw Stop(1, "\(quoted(identifier)) is no folder here, and no identifier in \(quoted(page)); to name its container there, add a line: \(identifier) = FOLDER")
    }
}
