import Containers
import Documents
import Glibc
import LinuxFiles
import Shell

/// An item that a person named by a path on a drive or in a container: which container's it is, and its place there.
struct ClaimableItem {
    let container: String
    /// From the documents' folder on, in stored names.
    let path: String
    /// The absolute path that it was named by.
    let shown: String
    let isOnDrive: Bool
    let isFolder: Bool
    /// Of a drive that shows another folder than the one that the container has its documents in by now: why its names are others there.
    let outdated: String?
    /// How the drive shows documents.
    let options: ShowingOptions

    init(_ named: String) throws(Stop) {
        shown = try foundPath(named)
        let absolute = shown
        if let mount = try MountTable.now().drivesAndApps.last(where: { isInside(absolute, $0.mountpoint) }) {
            guard !mount.showsApps else { throw NamedPlace.several(mount) }
            isOnDrive = true
            let names = absolute.dropFirst(mount.mountpoint.count).split(separator: "/").map(String.init)
            switch Child.ask({ () throws(Errno) in Array(try Self.stored(names, on: mount.mountpoint).line.utf8) }) {
            case .answer(let bytes):
                let answer = JSON(bytes)
                if answer?["denied"]?.bool == true { throw Stop(125, "you may not read \(quoted(named))") }
                guard let answer, let path = answer["path"]?.string, let container = answer["container"]?.string else {
                    throw Stop(125, "cannot find out what \(quoted(named)) is in its container")
                }
                (self.path, self.container, isFolder, outdated) = (path, container, answer["folder"]?.bool ?? false, answer["outdated"]?.string)
                options = StatusSource.showing(answer)
            case .failed(let error): throw Stop(125, DriveSentence.failed(mount, error))
            case .silent: throw Stop(125, DriveSentence.silent(mount))
            }
            return
        }
        (isOnDrive, outdated, options) = (false, nil, ShowingOptions())
        isFolder = (try? status(of: absolute))?.type == .folder
        guard let (container, path) = Self.place(of: absolute) else {
            guard (try? status(of: absolute)) != nil else { throw Stop(125, missing(named)) }
            throw Stop(125, "\(quoted(named)) lies in no container that Valise has used: in none of the folders above it is a “.valise”")
        }
        guard let path else { throw Stop(125, "\(quoted(named)) is not among the documents of the container \(quoted(container))") }
        (self.container, self.path) = (container, path)
    }

    /// What the drive says of each name on the way.
    private static func stored(_ names: [String], on mountpoint: String) throws(Errno) -> JSON {
        let page = JSON(try contents(of: "\(mountpoint)/.valise/status", limit: JSON.largest))
        var path = mountpoint, stored: [String] = [], type = FileType.folder
        for name in names {
            path += "/\(name)"
            do throws(Errno) {
                let place = try Descriptor.atPath(path, .path)
                type = try place.status().type
                let value: [UInt8]?
                do throws(Errno) { value = try place.extendedAttribute(Array("user.valise.stored-name".utf8)) } catch {
                    // What it is called in the container is not for everybody either.
                    if [.accessDenied, .notPermitted].contains(error) { return .object([JSON.Member("denied", .bool(true))]) }
                    value = nil
                }
                stored.append(value.map { String(decoding: $0, as: UTF8.self) } ?? name)
            } catch {
                // What is not there yet is called as it will be.
                guard error == .noSuchEntry else { throw error }
                stored.append(name)
                type = .regular
            }
        }
        let facts = page.map { StatusReport($0) }
        return .object([
            JSON.Member("path", .string(stored.joined(separator: "/"))), JSON.Member("folder", .bool(type == .folder)),
            JSON.Member("container", facts?.containerNow.map(JSON.string) ?? .null), JSON.Member("outdated", facts?.outdated.map(JSON.string) ?? .null),
            JSON.Member("packages", page?["packages"] ?? .null),
        ])
    }

    /// The nearest folder above that is a container, and what is left of the path below its documents; nil of what lies beside them.
    private static func place(of absolute: String) -> (container: String, path: String?)? {
        let parts = absolute.split(separator: "/").map(String.init)
        for count in (0...parts.count).reversed() {
            let folder = "/" + parts.prefix(count).joined(separator: "/")
            let inside = folder == "/" ? folder : folder + "/"
            guard [Hidden.state, Hidden.rootState].contains(where: { (try? status(of: inside + "\($0)"))?.type == .folder }) else { continue }
            var rest = parts.dropFirst(count)
            // As a container is opened: its documents are in a folder of their own, or all there is.
            if (try? status(of: folder + "/Documents"))?.type == .folder, let first = rest.popFirst(), first != "Documents" { return (folder, nil) }
            return (folder, rest.joined(separator: "/"))
        }
        return nil
    }
}
