import Coordination
import Foundation
import LinuxFiles

/// Drives that are mounted on this computer, and what they call things.
enum MountedDrives {
    struct Drive {
        let mountpoint: String
        let container: String
        /// How many names lead to it.
        var depth: Int { mountpoint.split(separator: "/").count }

        /// What the container calls what a drive shows. What is not there yet is called as it will be.
        func storedNames(of shown: [Name]) throws -> [Name] {
            var path = mountpoint, stored: [Name] = []
            for name in shown {
                path += "/" + name.text
                let value = try? Descriptor.atPath(path, .path).extendedAttribute(MountedDrives.storedName)
                stored.append(value.flatMap { Name($0) } ?? name)
            }
            return stored
        }
    }

    fileprivate static let storedName = Array("user.valise.stored-name".utf8)
    private static let longestTable = 4 << 20, longestPage = 16 << 20

    /// The containers of drives, by the mount's number and device: they are asked once.
    private static let containers = Locked<[String: String]>([:])

    /// The drive that a path is on; nil for the container's own page in it, and for all else.
    static func drive(above names: [Name]) -> Drive? {
        let path = "/" + names.map(\.text).joined(separator: "/")
        var found: (mark: String, mountpoint: String)?
        for mount in mounts() where path.hasPrefix(mount.mountpoint + "/") && mount.mountpoint.utf8.count >= found?.mountpoint.utf8.count ?? 0 {
            found = mount.isDrive ? (mount.mark, mount.mountpoint) : nil
        }
        guard let found, let container = container(of: found.mark, found.mountpoint) else { return nil }
        return Drive(mountpoint: found.mountpoint, container: container)
    }

    private static func container(of mark: String, _ mountpoint: String) -> String? {
        if let known = containers.withLock({ $0[mark] }) { return known }
        guard let bytes = try? Descriptor.atPath(mountpoint + "/.valise/status", [.read]).readAll(limit: longestPage),
              let page = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any], let container = page["container"] as? String else { return nil }
        containers.withLock { $0[mark] = container }
        return container
    }

    private struct Mount {
        let mark: String
        let mountpoint: String
        let isDrive: Bool
    }

    private static func mounts() -> [Mount] {
        guard let bytes = try? Descriptor.atPath("/proc/self/mountinfo", .read).readAll(limit: longestTable) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count > 6, let dash = words.firstIndex(of: [UInt8(ascii: "-")]), dash + 1 < words.count else { return nil }
            let mark = String(decoding: words[0], as: UTF8.self) + " " + String(decoding: words[2], as: UTF8.self)
            return Mount(mark: mark, mountpoint: unescaped(words[4]), isDrive: words[dash + 1].elementsEqual("fuse.valise".utf8))
        }
    }

    /// Blanks and the like are written as "\040".
    private static func unescaped(_ word: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = [], rest = word
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Where an item is shown

    /// Found by the names that the drive says the items have; nil where it shows none.
    static func shownPath(of path: ItemPath, on mountpoint: String) -> String? {
        path.names.reduce(Optional(mountpoint)) { folder, name in folder.flatMap { shownName(of: name, in: $0) } }
    }

    private static func shownName(of stored: Name, in folder: String) -> String? {
        guard let place = try? Descriptor.atPath(folder, [.read, .folder]), var entries = try? FolderReader(place) else { return nil }
        while let entry = try? entries.next() {
            let path = folder + "/" + entry.name.text
            let value = try? Descriptor.atPath(path, .path).extendedAttribute(storedName)
            if value == stored.bytes || (value == nil && entry.name == stored) { return path }
        }
        return nil
    }
}
