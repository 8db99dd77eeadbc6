import CFuse3
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import FuseBridge

/// How requests are answered, and what becomes of what was opened when they are not.
@Suite struct ReplyTests {
    @Test func aNameIsLookedUp() throws {
        try withPlayedKernel { (played, kernel) throws in
            try Data("content".utf8).write(to: URL(fileURLWithPath: played.stored("plain")))
            let answer = try kernel.ask(.lookup, 1, Fields().name("plain"))
            #expect(answer.error == 0 && answer.body.bytes.count == 128)
            // Behind the times for which it may be remembered: the file's number is the node's, and its size.
            #expect(try answer.body.number(at: 40, UInt64.self) == answer.body.number(at: 0, UInt64.self))
            #expect(try answer.body.number(at: 48) == UInt64(7))
            #expect(try kernel.ask(.lookup, 1, Fields().name("absent")).error == ENOENT)
        }
    }

    @Test func whatIsWrittenIsRead() throws {
        try withPlayedKernel { (played, kernel) throws in
            let created = try kernel.ask(.create, 1, Fields().u32(UInt32(O_RDWR), 0o640, 0, 0).name("new"))
            #expect(created.error == 0)
            let node: UInt64 = try created.body.number(at: 0), handle: UInt64 = try created.body.number(at: 128)
            let written = try kernel.ask(.write, node, KernelEnd.writing(handle, Array("a text".utf8)))
            #expect(try written.error == 0 && written.body.number(at: 0) == UInt32(6))
            #expect(try kernel.ask(.read, node, KernelEnd.reading(handle, at: 2, 4096)).body.bytes == Array("text".utf8))
            #expect(try kernel.ask(.flush, node, Fields().u64(handle).u32(0, 0).u64(0)).error == 0)
            #expect(try kernel.ask(.fsync, node, Fields().u64(handle).u32(1, 0)).error == 0)
            #expect(try kernel.ask(.release, node, KernelEnd.releasing(handle)).error == 0)
            #expect(FileManager.default.contents(atPath: played.stored("new")) == Data("a text".utf8))
            #expect(try kernel.ask(.read, node, KernelEnd.reading(handle, 1)).error == EBADF)
        }
    }

    @Test(arguments: [Operation.readdir, .readdirplus]) func aFolderIsListedPageByPage(operation: Operation) throws {
        try withPlayedKernel { (played, kernel) throws in
            let names = Set((1...40).map { "file \($0) " + String(repeating: "x", count: $0) })
            for name in names { _ = FileManager.default.createFile(atPath: played.stored(name), contents: nil) }
            let opened = try kernel.ask(.opendir, 1, Fields().u32(0, 0))
            let handle: UInt64 = try opened.body.number(at: 0), before = operation == .readdir ? 0 : 128
            var seen: [String] = [], position: UInt64 = 0, pages = 0
            while true {
                let page = try kernel.ask(operation, 1, KernelEnd.reading(handle, at: position, 700))
                #expect(page.error == 0 && page.body.bytes.count <= 700)
                if page.body.bytes.isEmpty { break }
                pages += 1
                var place = 0
                while place < page.body.bytes.count {
                    let next: UInt64 = try page.body.number(at: place + before + 8), length: UInt32 = try page.body.number(at: place + before + 16)
                    seen.append(String(decoding: page.body.bytes[(place + before + 24)...].prefix(Int(length)), as: UTF8.self))
                    place += (before + 24 + Int(length) + 7) / 8 * 8
                    position = next
                }
            }
            #expect(pages > 3 && seen.count == 42 && Set(seen) == names.union([".", ".."]))
            #expect(try kernel.ask(.releasedir, 1, KernelEnd.releasing(handle)).error == 0)
            #expect(try kernel.ask(operation, 1, KernelEnd.reading(handle, 700)).error == EBADF)
        }
    }

