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

    /// fsync, while somebody removes the document or puts another one in its place: it is on the store or gone, and neither is an error.
    @Test(arguments: ["Sunset.jpg", "Notes.txt", "Swift.url"], [false, true]) func whileItIsRemoved(file: String, replaced: Bool) throws {
        try withUnmountedDrive { drive, _ in
            let name = try #require(Name(file)), other = try #require(Name("Other." + file.suffix(3))), caller = Caller(user: geteuid(), group: getegid(), thread: 1)
            let content: [UInt8] = switch file {
            case "Sunset.jpg": [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 50_000) + [0xFF, 0xD9]
            case "Notes.txt": [UInt8](repeating: 0x61, count: 50_000)
            default: Array("[InternetShortcut]\nURL=https://example.org/\n".utf8)
            }
            func make(_ name: Name) throws -> Opened {
                let opened = try drive.create(name, in: .root, mode: 0o644, flags: O_WRONLY, caller: caller).1
                try drive.write(content, to: opened)
                return opened
            }
            let failures = Mutex<[String: Int]>([:])
            for round in 1...100 {
                let opened = try make(name)
                if round % 2 == 0 {
                    try drive.flush(opened.handle)
                    try drive.write(content, to: opened)
                }
                if replaced {
                    let second = try make(other)
                    try drive.flush(second.handle)
                    drive.release(second.handle)
                }
                DispatchQueue.concurrentPerform(iterations: 2) { index in
                    if index == 1 { usleep(UInt32(round % 10) * 20) }
                    do throws(Errno) {
                        if index == 1 { try drive.sync(opened.handle, dataOnly: false) } else if replaced {
                            try drive.rename(other, in: .root, to: name, in: .root, flags: 0, caller: caller)
                        } else { try drive.unlink(name, in: .root, caller: caller) }
                    } catch { failures.withLock { $0["\(index == 1 ? "sync" : "removing"): \(error)", default: 0] += 1 } }
                }
                drive.release(opened.handle)
                if replaced { do throws(Errno) { try drive.unlink(name, in: .root, caller: caller) } catch { failures.withLock { $0["unlink: \(error)", default: 0] += 1 } } }
            }
            drive.close()
            #expect(failures.withLock { $0 } == [:])
        }
    }
}
