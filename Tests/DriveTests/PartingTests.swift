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
    @Test(arguments: [("Shopping list.stedoc", "Shopping list.txt"), ("Sunset.ptk/photo.data", "Sunset.png"), ("plain", "plain")])
    func theNameIsThereAllTheTime(stored: String, shown: String) throws {
        let folder = try TemporaryFolder()
        try NewContainer.make(at: folder.path, kinds: nil, samples: true)
        func file(_ name: String) -> URL { URL(fileURLWithPath: "\(folder.path)/Documents/\(name)") }
        func write(_ name: String, _ content: Data) throws { try content.write(to: file(name), options: .atomic) }
        for name in (1...200).map({ "file \($0)" }) + ["plain"] { try write(name, Data()) }
        let content = try Data(contentsOf: file(stored))
        var options = DriveOptions()
        options.changes = .poll
        let drive = Drive(container: try Container.open(folder.path, access: .read), options: options)
        let name = try #require(Name(shown)), caller = Caller(user: 0, group: 0, process: 1)
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
}