    /// However much room is said to be there, no more is taken than what is answered needs.
    @Test func hugeSizesAreBounded() throws {
        try withPlayedKernel { (played, kernel) throws in
            try Data("short".utf8).write(to: URL(fileURLWithPath: played.stored("short")))
            let node = try kernel.lookUp("short"), handle = try kernel.open(node, O_RDWR)
            #expect(try kernel.ask(.read, node, KernelEnd.reading(handle, .max)).body.bytes == Array("short".utf8))
            let opened: UInt64 = try kernel.ask(.opendir, 1, Fields().u32(0, 0)).body.number(at: 0)
            for operation in [Operation.readdir, .readdirplus] {
                let page = try kernel.ask(operation, 1, KernelEnd.reading(opened, .max))
                #expect(page.error == 0 && !page.body.bytes.isEmpty)
            }
            #expect(try kernel.ask(.listxattr, node, Fields().u32(.max, 0)).error == 0)
            #expect(try kernel.ask(.getxattr, node, Fields().u32(.max, 0).name("user.valise.kind")).body.bytes == Array("plain".utf8))
            // Places that no file has.
            #expect(try kernel.ask(.read, node, KernelEnd.reading(handle, at: UInt64(Int64.max), 10)).error == EFBIG)
            #expect(try kernel.ask(.read, node, KernelEnd.reading(handle, at: .max, 10)).error == EINVAL)
            #expect(try kernel.ask(.write, node, KernelEnd.writing(handle, [1], at: UInt64(Int64.max))).error == EFBIG)
            #expect(try kernel.ask(.fallocate, node, Fields().u64(handle, 0, .max).u32(0, 0)).error == EINVAL)
            #expect(try kernel.ask(.lseek, node, Fields().u64(handle, .max).u32(3, 0)).error == ENXIO)
            #expect(try kernel.ask(.copyFileRange, node, Fields().u64(handle, 0, node, handle, .max, 10, 0)).error == EINVAL)
            // A size that is set: `valid` says so.
            #expect(try kernel.ask(.setattr, node, Fields().u32(8, 0).u64(0, .max).raw([UInt8](repeating: 0, count: 64))).error == EINVAL)
        }
    }

    @Test func theRoomForAValueCounts() throws {
        try withPlayedKernel { (_, kernel) throws in
            let node = try kernel.make("a")
            #expect(try kernel.ask(.setxattr, node, Fields().u32(5, 0).name("user.colour").raw(Array("green".utf8))).error == 0)
            let size = try kernel.ask(.getxattr, node, Fields().u32(0, 0).name("user.colour"))
            #expect(try size.body.number(at: 0) == UInt32(5))
            #expect(try kernel.ask(.getxattr, node, Fields().u32(4, 0).name("user.colour")).error == ERANGE)
            #expect(try kernel.ask(.getxattr, node, Fields().u32(5, 0).name("user.colour")).body.bytes == Array("green".utf8))
            #expect(try kernel.ask(.listxattr, node, Fields().u32(4, 0)).error == ERANGE)
            #expect(try kernel.ask(.listxattr, node, Fields().u32(64, 0)).body.bytes == Array("user.colour".utf8) + [0])
            #expect(try kernel.ask(.getxattr, node, Fields().u32(64, 0).name("security.capability")).error == EOPNOTSUPP)
            #expect(try kernel.ask(.getxattr, node, Fields().u32(64, 0).name("system.posix_acl_access")).error == EOPNOTSUPP)
        }
    }

