import Dispatch
import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Containers
@testable import Drive

/// fsync, while another process that got a copy of the descriptor closes it: a program forks in one thread and saves in another.
@Suite struct SyncingTests {
    @Test(arguments: ["Sunset.jpg", "Notes.txt", "Swift.url"]) func whileACopyIsClosed(file: String) throws {
        try withUnmountedDrive { drive, _ in
            let name = try #require(Name(file)), caller = Caller(user: geteuid(), group: getegid(), thread: 1)
            let content = file.hasSuffix("url") ? Array("[InternetShortcut]\nURL=https://example.org/\n".utf8) : [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 50_000)
            let failures = Mutex<[Errno: Int]>([:])
            for round in 1...200 {
                let opened = try round == 1 ? drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller).1
                    : drive.open(drive.lookUp(name, in: .root, caller: caller).node, flags: O_WRONLY | O_TRUNC, caller: caller)
                try drive.write(content, to: opened)
                DispatchQueue.concurrentPerform(iterations: 2) { index in
                    do throws(Errno) {
                        if index == 0 { try drive.flush(opened.handle) } else { try drive.sync(opened.handle, dataOnly: false) }
                    } catch { failures.withLock { $0[error, default: 0] += 1 } }
                }
                drive.release(opened.handle)
            }
            drive.close()
            #expect(failures.withLock { $0 } == [:])
        }
    }
}
