import Coordination
import Dispatch
import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Containers
@testable import Drive

/// Programs that open a document at once to read it do not wait for each other, and share what is open; who changes it is alone.
@Suite struct OpeningTogetherTests {
    private let notes = Name("Notes.txt")!
    private let caller = Caller(user: 0, group: 0, thread: 1)

    private func withNotes(_ body: (Drive, NodeID, URL) throws -> Void) throws {
        try withUnmountedDrive { drive, path in
            let url = URL(fileURLWithPath: "\(path)/Documents/Notes.stedoc")
            try Data("one".utf8).write(to: url)
            let node = try drive.lookUp(notes, in: .root, caller: caller).node
            try body(drive, node, url)
        }
    }

    private func content(_ drive: Drive, _ opened: Opened) throws -> String {
        switch try drive.read(opened.handle, at: 0, count: 100) {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .file(let file, let offset, let count): String(decoding: try file.descriptor.read(at: offset, count: count), as: UTF8.self)
        }
    }

    /// Somebody is in the lane as a reader all the while.
    @Test func whoReadsWaitsForNoReader() throws {
        try withNotes { drive, node, _ in
            let lane = LaneID(try drive.parts.tree.known(node)), ended = DispatchSemaphore(value: 0), results = Mutex<[String]>([])
            try drive.parts.coordinator.read(lane) {
                for _ in 0..<4 {
                    Thread.detachNewThread {
                        if let opened = try? drive.open(node, flags: O_RDONLY, caller: caller), let text = try? content(drive, opened) { results.withLock { $0.append(text) } }
                        ended.signal()
                    }
                }
                for _ in 0..<4 { try #require(ended.wait(timeout: .now() + 20) == .success, "who opens it waits for a reader") }
            }
            #expect(results.withLock { $0 } == Array(repeating: "one", count: 4))
        }
    }

    /// They have one document between them, which a writer's draft reaches, and which goes with the last of them.
    @Test func whatIsOpenIsShared() throws {
        try withNotes { drive, node, _ in
            let id = try drive.parts.tree.known(node)
            for round in 0..<200 {
                let opened = Mutex<[Opened]>([])
                DispatchQueue.concurrentPerform(iterations: 6) { _ in
                    if let one = try? drive.open(node, flags: O_RDONLY, caller: caller) { opened.withLock { $0.append(one) } }
                }
                let handles = opened.withLock { $0.map(\.handle) }
                #expect(handles.count == 6 && Set(handles).count == 6)
                let documents = Set(handles.compactMap { drive.parts.handles[$0]?.document.map(ObjectIdentifier.init) })
                #expect(documents.count == 1 && drive.parts.tree.document(id).map { documents.contains(ObjectIdentifier($0)) } == true)
                #expect(drive.parts.tree[id].handles == 6)
                if round % 50 == 0 {
                    let writer = try drive.open(node, flags: O_RDWR, caller: caller)
                    try drive.write(Array("two".utf8), to: writer)
                    for one in opened.withLock({ $0 }) { #expect(try content(drive, one) == "two") }
                    try drive.flush(writer.handle)
                    drive.release(writer.handle)
                }
                DispatchQueue.concurrentPerform(iterations: 6) { drive.release(handles[$0]) }
                #expect(drive.parts.tree.document(id) == nil && drive.parts.tree[id].handles == 0)
            }
        }
    }

    /// Opened, closed and replaced by an app, all at once: each reads one of the contents, and the last one when all is quiet.
    @Test func whatAnAppReplacesIsReadAsOneOrTheOther() throws {
        try withNotes { drive, _, url in
            let texts = (0..<40).map { String(repeating: "\($0 % 10)", count: 10 + $0) }, known = Set(texts + ["one"]), wrong = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 5) { index in
                for round in 0..<40 {
                    if index == 0 {
                        try? Data(texts[round].utf8).write(to: url, options: .atomic)
                        continue
                    }
                    // As the kernel does, which looks again where it is told to.
                    guard let node = try? drive.lookUp(notes, in: .root, caller: caller).node,
                        let opened = try? drive.open(node, flags: O_RDONLY, caller: caller)
                    else { continue }
                    let first = (try? content(drive, opened)) ?? "nothing", again = (try? content(drive, opened)) ?? "nothing"
                    if first != again || !known.contains(first) { wrong.withLock { $0.append("\(first), then \(again)") } }
                    drive.release(opened.handle)
                    drive.forget(node, count: 1)
                }
            }
            #expect(wrong.withLock { $0 } == [])
            let node = try drive.lookUp(notes, in: .root, caller: caller).node, opened = try drive.open(node, flags: O_RDONLY, caller: caller)
            #expect(try content(drive, opened) == texts.last)
            drive.release(opened.handle)
        }
    }

    /// What the kernel has of it is kept as long as it is that, and whoever finds another content first says that it is not.
    @Test func theCacheIsKeptWhereItIsRight() throws {
        try withNotes { drive, node, url in
            func open() throws -> Bool {
                let opened = try drive.open(node, flags: O_RDONLY, caller: caller)
                defer { drive.release(opened.handle) }
                return opened.keepsCache
            }
            #expect(try [open(), open()] == [true, true])
            // Written over in its place: the file is the same one.
            let file = try #require(FileHandle(forWritingAtPath: url.path))
            try file.write(contentsOf: Data("another".utf8))
            try file.close()
            #expect(try [open(), open()] == [false, true])
            // Who looks at it has the kernel told, which hears of it a moment later: until then it has the old content.
            try Data("a third".utf8).write(to: url)
            _ = try drive.attributes(of: node, handle: nil)
            #expect(try [open(), open()] == [false, true])
            _ = try drive.attributes(of: node, handle: nil)
            #expect(try open())
        }
    }
}
