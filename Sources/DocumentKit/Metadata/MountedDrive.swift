import Foundation
import LinuxFiles

/// A drive that something lies on, as the drive itself says: its mountpoint, and the container that it shows.
struct MountedDrive: Equatable {
    let mountpoint: String
    let container: String
    /// How many parts the path of its mountpoint has, the root among them.
    let depth: Int

    private struct Page: Decodable {
        let container: String
        let mountpoint: String
    }

    /// The drive that a folder is on, by the folder's parts from the root on; `whole`, if that is a folder itself.
    init?(above folder: [String], or whole: [String]) {
        let parts = Self.device(whole) == nil ? folder : whole
        guard let device = Self.device(parts) else { return nil }
        var depth = parts.count
        while depth > 1, Self.device(Array(parts.prefix(depth - 1))) == device { depth -= 1 }
        let mountpoint = Self.path(parts.prefix(depth))
        guard let file = try? Descriptor.atPath(mountpoint + "/.valise/status", [.read, .nonBlocking]), let bytes = try? file.readAll(limit: 8 << 20),
            let page = try? JSONDecoder().decode(Page.self, from: Data(bytes)), !page.container.isEmpty
        else { return nil }
        (self.mountpoint, container, self.depth) = (mountpoint, page.container, depth)
    }

    private static func path(_ parts: some Collection<String>) -> String { "/" + parts.dropFirst().joined(separator: "/") }

    private static func device(_ parts: [String]) -> UInt64? { (try? Descriptor.atPath(path(parts), [.path, .folder]).status())?.identity.device }

    /// What the item of a file on the drive is called in the container.
    func storedName(_ path: String) -> Name? { Self.storedName(Array(path.utf8)) }

    private static func storedName(_ path: [UInt8]) -> Name? {
        guard let file = try? Descriptor.atPath(path, .path), let bytes = try? file.extendedAttribute(Array("user.valise.stored-name".utf8)) else { return nil }
        return Name(bytes)
    }

    /// What the drive calls an item of a folder, which a listing would call `expected`: where several want one name, it goes on calling
    /// each what it was called first.
    func shownName(of stored: Name, in folder: [Name], expected: Name) -> Name {
        let path = Array(([mountpoint] + folder.map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/").utf8) + [UInt8(ascii: "/")]
        if Self.storedName(path + expected.bytes) == stored { return expected }
        guard let place = try? Descriptor.atPath(Array(path.dropLast()), [.path, .folder]), var reader = try? FolderReader(place) else { return expected }
        while let entry = (try? reader.next()) ?? nil { if Self.storedName(path + entry.name.bytes) == stored { return entry.name } }
        return expected
    }
}
