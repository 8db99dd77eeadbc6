import Dispatch
import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Containers
@testable import Drive

/// A file that another program replaces while it is open: the open one and its name part.
@Suite struct PartingTests {
    /// Whoever asks for the name meanwhile, and has the folder read for that, finds the one or the other, and never that it is gone.
    @Test(.long, arguments: [("Shopping list.stedoc", "Shopping list.txt"), ("Sunset.ptk/photo.data", "Sunset.png"), ("plain", "plain")])
    func theNameIsThereAllTheTime(stored: String, shown: String) throws {
        let folder = try TemporaryFolder()
        try NewContainer.make(at: folder.path, kinds: nil, samples: true)
        func file(_ name: String) -> URL { URL(fileURLWithPath: "\(folder.path)/Documents/\(name)") }
        func write(_ name: String, _ content: Data) throws { try content.write(to: file(name), options: .atomic) }
        for name in (1...200).map({ "file \($0)" }) + ["plain"] { try write(name, Data()) }
        let content = try Data(contentsOf: file(stored))
        var options = DriveOptions()
        options.changes = .poll
        let drive = Drive(container: try Container.open(folder.path, access: .read, kinds: .shipped), options: options)
        let name = try #require(Name(shown)), caller = Caller(user: 0, group: 0, thread: 1)
        let failures = Mutex<[Errno: Int]>([:])
        for _ in 1...300 {
            let entry = try drive.lookUp(name, in: .root, caller: caller)
            let opened = try drive.open(entry.node, flags: O_RDONLY, caller: caller)
            try write(stored, content)
            try write("other", Data())
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                do throws(Errno) {
                    if index == 0 { _ = try? drive.attributes(of: entry.node, handle: nil) } else { _ = try drive.lookUp(name, in: .root, caller: caller) }
                } catch { failures.withLock { $0[error, default: 0] += 1 } }
            }
            drive.release(opened.handle)
        }
        #expect(failures.withLock { $0 } == [:])
    }

    /// The kernel asks to open what a name led to before it was told that it leads elsewhere, and is answered after: it looks again,
    /// and finds what the name leads to. Who asks again without a look has what was opened, by way of /proc.
    @Test(.long, arguments: ["Notes.stedoc", "plain"], [O_RDONLY, O_RDWR, O_RDWR | O_TRUNC])
    func anOpenThatIsLateFindsWhatTheNameLeadsTo(stored: String, flags: Int32) throws {
        var options = DriveOptions()
        options.changes = .poll
        try withUnmountedDrive(options) { drive, path in
            let url = URL(fileURLWithPath: "\(path)/Documents/\(stored)"), listener = SilentListener()
            let name = try #require(Name(stored.replacing(".stedoc", with: ".txt")))
            let someone = Caller(user: 0, group: 0, thread: 1), late = Caller(user: 0, group: 0, thread: 2), again = Caller(user: 0, group: 0, thread: 3)
            func content(_ opened: Opened) throws -> String {
                switch try drive.read(opened.handle, at: 0, count: 100) {
                case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
                case .file(let file, let offset, let count): return String(decoding: try file.descriptor.read(at: offset, count: count), as: UTF8.self)
                }
            }
            drive.setListener(listener)
            try Data("old".utf8).write(to: url)
            let node = try drive.lookUp(name, in: .root, caller: someone).node
            let held = try drive.open(node, flags: O_RDONLY, caller: someone)
            try Data("newer".utf8).write(to: url, options: .atomic)
            _ = try? drive.attributes(of: node, handle: nil)
            #expect(listener.told.load(ordering: .relaxed) > 0)

            #expect(throws: Errno.stale) { try drive.open(node, flags: flags, caller: late) }
            let now = try drive.lookUp(name, in: .root, caller: late).node
            #expect(now != node)
            #expect(throws: Errno.stale) { try drive.open(node, flags: O_RDONLY, caller: again) }
            let reopened = try drive.open(node, flags: O_RDONLY, caller: again)
            let opened = try drive.open(now, flags: flags, caller: late)
            #expect(try [held, reopened, opened].map(content) == ["old", "old", flags & O_TRUNC == 0 ? "newer" : ""])
            for opened in [held, reopened, opened] { drive.release(opened.handle) }
        }
    }
}

/// A kernel that knows at once what it is told.
private final class SilentListener: KernelListener {
    let told = Atomic(0)

    func forgetEntry(_ name: Name, in folder: NodeID) { told.add(1, ordering: .relaxed) }
    func removedEntry(_ name: Name, in folder: NodeID, was node: NodeID) {}
    func afterwards(_ body: @escaping @Sendable () -> Void) { body() }
    func whileSilent(_ body: () -> Void) { body() }
    func forgetContent(of node: NodeID, from offset: Int64, count: Int64) {}
}
