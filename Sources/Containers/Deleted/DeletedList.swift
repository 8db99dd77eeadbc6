import Documents
import Glibc
import LinuxFiles
import Transactions

/// What the records say of deleted items, and what lies there of them.
public struct DeletedList: Sendable {
    /// The deleted items, by their numbers.
    public internal(set) var items: [UInt64: DeletedItem] = [:]
    /// Those of kinds that this program does not know, by their numbers.
    var unknown: [UInt64: UnknownDeletion] = [:]
    /// Records that this program does not understand at all, word for word.
    var strange: [[UInt8]] = []
    /// The folders in which something was deleted, as they were then.
    public internal(set) var folders: [[Name]: DeletedFolder] = [:]
    var next: UInt64 = 1
    /// The numbers of those that were to come back: they were among the deleted before they waited in staging.
    var recalled: Set<UInt64> = []
    /// Records speak of what is not there any more.
    var isOutdated = false
    /// The length of the lines that are whole.
    var whole: Int64 = 0

    /// No drive writes more; what somebody else did is not read into memory.
    private static let longest: Int64 = 256 << 20

    init() {}

    init(_ file: borrowing Descriptor, _ kinds: KindRegistry) throws(Errno) {
        let size = try file.status().size
        guard size <= Self.longest else { throw .fileTooLarge }
        var offset: Int64 = 0, rest: [UInt8] = []
        while offset < size {
            let bytes = try file.read(at: offset, count: 1 << 20)
            guard !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            rest += bytes
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            whole += Int64(end + 1)
            for line in rest[..<end].split(separator: UInt8(ascii: "\n")) { take(line, kinds) }
            rest = Array(rest[(end + 1)...])
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>, _ kinds: KindRegistry) {
        switch DeletedItem.Record(line: line, kinds) {
        case .kept(let item):
            if items.updateValue(item, forKey: item.number) != nil { recalled.insert(item.number) }
            unknown[item.number] = nil
            next = max(next, item.number + 1)
        case .unknown(let deletion):
            unknown[deletion.item.number] = deletion
            items[deletion.item.number] = nil
            next = max(next, deletion.item.number + 1)
        case .folder(let path, let folder): folders[path] = folder
        case .gone(let number):
            (items[number], unknown[number]) = (nil, nil)
            isOutdated = true
        case .next(let number): next = max(next, number)
        case nil:
            strange.append(Array(line))
            if let number = DeletedItem.Record.number(of: line) { next = max(next, number + 1) }
        }
    }

    /// Where each lies: of one that is among the deleted, that it waited in staging is of no account any more.
    mutating func settle(kept: Set<UInt64>, away: Set<UInt64>) {
        for item in all {
            if kept.contains(item.number) {
                items[item.number]?.away = 0
                unknown[item.number]?.item.away = 0
            } else if item.away == 0 || !away.contains(item.away) {
                (items[item.number], unknown[item.number]) = (nil, nil)
                isOutdated = true
            }
        }
    }

    /// Also those of unknown kinds: what is to be kept, and how much room it takes, does not depend on that.
    package var all: [DeletedItem] { Array(items.values) + unknown.values.map(\.item) }

    /// The deleted items, the newest first.
    public var sorted: [DeletedItem] {
        items.values.sorted { ($0.when.seconds, $0.when.nanoseconds, $0.number) > ($1.when.seconds, $1.when.nanoseconds, $1.number) }
    }
}

extension Container {
    package static let deletedName = Name(constant: "deleted")
    static let deletedRecords = Name(constant: "records")

    /// What was deleted and is kept, for somebody who only reads.
    public func deletedItems() throws(StateFault) -> DeletedList {
        guard let own = try state.opened(), let folder = try state.folder(Self.deletedName, in: own) else { return DeletedList() }
        let file: OpenFile
        do throws(StateFault) { file = try state.file(Self.deletedRecords, .read, in: folder, at: [Self.deletedName]) } catch {
            if case .failed(.noSuchEntry) = error { return DeletedList() }
            throw error
        }
        let staging = try state.folder(Staging.folderName, in: own)
        do throws(Errno) {
            var list = try DeletedList(file.descriptor, kinds)
            list.settle(kept: try Self.numbers(in: folder), away: try staging.map { (staging) throws(Errno) in try Self.awayNumbers(in: staging) } ?? [])
            return list
        } catch { throw .failed(error) }
    }

