import Containers
import LinuxFiles
import Shell

/// The container whose settings are meant: of a drive, of a path, or of an app's identifier.
enum KeyValuePlace {
    static func container(_ named: String?) throws(Stop) -> String {
        guard let named else { return try unnamed() }
        if !isThere(named), let path = try identified(named) { return path }
        switch try NamedPlace(named) {
        case .drive(let mount), .onDrive(let mount): return try StatusSource.container(of: mount)
        case .container(let container), .inContainer(let container, _): return container
        case .other(let path): return path
        }
    }

    private static func unnamed() throws(Stop) -> String {
        if let path = environment("VALISE_CONTAINER"), !path.isEmpty { return path }
        let drives = try MountTable.now().ownDrives
        guard let only = drives.first else { throw Stop(1, "no drive is mounted; name a container at the end: valise kvs list CONTAINER") }
        guard drives.count == 1 else {
            throw Stop(2, "several drives are mounted; name one at the end: valise kvs list \(shellWord(only.mountpoint))")
        }
        return try StatusSource.container(of: only)
    }

    /// A drive that does not answer is there, too.
    private static func isThere(_ path: String) -> Bool {
        if case .failed(.noSuchEntry) = Child.ask({ () throws(Errno) in
            _ = try status(of: path)
            return []
        }) { return false }
        return true
    }

    private static func identified(_ identifier: String) throws(Stop) -> String? {
        guard !identifier.contains("/") else { return nil }
        let home = environment("HOME") ?? "/", page = NamedContainers.file(home: home, environment)
        let bytes = (try? contents(of: page, limit: NamedContainers.longestFile)) ?? []
        if let path = NamedContainers(bytes, home: home).path(of: identifier) { return path }
        throw Stop(1, "\(quoted(identifier)) is no folder here, and no identifier in \(quoted(page)); to name its container there, add a line: \(identifier) = FOLDER")
    }
}
