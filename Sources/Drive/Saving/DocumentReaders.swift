import Containers
import LinuxFiles

/// What programs have read of documents: if somebody else changed one since, what they save is a conflict.
///
/// Most editors close what they read and save by writing a new file: so this is kept by who read it, and not by what is open.
final class DocumentReaders: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let options: DriveOptions
    private let readings = Locked(Readings())

    init(tree: Tree, workshop: Workshop?, options: DriveOptions) {
        (self.tree, self.workshop, self.options) = (tree, workshop, options)
    }

    /// It got other times on this drive, and is what they read all the same.
    func restamp(_ stored: Name, in folder: NodeNumber, from old: BaseStamp, to new: BaseStamp) {
        readings.withLock { $0.restamp(stored, in: folder, from: old, to: new) }
    }

    func noteReading(of document: OpenDocument, _ id: NodeNumber, by caller: Caller) {
        guard options.keepsVersions, workshop != nil, let stamp = document.state.withLock({ $0.draft == nil ? $0.stamp : nil }) else { return }
        let node = tree[id]
        readings.withLock { $0.note(stamp, of: node.stored, called: node.shown, in: node.parent, by: caller.thread) }
    }

    func noteSaving(of stored: Name, called shown: Name, in folder: NodeNumber, _ stamp: BaseStamp, by writer: UInt32?) {
        guard options.keepsVersions else { return }
        readings.withLock { readings in
            readings.forget(stored, in: folder)
            if let writer { readings.note(stamp, of: stored, called: shown, in: folder, by: writer) }
        }
    }

    /// It is called otherwise now: what was read under its name before is nothing to what has that name next.
    func noteRenaming(of stored: Name, in folder: NodeNumber) { readings.withLock { $0.forget(stored, in: folder) } }

    /// What the calling program read of a document, in this thread or in another one that it still has. Its item's name may have been another one's while
    /// it was put away, which was shown under another name.
    func reading(of stored: Name, called shown: Name, in folder: NodeNumber, by caller: Caller) -> BaseStamp? {
        guard options.keepsVersions else { return nil }
        let readers = readings.withLock { $0.readers(of: stored, called: shown, in: folder) }
        if let own = readers.first(where: { $0.thread == caller.thread }) { return own.stamp }
        guard !readers.isEmpty, let threads = try? Descriptor.atPath("/proc/\(caller.thread)/task", [.path, .folder]) else { return nil }
        return readers.first { reader in Name("\(reader.thread)").flatMap { try? threads.exists($0) } == true }?.stamp
    }
}

/// What programs have read of documents: if somebody else changed one since, what they save is a conflict.
///
/// Most editors close what they read and save by writing a new file: so this is kept by who read it, and not by what is open.
struct Readings {
    private struct Key: Hashable {
        let folder: NodeNumber
        let stored: Name
    }

    private struct Reading {
        let thread: UInt32
        let shown: Name
        var stamp: BaseStamp
    }

    private var readings: [Key: [Reading]] = [:]
    /// Beyond this, all is forgotten: then a conflict is not noticed, and what is replaced is a version all the same.
    private static let mostDocuments = 4096, mostReaders = 8

    mutating func note(_ stamp: BaseStamp, of stored: Name, called shown: Name, in folder: NodeNumber, by thread: UInt32) {
        if readings.count >= Self.mostDocuments { readings = [:] }
        Self.add(Reading(thread: thread, shown: shown, stamp: stamp), to: &readings[Key(folder: folder, stored: stored), default: []])
    }

    private static func add(_ reading: Reading, to readers: inout [Reading]) {
        readers.removeAll { $0.thread == reading.thread }
        readers.append(reading)
        if readers.count > mostReaders { readers.removeFirst() }
    }

    /// Saved on this drive: whoever read what was before knows that from the file itself, as on any drive.
    mutating func forget(_ stored: Name, in folder: NodeNumber) { readings[Key(folder: folder, stored: stored)] = nil }

    /// It got other times on this drive, and is what they read all the same.
    mutating func restamp(_ stored: Name, in folder: NodeNumber, from old: BaseStamp, to new: BaseStamp) {
        let key = Key(folder: folder, stored: stored)
        for index in readings[key, default: []].indices where readings[key]?[index].stamp == old { readings[key]?[index].stamp = new }
    }

    /// Who read it, the last one first.
    func readers(of stored: Name, called shown: Name, in folder: NodeNumber) -> [(thread: UInt32, stamp: BaseStamp)] {
        (readings[Key(folder: folder, stored: stored)] ?? []).reversed().filter { $0.shown == shown }.map { ($0.thread, $0.stamp) }
    }
}
