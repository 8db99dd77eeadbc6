import Dispatch
import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Drive

/// What is under a name that somebody moves meanwhile.
@Suite struct MovingTests {
    private let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    /// Some thousand moves of one thread, and what others do until it is through. What failed, and how often.
    private func beside(_ rounds: Int, _ move: @Sendable (Int) throws -> Void, _ others: [@Sendable () throws -> Void]) -> [String: Int] {
        let failures = Mutex<[String: Int]>([:]), isOver = Atomic(false)
        @Sendable func attempt(_ body: () throws -> Void) {
            do { try body() } catch { failures.withLock { $0["\(error)", default: 0] += 1 } }
        }
        DispatchQueue.concurrentPerform(iterations: others.count + 1) { index in
            if index == 0 {
                for round in 0..<rounds { attempt { try move(round) } }
                return isOver.store(true, ordering: .relaxed)
            }
            repeat { attempt(others[index - 1]) } while !isOver.load(ordering: .relaxed)
        }
        return failures.withLock { $0 }
    }

    /// In the middle of a move the tree and the container differ, and what is there looks half-written.
    @Test func whatLooksHalfWrittenIsLookedAtAgain() throws {
        let moves = MovesUnderWay()
        var looks = 0
        try moves.following { () throws(Errno) in
            looks += 1
            guard looks == 1 else { return }
            moves.during {}
            throw .busy
        }
        #expect(looks == 2)
        #expect(throws: Errno.busy) { try moves.following { () throws(Errno) in throw .busy } }
    }

    /// A folder that is known keeps its node, wherever it is moved: for a program that works in it.
    @Test(.long) func aFolderThatIsMovedIsThereAllTheTime() throws {
        try withUnmountedDrive { drive, _ in
            let caller = caller
            func make(_ name: String, in folder: NodeID) throws -> NodeID {
                try drive.makeFolder(#require(Name(name)), in: folder, mode: 0o755, caller: caller).node
            }
            let here = try make("here", in: .root), there = try make("there", in: .root), moved = try make("moved", in: here)
            let below = try make("below", in: moved)
            let name = try #require(Name("moved")), file = try #require(Name("file")), other = try #require(Name("other"))
            let created = try drive.create(file, in: moved, mode: 0o644, flags: O_RDWR | O_CREAT, caller: caller)
            drive.release(created.1.handle)
            let failures = beside(20000, { round in
                let (from, to) = round % 2 == 0 ? (here, there) : (there, here)
                try drive.rename(name, in: from, to: name, in: to, flags: 0, caller: caller)
            }, [
                { for _ in 0..<50 { _ = try drive.attributes(of: moved, handle: nil) } },
                { for _ in 0..<50 { _ = try drive.attributes(of: moved, handle: nil) } },
                {
                    drive.release(try drive.create(other, in: moved, mode: 0o644, flags: O_RDWR | O_CREAT, caller: caller).1.handle)
                    _ = try drive.lookUp(file, in: moved, caller: .own)
                    try drive.unlink(other, in: moved, caller: .own)
                },
                {
                    drive.release(try drive.open(created.0.node, flags: O_RDONLY, caller: caller).handle)
                    _ = try drive.attributes(of: below, handle: nil)
                },
            ])
            #expect(failures == [:])
        }
    }

    /// The same of a file: who has its node finds it, under whichever name.
    @Test(arguments: ["plain.bin", "Notes.txt"]) func aFileThatIsMovedIsThereAllTheTime(_ shown: String) throws {
        try withUnmountedDrive { drive, _ in
            let caller = caller, one = try #require(Name(shown)), two = try #require(Name("another " + shown))
            let created = try drive.create(one, in: .root, mode: 0o644, flags: O_RDWR | O_CREAT, caller: caller)
            try drive.write(Array("some".utf8), to: created.1)
            try drive.flush(created.1.handle)
            drive.release(created.1.handle)
            let failures = beside(shown == "plain.bin" ? 4000 : 400, { round in
                let (from, to) = round % 2 == 0 ? (one, two) : (two, one)
                try drive.rename(from, in: .root, to: to, in: .root, flags: 0, caller: caller)
            }, [
                { _ = try drive.attributes(of: created.0.node, handle: nil) },
                { drive.release(try drive.open(created.0.node, flags: O_RDONLY, caller: caller).handle) },
                { _ = try drive.extendedAttributeNames(of: created.0.node) },
            ])
            #expect(failures == [:])
        }
    }

    /// What is gone is stale, also while much else is moved.
    @Test func whatIsGoneIsStale() throws {
        try withUnmountedDrive { drive, path in
            let caller = caller, name = try #require(Name("gone")), one = try #require(Name("one")), two = try #require(Name("two"))
            let gone = try drive.makeFolder(name, in: .root, mode: 0o755, caller: caller).node
            _ = try drive.makeFolder(one, in: .root, mode: 0o755, caller: caller)
            let top = FileManager.default.fileExists(atPath: path + "/Documents") ? path + "/Documents" : path
            try FileManager.default.removeItem(atPath: top + "/gone")
            let failures = beside(500, { round in
                let (from, to) = round % 2 == 0 ? (one, two) : (two, one)
                try drive.rename(from, in: .root, to: to, in: .root, flags: 0, caller: caller)
            }, [{ _ = try drive.attributes(of: gone, handle: nil) }])
            #expect(Array(failures.keys) == ["\(Errno.stale)"])
        }
    }
}
