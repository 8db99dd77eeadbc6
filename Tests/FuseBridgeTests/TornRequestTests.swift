import Foundation
import Testing

/// Requests that are not what they say they are. No kernel makes them; what they ask for must not be taken from what lay
/// in memory behind them.
@Suite struct TornRequestTests {
    /// Each operation with its own part, and its names, as a kernel sends it.
    private static let whole: [(Operation, Fields)] = [
        (.lookup, Fields().name("a")), (.getattr, KernelEnd.asking()), (.setattr, Fields(zeros(88))), (.symlink, Fields().name("a").name("b")),
        (.mknod, Fields().u32(0o100644, 0, 0, 0).name("a")), (.mkdir, Fields().u32(0o755, 0).name("a")), (.unlink, Fields().name("a")),
        (.rmdir, Fields().name("a")), (.rename, Fields().u64(1).name("a").name("b")), (.rename2, Fields().u64(1).u32(0, 0).name("a").name("b")),
        (.link, Fields().u64(1).name("a")), (.open, Fields().u32(0, 0)), (.read, KernelEnd.reading(99, 10)),
        (.write, KernelEnd.writing(99, [1, 2, 3])), (.release, KernelEnd.releasing(99)), (.fsync, Fields().u64(99).u32(0, 0)),
        (.setxattr, Fields().u32(3, 0).name("user.a").raw([1, 2, 3])), (.getxattr, Fields().u32(0, 0).name("user.a")), (.listxattr, Fields().u32(0, 0)),
        (.removexattr, Fields().name("user.a")), (.flush, Fields(zeros(24))), (.opendir, Fields().u32(0, 0)), (.readdir, KernelEnd.reading(99, 10)),
        (.releasedir, KernelEnd.releasing(99)), (.fsyncdir, Fields(zeros(16))), (.access, Fields().u32(0, 0)),
        (.create, Fields().u32(0, 0o644, 0, 0).name("a")), (.fallocate, Fields(zeros(32))), (.readdirplus, KernelEnd.reading(99, 10)),
        (.lseek, Fields(zeros(24))), (.copyFileRange, Fields(zeros(56))), (.tmpfile, Fields().u32(0, 0o644, 0, 0).name("/")),
    ]

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// Cut anywhere, it is refused: also in its name, which then has no end, and in what is to be written.
    @Test func whatIsCutIsRefused() throws {
        try withPlayedKernel { (_, kernel) throws in
            for (operation, body) in Self.whole {
                for length in Set([0, 1, body.bytes.count / 2, body.bytes.count - 1]) {
                    #expect(try kernel.ask(operation, 1, Fields(Array(body.bytes[..<length]))).error == EIO, "\(operation) of \(length) bytes")
                }
            }
            #expect(try kernel.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        }
    }

    /// Were they refused when they are whole, the test above would show nothing.
    @Test(arguments: whole.indices) func whatIsWholeIsNot(index: Int) throws {
        try withPlayedKernel { (_, kernel) throws in #expect(try kernel.ask(Self.whole[index].0, 1, Self.whole[index].1).error != EIO) }
    }

    /// Nothing was done of it.
    @Test func aNameWithoutAnEndMakesNothing() throws {
        try withPlayedKernel { (played, kernel) throws in
            // A longer name lies where the shorter request will be read to.
            #expect(try kernel.ask(.lookup, 1, Fields().name(String(repeating: "x", count: 200))).error == ENOENT)
            for _ in 0..<20 {
                #expect(try kernel.ask(.mkdir, 1, Fields().u32(0o755, 0).raw(Array("half".utf8))).error == EIO)
                #expect(try kernel.ask(.rename2, 1, Fields().u64(1).u32(0, 0).name("a").raw(Array("b".utf8))).error == EIO)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: played.stored("")) == [])
        }
    }

    @Test func aHeaderThatLiesIsRefused() throws {
        try withPlayedKernel { (_, kernel) throws in
            let asked = KernelEnd.asking()
            for length in [0, 1, 39, 40, 55, 57, 4096, Int(UInt32.max)] {
                #expect(try kernel.ask(.getattr, 1, asked, length: length).error == EIO)
            }
            #expect(try kernel.ask(.getattr, 1, asked, length: 56).error == 0)
        }
    }

    /// It names nobody whom to answer, and libfuse takes the device for broken.
    @Test(arguments: [1, 39]) func lessThanAHeaderEndsTheDrive(count: Int) throws {
        let kernel = try PlayedKernel.greeted()
        try kernel.end.send(packet: Self.zeros(count))
        #expect(try kernel.end(closing: false) == EIO)
    }

    @Test func moreIsSaidToBeWrittenThanThereIs() throws {
        try withPlayedKernel { (played, kernel) throws in
            let node = try kernel.make("a"), handle = try kernel.open(node, O_RDWR)
            for size in [UInt32(4), 4096, 1 << 20, UInt32.max] {
                #expect(try kernel.ask(.write, node, KernelEnd.writing(handle, [1, 2, 3], size: size)).error == EIO)
                #expect(try kernel.ask(.setxattr, node, Fields().u32(size, 0).name("user.a").raw([1, 2, 3])).error == EIO)
            }
            #expect(try kernel.ask(.write, node, KernelEnd.writing(handle, [1, 2, 3], size: 3)).error == 0)
            #expect(FileManager.default.contents(atPath: played.stored("a")) == Data([1, 2, 3]))
            #expect(try kernel.ask(.getxattr, node, Fields().u32(64, 0).name("user.a")).error == ENODATA)
        }
    }

    /// Nobody waits for an answer to these, torn or not.
    @Test func whatHasNoAnswerGetsNoneEither() throws {
        try withPlayedKernel { (_, kernel) throws in
            let node = try kernel.make("a")
            try kernel.send(.forget, node)
            try kernel.send(.forget, node, Fields().u32(1))
            try kernel.send(.batchForget, 0, Fields().u32(1))
            try kernel.send(.batchForget, 0, Fields().u32(2, 0).u64(node, 1))
            try kernel.send(.batchForget, 0, Fields().u32(UInt32.max, 0).u64(node, 1))
            try kernel.send(.interrupt, 0, Fields().u32(7))
            try kernel.send(.notifyReply, 0, Fields().u64(7))
            #expect(try kernel.ask(.getattr, node, KernelEnd.asking()).error == 0)
            #expect(try kernel.hasNothing())
        }
    }

    /// Kernels of long ago laid some out in another way, and are believed.
    @Test func anOldKernelSendsLess() throws {
        try withPlayedKernel(.old(8)) { (_, kernel) throws in
            #expect(try kernel.ask(.getattr, 1).error == 0)
            #expect(try kernel.ask(.mknod, 1, Fields().u32(0o100644, 0).name("old")).error == 0)
            #expect(try kernel.ask(.lookup, 1, Fields().name("old")).body.bytes.count == 120)
            #expect(try kernel.ask(.getattr, 1, length: 41).error == EIO)
        }
    }
}

extension KernelEnd {
    /// A plain file in the root, closed.
    func make(_ name: String) throws -> UInt64 {
        let answer = try ask(.mknod, 1, Fields().u32(0o100644, 0, 0, 0).name(name))
        #expect(answer.error == 0)
        return try answer.body.number(at: 0)
    }
}