    @Test func aNameMayBeSoLongAndNoLonger() throws {
        try withPlayedKernel { (played, kernel) throws in
            let longest = String(repeating: "n", count: 255)
            #expect(try kernel.ask(.mkdir, 1, Fields().u32(0o755, 0).name(longest)).error == 0)
            #expect(FileManager.default.fileExists(atPath: played.stored(longest)))
            for longer in [256, 1000, 4096, 60_000] {
                let name = String(repeating: "n", count: longer)
                let refused: [(Operation, Fields)] = [
                    (.lookup, Fields().name(name)), (.mkdir, Fields().u32(0o755, 0).name(name)), (.mknod, Fields().u32(0o100644, 0, 0, 0).name(name)),
                    (.create, Fields().u32(1, 0o644, 0, 0).name(name)), (.symlink, Fields().name(name).name("target")), (.unlink, Fields().name(name)),
                    (.rmdir, Fields().name(name)), (.rename, Fields().u64(1).name(longest).name(name)), (.rename2, Fields().u64(1).u32(0, 0).name(name).name("x")),
                    (.link, Fields().u64(1).name(name)),
                ]
                for (operation, body) in refused { #expect(try kernel.ask(operation, 1, body).error == ENAMETOOLONG, "\(operation)") }
            }
        }
    }

    /// Nor may it be empty, or lead out of its folder.
    @Test(arguments: ["", "a/b", "/", "..", "."]) func whatIsNoNameIsRefused(name: String) throws {
        try withPlayedKernel { (_, kernel) throws in
            #expect(try kernel.ask(.mkdir, 1, Fields().u32(0o755, 0).name(name)).error == EINVAL)
            #expect(try kernel.ask(.unlink, 1, Fields().name(name)).error == EINVAL)
            #expect(try kernel.ask(.rename, 1, Fields().u64(1).name("x").name(name)).error == EINVAL)
            if name != "/" { #expect(try kernel.ask(.create, 1, Fields().u32(1, 0o644, 0, 0).name(name)).error == EINVAL) }
        }
    }

    /// "/" is the name of what has none, for the drive and the kernel only.
    @Test func aFileWithoutANameIsMade() throws {
        try withPlayedKernel { (played, kernel) throws in
            let made = try kernel.ask(.tmpfile, 1, Fields().u32(UInt32(O_RDWR), 0o600, 0, 0).name("/"))
            #expect(made.error == 0 && made.body.bytes.count == 144)
            #expect(try FileManager.default.contentsOfDirectory(atPath: played.stored("")) == [])
            #expect(try kernel.ask(.link, 1, Fields().u64(made.body.number(at: 0)).name("named")).error == 0)
            #expect(FileManager.default.fileExists(atPath: played.stored("named")))
        }
    }

    /// Laid out as statx(2) has it, with or without the time at which it was made.
    @Test(arguments: [(UInt32(0x7FF), UInt32(0x7FF)), (0xFFF, 0xFFF), (0x800, 0xFFF)]) func whatIsAskedForByItsMaskIsAnswered(mask: UInt32, known: UInt32) throws {
        try withPlayedKernel { (_, kernel) throws in
            let node = try kernel.make("one")
            let answer = try kernel.answer(to: kernel.send(number: 52, node, Fields().u32(0, 0).u64(0).u32(0, mask)))
            #expect(answer.error == 0 && answer.body.bytes.count == 288)
            #expect(try answer.body.number(at: 32) == known && answer.body.number(at: 64) == node)
            #expect(try kernel.answer(to: kernel.send(number: 52, 77_777, Fields().u32(0, 0).u64(0).u32(0, mask))).error == ESTALE)
            #expect(try kernel.ask(.getattr, node, KernelEnd.asking()).body.bytes.count == 104)
        }
    }

    /// What the kernel keeps itself, or does without.
    @Test(arguments: [UInt32(0), 7, 19, 31, 32, 33, 34, 37, 39, 40, 48, 49, 50, 53, 1000, .max]) func whatIsNotKnownIsRefused(operation: UInt32) throws {
        try withPlayedKernel { (_, kernel) throws in
            let answer = try kernel.answer(to: kernel.send(number: operation, 1, Fields([UInt8](repeating: 0, count: 64))))
            #expect(answer.error == ENOSYS)
            #expect(try kernel.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        }
    }

    @Test(arguments: [UInt64(0), 77_777, .max]) func aNodeThatNobodyToldIsStale(node: UInt64) throws {
        try withPlayedKernel { (_, kernel) throws in
            #expect(try kernel.ask(.getattr, node, KernelEnd.asking()).error == ESTALE)
            #expect(try kernel.ask(.lookup, node, Fields().name("a")).error == ESTALE)
            #expect(try kernel.ask(.open, node, Fields().u32(0, 0)).error == ESTALE)
            #expect(try kernel.ask(.opendir, node, Fields().u32(0, 0)).error == ESTALE)
        }
    }

    // MARK: Without an answer

    @Test func forgettingIsNotAnswered() throws {
        try withPlayedKernel { (played, kernel) throws in
            let one = try kernel.make("one"), other = try kernel.make("other")
            // Told twice.
            _ = try kernel.lookUp("one")
            for name in ["one", "other"] { #expect(try kernel.ask(.unlink, 1, Fields().name(name)).error == 0) }
            let isKnown = { (node: UInt64) throws in try kernel.ask(.getattr, node, KernelEnd.asking()).error == 0 }
            try kernel.send(.forget, one, Fields().u64(1))
            #expect(try isKnown(one) && isKnown(other))
            try kernel.send(.batchForget, 0, Fields().u32(3, 0).u64(one, 1, other, 1, 77_777, 5))
            // They are answered by several threads.
            #expect(try eventually { try !isKnown(one) && !isKnown(other) })
            #expect(try kernel.hasNothing())
        }
    }

    /// A program was interrupted whose request is not known, or no longer: its own answer comes all the same, and the kernel is told
    /// to ask again.
    @Test func anInterruptedRequestIsAnswered() throws {
        try withPlayedKernel { (_, kernel) throws in
            let done = try kernel.send(.getattr, 1, KernelEnd.asking())
            #expect(try kernel.answer(to: done).error == 0)
            // Its thread may not be through with it yet: then it is known, and nothing comes of it.
            try kernel.send(.interrupt, 0, Fields().u64(done))
            _ = try kernel.ask(.getattr, 1, KernelEnd.asking())
        }
        try withPlayedKernel { (_, kernel) throws in
            let interrupting = try kernel.send(.interrupt, 0, Fields().u64(1 << 40))
            var isToldAgain = false
            for _ in 0..<1000 where !isToldAgain {
                #expect(try kernel.ask(.getattr, 1, KernelEnd.asking()).error == 0)
                isToldAgain = try !kernel.hasNothing()
            }
            #expect(isToldAgain)
            #expect(try kernel.answer(to: interrupting).error == EAGAIN)
        }
    }

    @Test func theKernelSaysGoodbye() throws {
        try withPlayedKernel { (_, kernel) throws in #expect(try kernel.ask(.destroy, 0).error == 0) }
    }

    @Test func stoppingTakesTheDriveOffItsMountpoint() throws {
        let kernel = try PlayedKernel.greeted()
        kernel.unmounting.set { [end = kernel.end] in end.close() }
        kernel.session.stop()
        #expect(try kernel.end(closing: false) == EIO)
        // A second time does nothing.
        kernel.session.stop()
    }

    // MARK: Answers that are not taken

    /// Who asked was killed: nobody will close what was opened, nor forget what was told.
    @Test func whatIsOpenedForNobodyIsClosed() throws {
        try withPlayedKernel { (played, kernel) throws in
            let node = try kernel.make("a"), drive = played.drive, before = try played.openHandles
            kernel.refuseAnswers()
            try kernel.send(.open, node, Fields().u32(0, 0))
            try kernel.send(.open, node, Fields().u32(UInt32(O_RDWR), 0))
            try kernel.send(.opendir, 1, Fields().u32(0, 0))
            try kernel.send(.create, 1, Fields().u32(UInt32(O_RDWR), 0o644, 0, 0).name("b"))
            try kernel.send(.lookup, 1, Fields().name("a"))
            #expect(eventually { drive.counts.count(of: .create) == 1 && drive.counts.count(of: .opendir) == 1 && drive.counts.count(of: .open) == 2 })
            #expect(eventually { FileManager.default.fileExists(atPath: played.stored("b")) })
            #expect(try eventually { try played.openHandles == before })
        }
    }

    /// The node that a created file would have had is not kept either.
    @Test func whatIsToldToNobodyIsForgotten() throws {
        try withPlayedKernel { (played, kernel) throws in
            let drive = played.drive
            let lookedUp = try kernel.make("a")
            try kernel.send(.forget, lookedUp, Fields().u64(1))
            kernel.refuseAnswers()
            for _ in 0..<5 { try kernel.send(.lookup, 1, Fields().name("a")) }
            try kernel.send(.unlink, 1, Fields().name("a"))
            #expect(eventually { drive.counts.count(of: .unlink) == 1 && drive.counts.count(of: .lookup) == 5 })
            // Without its name nothing is left of it but what the kernel knows, and that is nothing.
            #expect(eventually { (try? drive.attributes(of: .init(rawValue: lookedUp), handle: nil)) == nil })
        }
    }

    /// A callback that answers nothing.
    @Test func aRequestThatIsLetGoOfIsAnInputOutputError() throws {
        let (kernel, device) = try KernelEnd.pair()
        var operations = CFuse3_Operations()
        operations.lookup = { request, _, _ in _ = Reply(request) }
        operations.getattr = { request, _, _ in _ = CFuse3_reply_error(request, 0) }
        let context = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        defer { context.deallocate() }
        let session = try "valise".withCString { name in
            try #require([UnsafePointer(name)].withUnsafeBufferPointer { CFuse3_session_new($0.baseAddress!, 1, &operations, false, context) })
        }
        defer { CFuse3_session_destroy(session) }
        #expect(CFuse3_session_mount(session, "/dev/fd/\(device)") == 0)
        let pool = try #require(CFuse3_pool_new(session, 2, needsNoStore))
        defer { CFuse3_pool_free(pool) }
        try kernel.send(.initialize, 0, Greeting().body)
        #expect(CFuse3_pool_greet(pool) == 0)
        let lookups = try (0..<3).map { _ in try kernel.send(.lookup, 1, Fields().name("a")) }
        let asked = try kernel.send(.getattr, 1, KernelEnd.asking())
        let ended = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let running = pool
        Thread {
            _ = CFuse3_pool_run(running)
            ended.signal()
        }.start()
        for lookup in lookups { #expect(try kernel.answer(to: lookup).error == EIO) }
        #expect(try kernel.answer(to: asked).error == 0)
        kernel.close()
        #expect(ended.wait(timeout: .now() + patience) == .success)
    }
}
