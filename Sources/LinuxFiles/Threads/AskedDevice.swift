import CLinux
import Glibc

/// The device node that a program of root's asks the kernel for at this moment, as /proc tells of the thread that waits for it. For a process that
/// makes it on the word of another one, and does not believe that one.
public struct AskedDevice: Sendable {
    /// What of a mode says that it is a device, and which kind of one.
    private let type: UInt32
    private let number: UInt32
    private let group: UInt32
    private let permissions: UInt32
    /// What is taken from the permissions, where the folder has no list that says what the new has.
    private let mask: UInt32

    /// nil where there is no such thread, where it asks for nothing of the kind, or may not have it: the kernel gives devices to who is root
    /// and has the right to make them.
    public init?(of thread: UInt32) {
        guard let facts = ThreadFacts.page(of: thread).map({ String(decoding: $0, as: UTF8.self) }), Self.last("Uid:", in: facts, radix: 10) == 0, let group = Self.last("Gid:", in: facts, radix: 10),
            let mask = Self.last("Umask:", in: facts, radix: 8), let rights = Self.last("CapEff:", in: facts, radix: 16), rights & Self.makesNodes != 0,
            let call = Self.call(of: thread)
        else { return nil }
        let numbers = call.split(separator: " ").map { $0.hasPrefix("0x") ? UInt64($0.dropFirst(2), radix: 16) : UInt64($0) }
        guard numbers.count > 6, let made = Self.calls.first(where: { $0.number == numbers[0] }),
            let mode = numbers[1 + made.mode], let device = numbers[2 + made.mode]
        else { return nil }
        (type, permissions) = (UInt32(truncatingIfNeeded: mode) & S_IFMT, UInt32(truncatingIfNeeded: mode) & 0o7777)
        (number, self.group, self.mask) = (UInt32(truncatingIfNeeded: device), UInt32(truncatingIfNeeded: group), UInt32(truncatingIfNeeded: mask) & 0o777)
    }

    /// Makes it under a name in a folder, if it is that one, and the folder is `top` or lies in it. It has no more permissions than were asked for,
    /// and of these what this process's own umask leaves.
    public func make(_ name: Name, in folder: OpenFile, of top: OpenFile, mode: UInt32, device: UInt64) throws(Errno) {
        guard mode & S_IFMT == type, device == number, [S_IFBLK, S_IFCHR].contains(type) else { throw .notPermitted }
        try PlaceChange.check(folder, liesIn: top)
        let hasList = (try? folder.descriptor.extendedAttribute(Array("system.posix_acl_default".utf8))) != nil
        let most = hasList ? permissions : permissions & ~mask
        let own = setfsgid(group)
        defer { _ = setfsgid(gid_t(bitPattern: own)) }
        try folder.descriptor.makeNode(name, mode: type | mode & most, device: device)
    }

    /// CAP_MKNOD
    private static let makesNodes: UInt64 = 1 << 27

    /// The calls that make nodes: their numbers, and which of their arguments the mode is. Behind it comes the device's number.
    #if arch(x86_64)
    private static let calls: [(number: UInt64, mode: Int)] = [(259, 2), (133, 1)]
    #else
    private static let calls: [(number: UInt64, mode: Int)] = [(33, 2)]
    #endif

    private static func call(of thread: UInt32) -> String? {
        (try? Descriptor.atPath("/proc/\(thread)/syscall", .read).readAll(limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The last number in a line: of users and groups the one that counts for files.
    private static func last(_ label: String, in page: String, radix: Int) -> UInt64? {
        let line = page.split(separator: "\n").first { $0.hasPrefix(label) }
        return line?.split { $0 == "\t" || $0 == " " }.last.flatMap { UInt64($0, radix: radix) }
    }
}
