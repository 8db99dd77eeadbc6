import Foundation
import MountTesting
import Synchronization
import Testing

@testable import Containers
@testable import Drive
@testable import FuseBridge
@testable import LinuxFiles

/// A drive on a new container, served to a kernel that the test plays. Sendable because what its thread writes is read when
/// that has ended.
final class PlayedKernel: @unchecked Sendable {
    let end: KernelEnd
    let drive: Drive
    let session: Session
    /// The container's.
    let path: String
    let unmounting: Unmounting
    private let folder: TemporaryFolder
    private let ended = DispatchSemaphore(value: 0)
    private var result: Int32 = -1

    /// The kernel has greeted nobody yet.
    init(accessLists: Bool = false) throws {
        folder = try TemporaryFolder()
        path = folder.path
        try NewContainer.make(at: path, kinds: nil, samples: false)
        let container = try Container.open(path, access: .readWrite, kinds: .shipped)
        var options = DriveOptions()
        // What changes is what the test changes.
        options.changes = .off
        drive = Drive(container: container, options: options, workshop: try Workshop.open(in: container, purpose: "tested", versions: .off))
        let (end, device) = try KernelEnd.pair()
        self.end = end
        var session = SessionOptions(source: "played", accessLists: accessLists, threads: 4)
        let unmounting = Unmounting()
        session.unmount = { _ in unmounting.outcome() }
        self.unmounting = unmounting
        self.session = try Session.serve(drive, through: Descriptor(adopting: device), options: session)
    }

    /// Begins to answer, on a thread of its own.
    func run() {
        let thread = Thread { [self] in
            result = session.run { _ in }
            ended.signal()
        }
        thread.start()
    }

    /// What `run` said when it came back, which it does when the kernel is gone.
    func end(closing: Bool = true) throws -> Int32 {
        if closing { end.close() }
        guard ended.wait(timeout: .now() + patience) == .success else { throw Failed("the drive goes on without a kernel") }
        drive.close()
        return result
    }

    /// How many handles the drive says are open.
    var openHandles: Int {
        get throws {
            guard let count = try statusPage["open"] as? Int else { throw Failed("the status page says of no handles") }
            return count
        }
    }

    /// What the drive says of itself.
    var statusPage: [String: Any] {
        get throws {
            let caller = Caller(user: geteuid(), group: getegid(), thread: 1)
            let page = try drive.open(.status, flags: O_RDONLY, caller: caller)
            defer { drive.release(page.handle) }
            guard case .bytes(let bytes) = try drive.read(page.handle, at: 0, count: 1 << 20),
                let said = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            else { throw Failed("the status page is none") }
            return said
        }
    }

    func stored(_ name: String) -> String { path + "/Documents/" + name }
}

/// What `Session.stop` has done, where others unmount.
final class Unmounting: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    func outcome() -> UnmountOutcome {
        guard let body = body.withLock({ $0 }) else { return .refused }
        body()
        return .done
    }
}

/// What a kernel says of itself.
struct Greeting {
    var major: UInt32 = 7
    var minor: UInt32 = 38
    var features: Features = .modern
    var furtherFeatures: UInt32 = 0
    /// Only so many bytes of it are sent.
    var length: Int?

    var body: Fields {
        let whole = Fields().u32(major, minor, 1 << 17, features.rawValue, furtherFeatures).raw([UInt8](repeating: 0, count: 44))
        return length.map { Fields(Array(whole.bytes[..<$0])) } ?? whole
    }

    /// Of a kernel that knows no second word of features.
    static func old(_ minor: UInt32, length: Int = 16) -> Greeting {
        Greeting(minor: minor, features: Features.modern.subtracting(.more), length: length)
    }

    struct Features: OptionSet {
        let rawValue: UInt32

