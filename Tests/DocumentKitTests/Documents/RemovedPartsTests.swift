import DocumentKit
import Foundation
import MountTesting
import Testing

/// An app saves a package while another program removes parts of it: what is gone is no part of what the app saves.
@MainActor
@Suite struct RemovedPartsTests {
    private let folder: TemporaryFolder
    private var package: String { folder.path + "/Trip.notebook" }

    init() throws {
        folder = try TemporaryFolder()
        try shell("""
            mkdir -p Trip.notebook/more/deep Trip.notebook/empty
            cd Trip.notebook; echo 1 >text.md; echo 2 >more/a; echo 3 >more/deep/b
            """, in: folder.path).good()
    }

    /// What the app saves of the package, as it was read, after `line` was run in it.
    private func saved(after line: String, isRead: Bool) throws -> [String] {
        let wrapper = try FileWrapper(url: URL(fileURLWithPath: package))
        if isRead { try read(wrapper) } else { #expect(wrapper.fileWrappers?.count == 3) }
        // The time of a folder tells that it was changed; the clock of files has steps of some milliseconds.
        usleep(20_000)
        try shell(line, in: package).good()
        let notebook = UIDocument(fileURL: URL(fileURLWithPath: package))
        let new = URL(fileURLWithPath: folder.path + "/New.notebook")
        try notebook.writeContents(wrapper, to: new, for: .forOverwriting, originalContentsURL: notebook.fileURL)
        return try FileManager.default.subpathsOfDirectory(atPath: new.path).sorted()
    }

    /// The names of all that is in it. Otherwise the app has those at the top, as each document that is opened.
    private func read(_ wrapper: FileWrapper) throws {
        for child in try #require(wrapper.fileWrappers).values where child.isDirectory { try read(child) }
    }

    /// `rm -r` removes the files of a folder first, and the folder after them: the app may save between the two.
    @Test(arguments: [true, false]) func aFolderWhoseFilesAreGoneIsLeftOut(isRead: Bool) throws {
        #expect(try saved(after: "rm more/deep/b; rmdir more/deep; rm more/a", isRead: isRead) == ["empty", "text.md"])
    }

    @Test func soIsAFolderInIt() throws {
        #expect(try saved(after: "rm more/deep/b", isRead: true) == ["empty", "more", "more/a", "text.md"])
    }

    @Test(arguments: [true, false]) func whatIsThereStays(isRead: Bool) throws {
        let all = ["empty", "more", "more/a", "more/deep", "more/deep/b", "text.md"]
        #expect(try saved(after: "touch text.md", isRead: isRead) == all)
        try? FileManager.default.removeItem(atPath: folder.path + "/New.notebook")
        #expect(try saved(after: "rm -r more/deep", isRead: isRead) == ["empty", "more", "more/a", "text.md"])
    }
}
