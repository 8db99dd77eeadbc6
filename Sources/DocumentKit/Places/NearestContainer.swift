import Containers
import Foundation
import LinuxFiles

/// The container that a path leads into: a folder that is named as one, or that Valise has used as one; the nearest of those
/// that lie above, or the folder itself.
struct NearestContainer {
    let path: String
    /// Its documents have a folder of their own, and are not all there is.
    let hasDocuments: Bool
    /// From the container on.
    private(set) var inside: ArraySlice<Name>
    /// Which folder it is now.
    let identity: FileIdentity?

    /// What was looked at: the item, and all folders up to the container.
    private(set) var passed: [FileStatus?] = []

    init?(above names: [Name]) {
        let named = ContainerNames().identities
        for count in (0...names.count).reversed() {
            // The status first: a change that comes later is seen by it.
            let path = Self.path(of: names.prefix(count)), status = try? Descriptor.status(atPath: path)
            passed.append(status)
            guard let status, status.type == .folder, Self.isContainer(path, status, named) else { continue }
            (self.path, inside, identity) = (String(decoding: path, as: UTF8.self), names.dropFirst(count), status.identity)
            hasDocuments = Self.hasFolder(Container.documentsName, path)
            return
        }
        return nil
    }

    /// Another item of the same folder.
    func beside(_ name: Name) -> NearestContainer {
        var other = self
        other.inside = inside.dropLast() + [name]
        return other
    }

    static func path(of names: some Sequence<Name>) -> [UInt8] {
        let path = names.reduce(into: [UInt8]()) { $0 += [UInt8(ascii: "/")] + $1.bytes }
        return path.isEmpty ? [UInt8(ascii: "/")] : path
    }

    /// `status` is not asked for where no folder is named.
    static func isContainer(_ path: [UInt8], _ status: @autoclosure () -> FileStatus?, _ named: Set<FileIdentity>) -> Bool {
        for state in [Hidden.state, Hidden.rootState] {
            do throws(Errno) { if try type(of: state, in: path) == .folder { return true } } catch { if error == .notDirectory { return false } }
        }
        return !named.isEmpty && status().map { named.contains($0.identity) } == true
    }

    static func hasDocuments(_ container: String) -> Bool { hasFolder(Container.documentsName, Array(container.utf8)) }

    /// A link is none, as where a container is opened.
    private static func hasFolder(_ name: Name, _ folder: [UInt8]) -> Bool { (try? type(of: name, in: folder)) == .folder }

    private static func type(of name: Name, in folder: [UInt8]) throws(Errno) -> FileType {
        try Descriptor.status(atPath: folder + [UInt8(ascii: "/")] + name.bytes, following: false).type
    }
}

extension URL {
    /// Its folder and its name, as they are written, where there is no "." or ".." among the names.
    var plainPlace: (folder: [UInt8], name: Name)? {
        let path = Array(path.utf8), slash = UInt8(ascii: "/")
        var folder: [UInt8] = [], last: Name?, begin = 0
        folder.reserveCapacity(path.count)
        while begin < path.count {
            let end = path[begin...].firstIndex(of: slash) ?? path.count
            defer { begin = end + 1 }
            guard begin < end else { continue }
            if let last {
                folder.append(slash)
                folder += last.bytes
            }
            // “.” and “..” are none.
            guard let name = Name(path[begin..<end]) else { return nil }
            last = name
        }
        return last.map { (folder, $0) }
    }

    /// The names from the root on. Links on the way are followed, as far as there is something; the last may be one, or not be there.
    /// nil where something is no name.
    var realNames: [Name]? {
        // What is there the kernel says in one go.
        if let (folder, name) = plainPlace, let above = try? Descriptor.atPath(folder + [UInt8(ascii: "/")], [.path, .folder]),
           let place = try? AbsolutePath.of(above), (try? above.status())?.links ?? 0 > 0 {
            let names = place.utf8.split(separator: UInt8(ascii: "/")), real = names.compactMap { Name($0) }
            return real.count == names.count ? real + [name] : nil
        }
        let parts = FileManager.realComponents(self).dropFirst(), names = parts.compactMap { Name($0) }
        return names.count == parts.count ? names : nil
    }
}

extension Name {
    /// As Foundation has names. What is no text has another one there.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
