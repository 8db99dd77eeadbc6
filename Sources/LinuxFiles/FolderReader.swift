import CLinux
import Glibc

/// The entries of an open folder, in the order that the file system has them, without "." and "..".
///
/// A big buffer instead of the C library's: ten thousand entries are a dozen calls. It begins small, as most folders are.
public struct FolderReader: ~Copyable {
    public struct Entry: Sendable {
        public let name: Name
        /// `.unknown` where nothing says it.
        public let type: FileType
        public let number: UInt64
    }

    private static let smallest = 4096, largest = 64 * 1024

    private let folder: OpenFile
    private var buffer: [UInt8]
    private var position = 0
    private var filled = 0

    /// Takes a descriptor of its own, so that the position of nobody else's changes.
    public init(_ folder: borrowing Descriptor) throws(Errno) {
        self.init(adopting: try folder.reopened([.read, .folder]))
    }

    /// The same, and the folder's access time stays as it is where that is permitted.
    public init(untraced folder: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { self.init(adopting: try folder.reopened([.read, .folder, .untraced])) } catch {
            guard error == .notPermitted else { throw error }
            try self.init(folder)
        }
    }

    private init(adopting opened: consuming Descriptor) { self.init(whole: OpenFile(opened)) }

    /// A folder that was opened to be read, and that nobody else reads.
    public init(whole folder: OpenFile) {
        self.folder = folder
        buffer = [UInt8](repeating: 0, count: Self.smallest)
    }

    public mutating func next() throws(Errno) -> Entry? {
        while true {
            if position >= filled {
                filled = try fill()
                position = 0
                if filled == 0 { return nil }
            }
            if let entry = takeRecord() { return entry }
        }
    }

    private mutating func fill() throws(Errno) -> Int {
        let raw = folder.descriptor.rawValue
        if filled > buffer.count / 2, buffer.count < Self.largest { buffer = [UInt8](repeating: 0, count: Self.largest) }
        // SAFETY: getdents64 writes at most the buffer's count.
        return try retrying { unsafe buffer.withUnsafeMutableBytes { unsafe CLinux_getdents64(raw, $0.baseAddress, $0.count) } }
    }

    /// One record: u64 inode, i64 offset, u16 length, u8 type, then the name up to a NUL.
    private mutating func takeRecord() -> Entry? {
        let start = position
        let length = Int(buffer[start + 16]) | Int(buffer[start + 17]) << 8
        position = length > 0 ? start + length : filled
        var type = FileType(entry: buffer[start + 18])
        var end = start + 19
        while end < position, buffer[end] != 0 { end += 1 }
        guard let name = Name(buffer[(start + 19)..<end]) else { return nil }
        // Some file systems do not say it with the name: sshfs, and XFS as it was made once.
        if type == .unknown { type = (try? folder.descriptor.status(of: name))?.type ?? .unknown }
        var number: UInt64 = 0
        for index in (0..<8).reversed() { number = number << 8 | UInt64(buffer[start + index]) }
        return Entry(name: name, type: type, number: number)
    }
}

extension Descriptor {
    /// Gives a folder and all that is in it to somebody. nil leaves it as it is.
    public borrowing func setOwnerOfAll(_ user: UInt32?, group: UInt32?) throws(Errno) {
        try setOwner(user, group: group)
        guard try status().type == .folder else { return }
        var entries = try FolderReader(untraced: self)
        while let entry = try entries.next() { try open(entry.name, .path).setOwnerOfAll(user, group: group) }
    }
}
