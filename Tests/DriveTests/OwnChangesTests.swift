import Coordination
import Foundation
import LinuxFiles
import MountTesting
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

    /// A new document has none of them when it begins, and is not asked for them when it is saved.
    @Test(arguments: ["Site.url", "Notes.txt"]) func whatAttributeADraftGetsTheDocumentHas(name: String) throws {
        let tested = try UnmountedDrive()
        let made = try tested.create(name)
        try tested.write(Array("[InternetShortcut]\nURL=https://example.com/\n".utf8), to: made.handle)
        try tested.setAttribute("user.mood", of: made.node, to: Array("glad".utf8))
        try tested.flush(made.handle)
        tested.release(made.handle)
        let node = try tested.lookUp(name)
        #expect(try tested.attribute("user.mood", of: node) == "glad")
        let handle = try tested.open(node, O_WRONLY | O_TRUNC)
        try tested.write(Array("[InternetShortcut]\nURL=https://example.org/\n".utf8), to: handle)
        try tested.flush(handle)
        tested.release(handle)
        #expect(try tested.attribute("user.mood", of: tested.lookUp(name)) == "glad")
    }

    /// What the drive has just saved and is noticed is not read again, unless somebody else has touched it since.
    @Test func whatTheDriveHasSavedIsItsOwnUntilSomebodyTouchesIt() throws {
        let folder = try TemporaryFolder(), node = NodeNumber.root, noticed = NoticedChanges(.watch, try Descriptor.atPath(folder.path, [.path, .folder]))
        func news(_ what: ChangeNotice.News) -> NoticedChanges.News { NoticedChanges.News(what: what, first: 0, last: 0, due: 0) }
        let place = try Descriptor.atPath(folder.path, [.path, .folder]), name = Name("Site.url")!
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path + "/Site.url"))
        let saved = try place.status(of: name)
        #expect(!noticed.isOwn(name, in: node, saved, news(.arrived)))
        noticed.noteOwn(name, in: node, saved)
        #expect(noticed.isOwn(name, in: node, saved, news(.arrived)))
        #expect(!noticed.isOwn(name, in: node, saved, news(.arrived)))
        // It came, and somebody wrote to it, within one tick of the store's clock perhaps.
        noticed.noteOwn(name, in: node, saved)
        #expect(!noticed.isOwn(name, in: node, saved, news([.arrived, .content, .closed])))
        // Another file came under the name.
        noticed.noteOwn(name, in: node, saved)
        try FileManager.default.removeItem(atPath: folder.path + "/Site.url")
        try Data("two".utf8).write(to: URL(fileURLWithPath: folder.path + "/Site.url"))
        #expect(!noticed.isOwn(name, in: node, try place.status(of: name), news(.arrived)))
    }

    /// The drive looks at a file, its last writer writes to it and closes it, and only then does the tree hear of what was looked at.
    @Test func whatWasLookedAtBeforeTheLastWriteIsNoNews() throws {
        let tested = try UnmountedDrive(), kernel = CountingListener()
        tested.drive.setListener(kernel)
        let made = try tested.create("plain")
        try tested.write(Array("one".utf8), to: made.handle)
        // A store's clock moves some hundred times a second.
        usleep(20_000)
        tested.drive.parts.testPoints.set(at: .entriesRead) { [drive = tested.drive] in
            let written = try? drive.write(made.handle, at: 3, count: 8) { (descriptor, offset) in pwrite(descriptor, " and two", 8, off_t(offset)) }
            #expect(written == 8)
            drive.release(made.handle)
        }
        _ = try tested.list()
        #expect(kernel.contents.load(ordering: .relaxed) == 0)
        #expect(try keepsMemory(of: made.node, tested))
        // What somebody else writes then is news.
        try shell("printf ' and three' >>plain", in: tested.stored("")).good()
        _ = try tested.list()
        #expect(kernel.contents.load(ordering: .relaxed) == 1)
    }

    /// A file is looked at when something is written, and before the write has ended.
    @Test func whatIsBeingWrittenIsNoNews() throws {
        let tested = try UnmountedDrive(), kernel = CountingListener()
        tested.drive.setListener(kernel)
        let made = try tested.create("plain")
        _ = try tested.drive.write(made.handle, at: 0, count: 3) { (descriptor, offset) in
            let count = pwrite(descriptor, "one", 3, off_t(offset)), looking = DispatchGroup()
            DispatchQueue.global().async(group: looking) { [drive = tested.drive] in _ = try? drive.parts.folders.readListing(of: NodeNumber.root) }
            looking.wait()
            return count
        }
        #expect(kernel.contents.load(ordering: .relaxed) == 0)
        tested.release(made.handle)
        #expect(try keepsMemory(of: made.node, tested))
    }

    /// The kernel is told of content a moment later, and asks for the size before that.
    @Test func whoGivesUpADraftFindsTheSavedSizeAtOnce() throws {
        let tested = try UnmountedDrive { try "text\n".write(toFile: "\($0)/Notes.stedoc", atomically: true, encoding: .utf8) }, kernel = CountingListener()
        tested.drive.setListener(kernel)
        let node = try tested.lookUp("Notes.txt"), handle = try tested.open(node, O_WRONLY | O_TRUNC)
        try tested.write([0xFF, 0xFE, 0, 0xD8], to: handle)
        #expect(throws: Errno.invalid) { try tested.flush(handle) }
        tested.release(handle)
        let before = kernel.attributes.load(ordering: .relaxed)
        try tested.drive.parts.decisions.dropDraft(of: #require(ItemPath([Name(constant: "Notes.stedoc")])))
        #expect(kernel.attributes.load(ordering: .relaxed) - before == 1)
        #expect(try tested.attributes(node).size == 5)
    }

    private func keepsMemory(of node: NodeID, _ tested: UnmountedDrive) throws -> Bool {
        let opened = try tested.drive.open(node, flags: O_RDONLY, caller: tested.caller)
        defer { tested.release(opened.handle) }
        return opened.keepsCache
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
