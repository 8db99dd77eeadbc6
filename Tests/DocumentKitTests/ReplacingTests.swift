import DocumentKit
import Foundation
import MountTesting
import Testing

/// `FileManager.replaceItemAt`, the end of a safe save: Foundation's on Linux removes what is to be replaced.
@Suite struct ReplacingTests {
    private let manager = FileManager.default
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.path).appendingPathComponent(name) }

    private func write(_ text: String, _ url: URL) throws { try Data(text.utf8).write(to: url) }

    private func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }

    /// A package with two parts, or a file.
    private func make(_ text: String, _ url: URL, isFolder: Bool) throws {
        guard isFolder else { return try write(text, url) }
        try manager.createDirectory(at: url.appendingPathComponent("inner"), withIntermediateDirectories: true)
        try write(text, url.appendingPathComponent("inner/part"))
    }

    private func content(_ url: URL) -> String? { text(url) ?? text(url.appendingPathComponent("inner/part")) }

    private func names() throws -> [String] { try manager.contentsOfDirectory(atPath: folder.path).sorted() }

    private static let options: [FileManager.ItemReplacementOptions] = [[], .usingNewMetadataOnly, .withoutDeletingBackupItem, [.usingNewMetadataOnly, .withoutDeletingBackupItem]]

    /// A file and a package by each other, with each option.
    @Test(arguments: [(false, false), (true, true), (false, true), (true, false)], options.indices) func theNewOneTakesThePlace(_ folders: (old: Bool, new: Bool), _ index: Int) throws {
        let old = url("Notes"), new = url("New"), options = Self.options[index]
        try make("old", old, isFolder: folders.old)
        try make("new", new, isFolder: folders.new)
        #expect(try manager.replaceItemAt(old, withItemAt: new, options: options) == old)
        #expect(try content(old) == "new" && names() == ["Notes"])
        try make("newer", new, isFolder: folders.new)
        #expect(try manager.replaceItemAt(old, withItemAt: new, backupItemName: "Old", options: options) == old)
        let isKept = options.contains(.withoutDeletingBackupItem)
        #expect(try content(old) == "newer" && names() == (isKept ? ["Notes", "Old"] : ["Notes"]))
        #expect(content(url("Old")) == (isKept ? "new" : nil))
        // What is called like the old one is to be is replaced.
        try make("newest", new, isFolder: folders.new)
        try manager.replaceItemAt(old, withItemAt: new, backupItemName: "Old", options: options)
        #expect(content(old) == "newest" && content(url("Old")) == (isKept ? "newer" : nil))
    }

    /// As apps write it: the new one is made in the folder that the system has for that.
    @Test func aSafeSaveOfAnApp() throws {
        let document = url("Notes.txt")
        try write("old", document)
        let place = try manager.url(for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: document, create: true)
        defer { try? manager.removeItem(at: place) }
        let new = place.appendingPathComponent("Notes.txt")
        try write("new", new)
        var failure: NSError?, result: URL?
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: document, options: .forReplacing, error: &failure) { url in
            result = (try? manager.replaceItemAt(url, withItemAt: new)) ?? nil
        }
        #expect(failure == nil && result?.path == document.path && text(document) == "new" && !manager.fileExists(atPath: new.path))
    }

    @Test(arguments: [false, true]) func fromAnotherFileSystem(isFolder: Bool) throws {
        let far = URL(fileURLWithPath: "/dev/shm/valise-\(UUID().uuidString)"), old = url("Notes")
        defer { try? manager.removeItem(at: far) }
        try make("old", old, isFolder: isFolder)
        try make("new", far, isFolder: isFolder)
        try manager.replaceItemAt(old, withItemAt: far)
        #expect(try content(old) == "new" && names() == ["Notes"] && !manager.fileExists(atPath: far.path))
    }

    /// Who may read it stays as it was, unless the options say otherwise.
    @Test func permissionsStay() throws {
        func permissions(_ url: URL) throws -> Int? { try manager.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int }
        let old = url("Notes"), new = url("New")
        for (options, expected) in [([], 0o600), (.usingNewMetadataOnly, 0o644)] as [(FileManager.ItemReplacementOptions, Int)] {
            try write("old", old)
            try write("new", new)
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: old.path)
            try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: new.path)
            try manager.replaceItemAt(old, withItemAt: new, options: options)
            #expect(try permissions(old) == expected && text(old) == "new")
        }
    }

    /// What is not there, and what cannot be written: nothing of the old one is lost.
    @Test func whatCannotBeReplacedStays() throws {
        let old = url("Notes"), new = url("New")
        func code(_ body: () throws -> Void) -> CocoaError.Code? {
            do { try body() } catch { return (error as? CocoaError)?.code }
            return nil
        }
        try write("old", old)
        #expect(code { try manager.replaceItemAt(old, withItemAt: new) } == .fileReadNoSuchFile && text(old) == "old")
        try write("new", new)
        #expect(code { try manager.replaceItemAt(old, withItemAt: new, backupItemName: "a/b") } == .fileWriteInvalidFileName)
        #expect(code { try manager.replaceItemAt(old, withItemAt: new, backupItemName: "Notes") } == .fileWriteInvalidFileName)
        #expect(text(old) == "old" && text(new) == "new")
        // Without an old one, it is the first.
        try manager.removeItem(at: old)
        var place: NSURL?
        try manager.replaceItem(at: old, withItemAt: new, backupItemName: nil, options: [], resultingItemURL: &place)
        #expect(try text(old) == "new" && names() == ["Notes"] && place?.path == old.path)
    }

    /// Beside a drive and on it, it is a save: the document stays the one that it is, and what was there is a version on a drive.
    @Test(.mounting) func onADriveItIsASave() throws {
        let container = try TemporaryContainer("text Notes before")
        try withDrive(container) { drive in
            let shown = URL(fileURLWithPath: drive.path("Notes.txt")), new = url("New.txt")
            try write("after", new)
            try manager.replaceItemAt(shown, withItemAt: new)
            #expect(text(shown) == "after" && text(URL(fileURLWithPath: container.stored("Notes.stedoc"))) == "after")
            #expect(try manager.contentsOfDirectory(atPath: drive.mountpoint) == ["Notes.txt"])
            #expect(try manager.contentsOfDirectory(atPath: drive.path(".valise/versions/Notes.txt")).count == 1)
            try write("stored", new)
            try manager.replaceItemAt(URL(fileURLWithPath: container.stored("Notes.stedoc")), withItemAt: new)
            #expect(eventually { text(shown) == "stored" })
        }
    }
}