    /// Opens what was deleted, as a document or as the file that it is.
    public func open(_ item: DeletedItem) throws(DocumentFault) -> OpenedDeletion {
        do throws(Errno) {
            guard let (folder, name) = try deletedPlace(of: item) else { throw .noSuchEntry }
            guard let kind = item.kind else {
                let file = OpenFile(try folder.descriptor.open(name, [.read, .nonBlocking]))
                return .file(file, try file.descriptor.status())
            }
            do throws(DocumentFault) {
                return .document(try reader.open(name, as: kind, in: folder.descriptor, called: item.stored))
            } catch {
                if let errno = error.errno { throw errno }
                if item.isFolder { return try Self.closed(name, in: folder) }
                throw .inputOutput
            }
        } catch { throw .unreadable(error.rawValue) }
    }

    /// A folder that no flat file can hold, with a link that leads out or a special file: it is listed, and comes back, and is read by nobody.
    private static func closed(_ name: Name, in folder: OpenFile) throws(Errno) -> OpenedDeletion {
        let place = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
        var status = try place.descriptor.status()
        (status.mode, status.size, status.links) = (0o100000, 0, 1)
        return .file(place, status)
    }

    /// The folder in which it lies now, and its name there; nil where it is gone.
    public func deletedPlace(of item: DeletedItem) throws(Errno) -> (folder: OpenFile, name: Name)? {
        do throws(StateFault) {
            guard let own = try state.opened() else { return nil }
            for (folder, name) in [(Self.deletedName, item.entry), (Staging.folderName, Name.away(item.away))] {
                if folder == Staging.folderName, item.away == 0 { continue }
                guard let place = try state.folder(folder, in: own) else { continue }
                do throws(Errno) { if try place.descriptor.exists(name) { return (place, name) } } catch { throw .failed(error) }
            }
            return nil
        } catch { throw error.errno }
    }

    /// How many versions went with it.
    public func versionCount(of item: DeletedItem) throws(Errno) -> Int {
        var folders: [OpenFile] = []
        do throws(StateFault) {
            if let own = try state.opened(), let deleted = try state.folder(Self.deletedName, in: own) {
                do throws(Errno) { if let went = try Self.folder(at: [item.versionsEntry], in: deleted) { folders.append(went) } } catch { throw .failed(error) }
            }
        } catch { throw error.errno }
        // It waits whether its name comes back, and they with it, unless another one has its place.
        if item.away != 0, try !isTaken(item), let waiting = try versionFolder(item.path + [item.stored]) { folders.append(waiting) }
        var count = 0
        for folder in folders {
            var entries = try FolderReader(folder.descriptor)
            while let entry = try entries.next() { if DocumentVersion(entry: entry.name) != nil { count += 1 } }
        }
        return count
    }

    /// Whether something has its place again.
    public func isTaken(_ item: DeletedItem) throws(Errno) -> Bool {
        do throws(Errno) { return try documents.folder(at: item.path).descriptor.exists(item.stored) } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return false
        }
    }

    /// Whether something is shown under its name again. Its item's may be that of something which is shown under another one.
    public func isNameTaken(_ item: DeletedItem) throws(Errno) -> Bool {
        guard try isTaken(item) else { return false }
        guard let folder = try? documents.folder(at: item.path), let document = try? reader.read(item.stored, in: folder.descriptor).document else { return true }
        return try name(of: document, stored: item.stored, in: item.path) == item.shown
    }

    static func numbers(in folder: OpenFile) throws(Errno) -> Set<UInt64> {
        var numbers: Set<UInt64> = []
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() { if let number = Journal.number(entry.name.bytes) { numbers.insert(number) } }
        return numbers
    }

    static func awayNumbers(in staging: OpenFile) throws(Errno) -> Set<UInt64> {
        var numbers: Set<UInt64> = []
        var entries = try FolderReader(staging.descriptor)
        while let entry = try entries.next() {
            if let number = entry.name.stagedNumber, entry.name == Name.away(number) { numbers.insert(number) }
        }
        return numbers
    }
}

/// What was deleted, opened to be read.
public enum OpenedDeletion: Sendable {
    case document(ItemReader.Opened)
    case file(OpenFile, FileStatus)
}
