import Foundation
import LinuxFiles
import Testing

@testable import Drive

/// Two programs make the same file: the kernel has asked for both whether it is there, before either was made.
@Suite struct MakingTests {
    private let caller = Caller(user: geteuid(), group: getegid(), thread: UInt32(getpid()))

    @Test(arguments: ["Notes.txt", "Page.url", "plain"]) func whoComesSecondLooksAgain(name: String) throws {
        try withUnmountedDrive { drive, _ in
            let name = try #require(Name(name))
            func make(_ flags: Int32) throws -> Opened { try drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY | O_CREAT | flags, caller: caller).1 }
            let first = try make(O_EXCL)
            // The kernel opens it then, with all that it sees to.
            #expect(throws: Errno.stale) { try make(0) }
            #expect(throws: Errno.stale) { try make(O_TRUNC) }
            #expect(throws: Errno.exists) { try make(O_EXCL) }
            drive.release(first.handle)
        }
    }
}
