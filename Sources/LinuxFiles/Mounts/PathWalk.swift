/// A path is gone along one name at a time, so that who says where it leads is known, and what it ends at is held: it may lead elsewhere at any moment.
public enum PathWalk {
    /// A symbolic link on the way.
    public struct Link: Sendable {
        public let folder: OpenFile
        public let name: Name
        public let place: OpenFile
    }

    /// What the path ends at, which is only named and not looked into: it may be a drive that does not answer, or a place where asking mounts something.
    /// `asFolder`: it is gone into as a folder, too. `passing` is given each folder on the way, and `following` each link before it is followed. `making`
    /// makes the last name where it is not there.
    public static func end(
        of path: String, asFolder: Bool = false, passing: (OpenFile) throws(Errno) -> Void = { (_) throws(Errno) in },
        making: (OpenFile, Name) throws(Errno) -> OpenFile = { (_, _) throws(Errno) in throw .noSuchEntry }, following: (Link) throws(Errno) -> Void
    ) throws(Errno) -> OpenFile {
        var here = OpenFile(try Descriptor.atPath(path.hasPrefix("/") ? "/" : ".", .path)), rest = parts(of: path), followed = 0
        while let part = rest.popLast() {
            try passing(here)
            if part == "." { continue }
            if part == ".." {
                here = OpenFile(try Descriptor.parent(of: here.descriptor))
                continue
            }
            guard let name = Name(part) else { throw .invalid }
            // As a folder it is mounted where something is to be mounted for whoever comes by.
            if asFolder || !rest.isEmpty, let folder = try folder(name, in: here) {
                here = folder
                continue
            }
            let place: OpenFile
            do throws(Errno) { place = OpenFile(try here.descriptor.open(name, .path)) } catch {
                guard error == .noSuchEntry, rest.isEmpty, !asFolder else { throw error }
                return try making(here, name)
            }
            guard let target = try? place.descriptor.readSymbolicLink() else {
                guard rest.isEmpty, !asFolder else { throw .notDirectory }
                return place
            }
            try following(Link(folder: here, name: name, place: place))
            followed += 1
            guard followed < 40 else { throw .tooManySymbolicLinks }
            let text = String(decoding: target, as: UTF8.self)
            if text.hasPrefix("/") { here = OpenFile(try Descriptor.atPath("/", .path)) }
            rest += parts(of: text)
        }
        if asFolder { try passing(here) }
        return here
    }

    /// nil where it is no folder.
    private static func folder(_ name: Name, in folder: OpenFile) throws(Errno) -> OpenFile? {
        do throws(Errno) { return OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
            guard error == .notDirectory else { throw error }
            return nil
        }
    }

    /// The last one first.
    private static func parts(of path: String) -> [String] { path.split(separator: "/").reversed().map(String.init) }
}