        static let asyncRead = Features(rawValue: 1 << 0)
        static let posixLocks = Features(rawValue: 1 << 1)
        static let atomicTruncate = Features(rawValue: 1 << 3)
        static let export = Features(rawValue: 1 << 4)
        static let bigWrites = Features(rawValue: 1 << 5)
        static let noMask = Features(rawValue: 1 << 6)
        static let spliceWrite = Features(rawValue: 1 << 7)
        static let spliceMove = Features(rawValue: 1 << 8)
        static let spliceRead = Features(rawValue: 1 << 9)
        static let fileLocks = Features(rawValue: 1 << 10)
        static let changedByTime = Features(rawValue: 1 << 12)
        static let attributesInListings = Features(rawValue: 1 << 13)
        static let attributesByGuess = Features(rawValue: 1 << 14)
        static let asyncDirect = Features(rawValue: 1 << 15)
        static let writeback = Features(rawValue: 1 << 16)
        static let parallelFolders = Features(rawValue: 1 << 18)
        static let losesSetIDs = Features(rawValue: 1 << 19)
        static let accessLists = Features(rawValue: 1 << 20)
        static let manyPages = Features(rawValue: 1 << 22)
        static let cachedLinks = Features(rawValue: 1 << 23)
        static let losesSetIDsTold = Features(rawValue: 1 << 28)
        static let longAttributes = Features(rawValue: 1 << 29)
        static let more = Features(rawValue: 1 << 30)

        /// All of them, but for splicing: a packet cannot be spliced in pieces.
        static let modern = Features(rawValue: 0x7FFF_FFFF).subtracting([.spliceWrite, .spliceMove, .spliceRead])
    }
}

extension PlayedKernel {
    /// A kernel of today that has been answered.
    static func greeted(_ greeting: Greeting = Greeting(), accessLists: Bool = false) throws -> PlayedKernel {
        let kernel = try PlayedKernel(accessLists: accessLists)
        kernel.run()
        let answer = try kernel.end.ask(.initialize, 0, greeting.body)
        guard answer.error == 0 else { throw Failed("the greeting is refused with \(answer.error)") }
        return kernel
    }
}

/// Runs `body`, and then the drive must end as it does when its kernel is gone.
func withPlayedKernel(_ greeting: Greeting = Greeting(), accessLists: Bool = false, _ body: (PlayedKernel, KernelEnd) throws -> Void) throws {
    let kernel = try PlayedKernel.greeted(greeting, accessLists: accessLists)
    let result = Result { try body(kernel, kernel.end) }
    // A closed socket is no unmounted device: it reads as a request of no bytes.
    #expect(try kernel.end() == EIO)
    try result.get()
}

/// What is answered to those who ask for a name, a file, a folder.
extension KernelEnd {
    func lookUp(_ name: String, in folder: UInt64 = 1) throws -> UInt64 {
        let answer = try ask(.lookup, folder, Fields().name(name))
        guard answer.error == 0 else { throw Failed("“\(name)” is refused with \(answer.error)") }
        return try answer.body.number(at: 0)
    }

    func open(_ node: UInt64, _ flags: Int32 = O_RDONLY) throws -> UInt64 {
        let answer = try ask(.open, node, Fields().u32(UInt32(flags), 0))
        guard answer.error == 0 else { throw Failed("it is not opened: \(answer.error)") }
        return try answer.body.number(at: 0)
    }

    static func reading(_ handle: UInt64, at offset: UInt64 = 0, _ size: UInt32) -> Fields {
        Fields().u64(handle, offset).u32(size, 0).u64(0).u32(0, 0)
    }

    static func writing(_ handle: UInt64, _ bytes: [UInt8], at offset: UInt64 = 0, size: UInt32? = nil) -> Fields {
        Fields().u64(handle, offset).u32(size ?? UInt32(bytes.count), 0).u64(0).u32(0, 0).raw(bytes)
    }

    static func releasing(_ handle: UInt64) -> Fields { Fields().u64(handle).u32(0, 0).u64(0) }
    static func asking(_ handle: UInt64? = nil) -> Fields { Fields().u32(handle == nil ? 0 : 1, 0).u64(handle ?? 0) }
}
