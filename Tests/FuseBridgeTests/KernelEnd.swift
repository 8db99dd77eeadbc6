import Foundation
import LinuxFiles
import MountTesting

/// What a request asks for, as the kernel numbers it.
enum Operation: UInt32 {
    case lookup = 1, forget, getattr, setattr, readlink, symlink
    case mknod = 8, mkdir, unlink, rmdir, rename, link, open, read, write, statfs, release
    case fsync = 20, setxattr, getxattr, listxattr, removexattr, flush, initialize, opendir, readdir, releasedir, fsyncdir
    case access = 34, create, interrupt
    case destroy = 38, ioctl, poll, notifyReply, batchForget, fallocate, readdirplus, rename2, lseek, copyFileRange
    case syncfs = 50, tmpfile
}

/// The fields of a struct, one after another as the kernel lays them out.
struct Fields {
    var bytes: [UInt8] = []

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    func u16(_ value: UInt16) -> Fields { adding(value) }
    func u32(_ values: UInt32...) -> Fields { values.reduce(self) { $0.adding($1) } }
    func u64(_ values: UInt64...) -> Fields { values.reduce(self) { $0.adding($1) } }
    func raw(_ more: [UInt8]) -> Fields { Fields(bytes + more) }
    /// A name with the zero behind it.
    func name(_ text: String) -> Fields { Fields(bytes + Array(text.utf8) + [0]) }

    private func adding(_ value: some FixedWidthInteger) -> Fields { Fields(bytes + withUnsafeBytes(of: value.littleEndian) { Array($0) }) }

    func number<Number: FixedWidthInteger>(at offset: Int, _: Number.Type = Number.self) throws -> Number {
        let size = MemoryLayout<Number>.size
        guard offset + size <= bytes.count else { throw Failed("an answer of \(bytes.count) bytes has nothing at \(offset)") }
        return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}

/// The kernel's end of a drive's device: sends requests and takes what is answered. Each message is one packet, as each is one
/// `read` and one `write` of the device. Sendable because one thread at a time uses it.
final class KernelEnd: @unchecked Sendable {
    struct Answer {
        /// 0, or the errno that it was refused with.
        let error: Int32
        let body: Fields
    }

    /// What the drive tells unasked.
    struct Notice {
        let code: Int32
        let body: Fields
    }

    private var socket: Int32
    private var lastUnique: UInt64 = 1
    private var answers: [UInt64: Answer] = [:]
    private(set) var notices: [Notice] = []

    /// With the drive's end, which is the caller's to close.
    static func pair() throws -> (end: KernelEnd, device: Int32) {
        // The other end may be gone when something is sent, and that is an error like another.
        signal(SIGPIPE, SIG_IGN)
        var both: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &both) == 0 else { throw Failed("no pair of sockets: \(errno)") }
        return (KernelEnd(both[0]), both[1])
    }

    private init(_ socket: Int32) { self.socket = socket }
    deinit { close() }

    func close() {
        if socket >= 0 { Foundation.close(socket) }
        socket = -1
    }

    /// From now on nothing that is answered is taken, and requests go on being sent.
    func refuseAnswers() { shutdown(socket, Int32(SHUT_RD)) }

    // MARK: Requests

    /// The number that it is to be answered with. `length` is what its header says, where that is not so.
    @discardableResult
    func send(_ operation: Operation, _ node: UInt64 = 1, _ body: Fields = Fields(), length: Int? = nil) throws -> UInt64 {
        try send(number: operation.rawValue, node, body, length: length)
    }

    @discardableResult
    func send(number operation: UInt32, _ node: UInt64 = 1, _ body: Fields = Fields(), length: Int? = nil) throws -> UInt64 {
        lastUnique += 2
        let header = Fields().u32(UInt32(length ?? 40 + body.bytes.count), operation).u64(lastUnique, node).u32(geteuid(), getegid(), UInt32(getpid()), 0)
        try send(packet: header.bytes + body.bytes)
        return lastUnique
    }

    func send(packet: [UInt8]) throws {
        guard Foundation.send(socket, packet, packet.count, 0) == packet.count else { throw Failed("cannot send a request: \(errno)") }
    }

    func ask(_ operation: Operation, _ node: UInt64 = 1, _ body: Fields = Fields(), length: Int? = nil) throws -> Answer {
        try answer(to: send(operation, node, body, length: length))
    }

    // MARK: Answers

    func answer(to unique: UInt64) throws -> Answer {
        while true {
            if let answer = answers.removeValue(forKey: unique) { return answer }
            try take()
        }
    }

    func notice() throws -> Notice {
        while notices.isEmpty { try take() }
        return notices.removeFirst()
    }

    /// Whether nothing at all has been answered by now.
    func hasNothing() throws -> Bool {
        if wait(milliseconds: 0) { try take() }
        return answers.isEmpty && notices.isEmpty
    }

    private func wait(milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, milliseconds) == 1
    }

    private func take() throws {
        guard wait(milliseconds: Int32(patience * 1000)) else { throw Failed("nothing is answered") }
        var packet = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(socket, &packet, packet.count, 0)
        guard count > 0 else { throw Failed("the drive has closed its device") }
        let all = Fields(Array(packet[..<count]))
        let length: UInt32 = try all.number(at: 0), error: Int32 = try Int32(bitPattern: all.number(at: 4)), unique: UInt64 = try all.number(at: 8)
        guard Int(length) == count else { throw Failed("an answer of \(count) bytes says that it has \(length)") }
        let body = Fields(Array(all.bytes[16...]))
        guard unique != 0 else { return notices.append(Notice(code: error, body: body)) }
        guard answers[unique] == nil else { throw Failed("a request was answered twice") }
        answers[unique] = Answer(error: -error, body: body)
    }
}
