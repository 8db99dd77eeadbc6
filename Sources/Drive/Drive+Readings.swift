import Containers
import LinuxFiles

/// What programs have read of documents: if somebody else changed one since, what they save is a conflict.
///
/// Most editors close what they read and save by writing a new file: so this is kept by who read it, and not by what is open.
struct Readings {
    private struct Key: Hashable {
        let folder: UInt32
        let stored: Name
    }

    private struct Reading {
        let thread: UInt32
        let stamp: BaseStamp
    }

    private var readings: [Key: [Reading]] = [:]
    /// Beyond this, all is forgotten: then a conflict is not noticed, and what is replaced is a version all the same.
    private static let mostDocuments = 4096, mostReaders = 8

    mutating func note(_ stamp: BaseStamp, of stored: Name, in folder: UInt32, by thread: UInt32) {
        if readings.count >= Self.mostDocuments { readings = [:] }
        Self.add(Reading(thread: thread, stamp: stamp), to: &readings[Key(folder: folder, stored: stored), default: []])
    }

    private static func add(_ reading: Reading, to readers: inout [Reading]) {
        readers.removeAll { $0.thread == reading.thread }
        readers.append(reading)
        if readers.count > mostReaders { readers.removeFirst() }
    }

    /// Saved on this drive: whoever read what was before knows that from the file itself, as on any drive.
    mutating func forget(_ stored: Name, in folder: UInt32) { readings[Key(folder: folder, stored: stored)] = nil }

    /// It got other times on this drive, and is what they read all the same.
    mutating func restamp(_ stored: Name, in folder: UInt32, from old: BaseStamp, to new: BaseStamp) {
        let key = Key(folder: folder, stored: stored)
        readings[key] = readings[key]?.map { $0.stamp == old ? Reading(thread: $0.thread, stamp: new) : $0 }
    }

    /// Who read it, the last one first.
    func readers(of stored: Name, in folder: UInt32) -> [(thread: UInt32, stamp: BaseStamp)] {
        (readings[Key(folder: folder, stored: stored)] ?? []).reversed().map { ($0.thread, $0.stamp) }
    }
}

extension Drive {
    func noteReading(of document: OpenDocument, _ id: UInt32, by caller: Caller) {
        guard options.keepsVersions, workshop != nil, let stamp = document.state.withLock({ $0.draft == nil ? $0.stamp : nil }) else { return }
        let node = tree.withLock { $0[id] }
        readings.withLock { $0.note(stamp, of: node.stored, in: node.parent, by: caller.process) }
    }

    func noteSaving(of stored: Name, in folder: UInt32, _ stamp: BaseStamp, by writer: UInt32?) {
        guard options.keepsVersions else { return }
        readings.withLock { readings in
            readings.forget(stored, in: folder)
            if let writer { readings.note(stamp, of: stored, in: folder, by: writer) }
        }
    }

    /// What the calling program read of a document, in this thread or in another one that it still has.
    func reading(of stored: Name, in folder: UInt32, by caller: Caller) -> BaseStamp? {
        guard options.keepsVersions else { return nil }
        let readers = readings.withLock { $0.readers(of: stored, in: folder) }
        if let own = readers.first(where: { $0.thread == caller.process }) { return own.stamp }
        guard !readers.isEmpty, let threads = try? Descriptor.atPath("/proc/\(caller.process)/task", [.path, .folder]) else { return nil }
        return readers.first { reader in Name("\(reader.thread)").flatMap { try? threads.exists($0) } == true }?.stamp
    }
}
