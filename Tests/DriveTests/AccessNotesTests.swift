import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Drive

/// The drive notes an access itself where the kernel may have the content in memory, and there alone: the kernel asks for all attributes anew then.
@Suite struct AccessNotesTests {
    @Test(arguments: ["plain", "Notes.txt", "Site.url"]) func whatTheKernelMayRememberIsNotedAtOpening(name: String) throws {
        let stored = name == "Notes.txt" ? "Notes.stedoc" : name
        let tested = try UnmountedDrive { folder in
            try "[InternetShortcut]\nURL=https://example.com/\n".write(toFile: "\(folder)/\(stored)", atomically: true, encoding: .utf8)
        }
        let kernel = AttributesListener()
        tested.drive.setListener(kernel)
        var node = try tested.lookUp(name)
        func open(_ flags: Int32 = O_RDONLY) throws -> Int {
            let before = kernel.told.load(ordering: .relaxed)
            tested.release(try tested.open(node, flags))
            return kernel.told.load(ordering: .relaxed) - before
        }
        func age() throws {
            try tested.set(node) { $0.modified = .now }
            // A store's clock moves some hundred times a second.
            usleep(20_000)
        }
        try age()
        #expect(try open() == 0)
        #expect(try open(O_RDONLY | OpenFlags.untraced.rawValue) == 0)
        try age()
        _ = try open(O_WRONLY)
        #expect(try open(O_RDONLY | OpenFlags.untraced.rawValue) == 0)
        #expect(try open() == 1)
        #expect(try open() == 0)
        // The kernel forgets it, and has to ask for its content again.
        tested.forget(node, 1)
        node = try tested.lookUp(name)
        try age()
        #expect(try open() == 0)
        try age()
        #expect(try open() == 1)
    }
}

private final class AttributesListener: KernelListener {
    let told = Atomic(0)

    func forgetEntry(_ name: Name, in folder: NodeID) {}
    func removedEntry(_ name: Name, in folder: NodeID, was node: NodeID) {}
    func afterwards(_ body: @escaping @Sendable () -> Void) { body() }
    func whileSilent(_ body: () -> Void) { body() }
    func forgetContent(of node: NodeID, from offset: Int64, count: Int64) { if offset < 0 { told.add(1, ordering: .relaxed) } }
}
