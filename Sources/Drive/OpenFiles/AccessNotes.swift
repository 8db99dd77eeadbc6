import Containers
import Glibc
import LinuxFiles

/// Notes that a program reads a file or lists a folder where the kernel has the content in memory: then the drive gets no request but the opening.
/// Where the kernel has it not, its request reaches the store, which notes the access itself, and the kernel asks for the new time.
///
/// Here too the store keeps the time, by its own rule: the drive reads a byte of the file, or some names of the folder. To set the time would
/// change `ctime` with it, and programs that follow the container would take that for a change.
final class AccessNotes: Sendable {
    private let tree: Tree
    private let kernel: KernelMemory
    private let options: DriveOptions

    init(tree: Tree, kernel: KernelMemory, options: DriveOptions) {
        (self.tree, self.kernel, self.options) = (tree, kernel, options)
    }

    /// Whether a program opens something with these flags to read it, and the store is to note that.
    func areMade(by flags: Int32) -> Bool {
        flags & O_ACCMODE != O_WRONLY && flags & O_TRUNC == 0 && !options.keepsAccessTimes && !OpenFlags(rawValue: flags).contains(.untraced)
    }

    /// A plain file is about to be opened. `status`: what it was when the drive opened it.
    func note(_ id: NodeNumber, _ file: borrowing Descriptor, _ status: FileStatus) {
        if Self.isDue(status), readsFromMemory(id, status), Self.read(file) { tell(id, file, since: status) }
    }

    /// A document is about to be opened. What the drive tells of it from then on has the new time.
    func note(_ id: NodeNumber, _ document: inout ItemReader.Opened) {
        let before = document.item.status
        guard Self.isDue(before), let file = document.parts.lazy.compactMap(\.self).first else { return }
        // Where the content is bytes, the drive has read the file to make them.
        let isMade = if case .bytes = document.reading.content { true } else { false }, isRemembered = readsFromMemory(id, before)
        guard isMade || isRemembered && Self.read(file.descriptor), let now = try? file.descriptor.status() else { return }
        document.item.status.accessed = now.accessed
        if isRemembered, now.accessed != before.accessed { kernel.tell([.attributes(id)]) }
    }

    /// What a program wrote of a document and nobody has saved. The drive's own descriptor of it leaves no trace, whoever reads.
    func note(_ id: NodeNumber, _ draft: Draft) {
        guard let status = try? draft.status(), Self.isDue(status), let file = try? draft.file.descriptor.reopened(.read) else { return }
        if Self.read(file, from: draft.contentStart) { tell(id, file, since: status) }
    }

    /// A folder whose names the kernel knows.
    func note(_ id: NodeNumber, folder: borrowing Descriptor, _ status: FileStatus) {
        guard Self.isDue(status), var names = try? FolderReader(folder), (try? names.next()) != nil else { return }
        tell(id, folder, since: status)
    }

    /// The store copies from one file into another. It notes that as reading, but the kernel takes it for none.
    func copying<Value>(from id: NodeNumber?, _ source: Content, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        guard let id, !options.keepsAccessTimes else { return try body() }
        switch source {
        case .file(let file, _, _):
            let before = try file.descriptor.status()
            defer { if Self.isDue(before) { tell(id, file.descriptor, since: before) } }
            return try body()
        case .bytes:
            defer { kernel.tell([.attributes(id)]) }
            return try body()
        }
    }

    /// Where there is no content, no request for it comes either.
    private func readsFromMemory(_ id: NodeNumber, _ status: FileStatus) -> Bool { status.size == 0 || tree.withLock { $0.opened.contains(id) } }

    private static func read(_ file: borrowing Descriptor, from offset: Int64 = 0) -> Bool { (try? file.read(at: offset, count: 1)) != nil }

    private func tell(_ id: NodeNumber, _ file: borrowing Descriptor, since before: FileStatus) {
        if let now = try? file.status(), now.accessed != before.accessed { kernel.tell([.attributes(id)]) }
    }

    /// The rule of `relatime`, which is Linux's: the first access after each change, and one a day. A store with another rule notes less.
    private static func isDue(_ status: FileStatus) -> Bool {
        status.accessed <= status.modified || status.accessed <= status.changed || status.accessed.seconds <= Timestamp.now.seconds &- day
    }

    private static let day: Int64 = 86400
}
