import Catalog
import LinuxFiles

/// What items are called on a drive. A catalog knows what a new listing would call them; where several want one name, a drive goes
/// on calling each what it was called first. So each name is asked for, and where it leads elsewhere, all of its folder.
struct DriveNames {
    let mountpoint: String

    private static let attribute = Array("user.valise.stored-name".utf8)

    /// The paths of items, from the drive's top on; nil where the drive does not answer.
    func paths(of items: [FoundItem]) -> [[UInt8]]? {
        let reply = Child.ask(seconds: 30) { () throws(Errno) in
            var answer: [UInt8] = [], listed: [[UInt8]: Names] = [:]
            for item in items { answer += path(of: item, &listed) + [0] }
            return answer
        }
        guard case .answer(let bytes) = reply else { return nil }
        let paths = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
        return paths.count == items.count ? paths : nil
    }

    private func path(of found: FoundItem, _ listed: inout [[UInt8]: Names]) -> [UInt8] {
        let shown = found.shownPath
        let there = Array(mountpoint.utf8) + [UInt8(ascii: "/")] + shown
        if (try? storedName(there)) == found.item.stored.bytes { return shown }
        let folder = Array(found.folder.map(\.bytes).joined(separator: [UInt8(ascii: "/")])), names = listed[folder] ?? names(in: folder)
        listed[folder] = names
        guard let name = names.stored[found.item.stored.bytes] ?? names.denied(there) else { return shown }
        return folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
    }

    private func storedName(_ path: [UInt8]) throws(Errno) -> [UInt8] { try Descriptor.atPath(path, .path).extendedAttribute(Self.attribute) }

    /// What is in a folder of the drive.
    private struct Names {
        /// By their stored names.
        var stored: [[UInt8]: [UInt8]] = [:]
        /// What this user may not read is called by its stored name there, too, and is the same file.
        var denied: [FileIdentity: [UInt8]] = [:]

        func denied(_ path: [UInt8]) -> [UInt8]? {
            guard !denied.isEmpty, let status = try? Descriptor.atPath(path, .path).status() else { return nil }
            return denied[status.identity]
        }
    }

    private func names(in folder: [UInt8]) -> Names {
        let path = Array(mountpoint.utf8) + [UInt8(ascii: "/")] + folder
        var names = Names()
        guard let place = try? Descriptor.atPath(path, [.path, .folder]) else { return names }
        guard var reader = try? FolderReader(untraced: place) else { return names }
        while let entry = (try? reader.next()) ?? nil {
            do throws(Errno) { names.stored[try storedName(path + [UInt8(ascii: "/")] + entry.name.bytes)] = entry.name.bytes } catch {
                guard [.accessDenied, .notPermitted].contains(error), let status = try? place.status(of: entry.name) else { continue }
                names.denied[status.identity] = entry.name.bytes
            }
        }
        return names
    }
}
