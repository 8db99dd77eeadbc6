import Foundation
import LinuxFiles
import Testing

@testable import Drive
@testable import FuseBridge

/// What the kernel is told unasked.
@Suite struct NoticeTests {
    @Test func aNameIsForgotten() throws {
        try withPlayedKernel { (played, kernel) throws in
            played.session.forgetEntry(try #require(Name("gone")), in: NodeID(rawValue: 17))
            let notice = try kernel.notice()
            #expect(notice.code == 3)
            #expect(notice.body.bytes == Fields().u64(17).u32(4, 0).name("gone").bytes)
        }
    }

    @Test func aRemovedNameIsTold() throws {
        try withPlayedKernel { (played, kernel) throws in
            let longest = String(repeating: "n", count: 255)
            played.session.removedEntry(try #require(Name(longest)), in: .root, was: NodeID(rawValue: 5))
            let notice = try kernel.notice()
            #expect(notice.code == 6)
            #expect(notice.body.bytes == Fields().u64(1, 5).u32(255, 0).name(longest).bytes)
        }
    }

    @Test func contentIsForgottenInItsTurnAndAttributesAtOnce() throws {
        try withPlayedKernel { (played, kernel) throws in
            played.session.forgetContent(of: NodeID(rawValue: 9), from: 4096, count: 100)
            #expect(try kernel.notice().body.bytes == Fields().u64(9, 4096, 100).bytes)
            // The queue is busy, and who opens the file waits for nobody.
            let isHeld = DispatchSemaphore(value: 0), goesOn = DispatchSemaphore(value: 0)
            played.session.afterwards {
                isHeld.signal()
                goesOn.wait()
            }
            isHeld.wait()
            played.session.forgetContent(of: NodeID(rawValue: 8), from: 0, count: 0)
            played.session.forgetContent(of: NodeID(rawValue: 9), from: -1, count: 0)
            let notice = try kernel.notice()
            #expect(notice.code == 2)
            #expect(notice.body.bytes == Fields().u64(9, UInt64(bitPattern: -1), 0).bytes)
            goesOn.signal()
            #expect(try kernel.notice().body.bytes == Fields().u64(8, 0, 0).bytes)
        }
    }

    /// A write past the kernel's pages is answered when the kernel has let go of them.
    @Test func aDirectWriteIsToldBeforeItIsAnswered() throws {
        try withPlayedKernel { (played, kernel) throws in
            let node = try kernel.make("a"), handle = try kernel.open(node, O_WRONLY)
            // The second of the flags names a lock's owner.
            let body = Fields().u64(handle, 512).u32(3, 2).u64(1).u32(0, 0).raw([1, 2, 3])
            #expect(try kernel.ask(.write, node, body).error == 0)
            #expect(kernel.notices.count == 1)
            #expect(try kernel.notice().body.bytes == Fields().u64(node, 512, 3).bytes)
            #expect(try kernel.ask(.write, node, KernelEnd.writing(handle, [4])).error == 0)
            #expect(try kernel.hasNothing())
        }
    }

    /// Kernels from before there were any are told nothing, and whoever tells is told that.
    @Test func anOldKernelIsToldNothing() throws {
        try withPlayedKernel(.old(11)) { (played, kernel) throws in
            played.session.forgetEntry(try #require(Name("gone")), in: .root)
            played.session.removedEntry(try #require(Name("gone")), in: .root, was: NodeID(rawValue: 5))
            played.session.forgetContent(of: NodeID(rawValue: 9), from: 0, count: 0)
            played.session.whileSilent {}
            #expect(try kernel.ask(.getattr, 1, KernelEnd.asking()).error == 0)
            #expect(try kernel.hasNothing())
        }
    }

    /// A kernel that takes nothing any more is no reason to stop, or to trap.
    @Test func nobodyHearsIt() throws {
        try withPlayedKernel { (played, kernel) throws in
            kernel.refuseAnswers()
            played.session.forgetEntry(try #require(Name("gone")), in: .root)
            played.session.forgetContent(of: .root, from: -1, count: 0)
            played.session.whileSilent {}
        }
    }
}
