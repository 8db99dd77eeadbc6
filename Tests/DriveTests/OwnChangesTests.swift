import Foundation
import LinuxFiles
import Synchronization
import Testing

@testable import Drive

/// What a program does on the drive is nobody else's doing when the drive next looks at the file.
@Suite struct OwnChangesTests {
    /// The kernel does not take an answer for new when it was told meanwhile that something changed, and decides by what it had: root was refused a
    /// file that had just been made executable by its access list.
    @Test(arguments: ["plain", "Notes.txt"]) func theKernelIsToldOfAnAttributeOnce(name: String) throws {
        let tested = try UnmountedDrive { folder in
            for name in ["plain", "Notes.stedoc"] { try "text\n".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
        }
        let kernel = CountingListener()
        tested.drive.setListener(kernel)
        let node = try tested.lookUp(name)
        for count in 1...2 {
            _ = try tested.drive.attributes(of: node, handle: nil)
            if count == 1 { try tested.setAttribute("user.mood", of: node, to: [1]) } else { try tested.removeAttribute("user.mood", of: node) }
            _ = try tested.drive.attributes(of: node, handle: nil)
            #expect(kernel.attributes.load(ordering: .relaxed) == count)
            #expect(kernel.contents.load(ordering: .relaxed) == 0)
        }
    }
}

private final class CountingListener: KernelListener {
    let attributes = Atomic(0), contents = Atomic(0)

    func forgetEntry(_ name: Name, in folder: NodeID) {}
    func removedEntry(_ name: Name, in folder: NodeID, was node: NodeID) {}
    func afterwards(_ body: @escaping @Sendable () -> Void) { body() }
    func whileSilent(_ body: () -> Void) { body() }
    func forgetContent(of node: NodeID, from offset: Int64, count: Int64) {
        if offset < 0 { attributes.add(1, ordering: .relaxed) } else { contents.add(1, ordering: .relaxed) }
    }
}
