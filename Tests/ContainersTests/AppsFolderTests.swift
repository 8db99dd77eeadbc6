import Containers
import Foundation
import LinuxFiles
import MountTesting
import Testing

/// Which folders are those of containers, and what a drive calls what is in them.
@Suite struct AppsFolderTests {
    private func apps(_ folders: [String], files: [String] = []) throws -> [String: String]? {
        let folder = try TemporaryFolder()
        for name in folders { try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true) }
        for name in files { try Data().write(to: URL(fileURLWithPath: folder.path + "/" + name)) }
        return try AppsFolder(Descriptor.atPath(folder.path, [.read, .folder])).map { found in
            Dictionary(uniqueKeysWithValues: found.apps.map { ("\($0.name)", "\($0.folder)") })
        }
    }

    @Test func eachAppHasItsName() throws {
        let found = try apps([
            "com~apple~CloudDocs", "iCloud~com~apple~TextEdit", "iCloud~md~obsidian", "F3LWYJ7GM7~com~apple~mobilegarageband",
            "iCloud~is~workflow~my~workflows", ".Trash",
        ], files: [".DS_Store"])
        #expect(found == [
            "iCloud Drive": "com~apple~CloudDocs", "TextEdit": "iCloud~com~apple~TextEdit", "obsidian": "iCloud~md~obsidian",
            "GarageBand": "F3LWYJ7GM7~com~apple~mobilegarageband", "Shortcuts": "iCloud~is~workflow~my~workflows",
        ])
    }

    /// Two apps that one would call alike have what tells them apart behind it, and so have two folders of one app.
    @Test func namesDiffer() throws {
        #expect(try apps(["iCloud~com~one~notes", "iCloud~com~two~Notes", "iCloud~com~two~todo", "ABCDE12345~com~two~todo"]).map { Set($0.keys) } == [
            "notes (com.one.notes)", "Notes (com.two.Notes)", "todo (iCloud~com~two~todo)", "todo (ABCDE12345~com~two~todo)",
        ])
    }

    /// Whatever has anything else in it is a container, so that nobody loses sight of what lies there.
    @Test(arguments: [
        ([], []), (["iCloud~com~one~notes", "Letters"], []), (["iCloud~com~one~notes"], ["letter.txt"]), (["iCloud~com~one~notes", ".valise"], []),
        (["Notes"], []), (["com~example"], []), (["iCloud~notes"], []), (["iCloud~com~~notes"], []), (["short~com~one~notes"], []), (["iCloud~com~one~no tes"], []),
        ([], ["iCloud~com~one~notes"]),
    ])
    func whatIsNone(_ folders: [String], _ files: [String]) throws { #expect(try apps(folders, files: files) == nil) }

    /// A Mac keeps its own folder “Documents” in iCloud Drive's: that is a folder there, and not all there is.
    @Test func theDriveItselfIsAllDocuments() throws {
        let folder = try TemporaryFolder()
        for name in ["com~apple~CloudDocs/Documents", "iCloud~com~one~notes/Documents"] {
            try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        func hasFolder(_ name: String) throws -> Bool {
            try Container.open(folder.path + "/" + name, access: .read, kinds: .shipped).hasDocumentsFolder
        }
        #expect(try !hasFolder("com~apple~CloudDocs"))
        #expect(try hasFolder("iCloud~com~one~notes"))
    }

    @Test func aDriveOfThemIsSeenInTheTableOfMounts() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/iCloud~com~one~notes", withIntermediateDirectories: true)
        let table = MountTable(Array("88 43 0:39 / /mnt rw - fuse.valise.apps \(folder.path) rw,user_id=0\n".utf8)).withApps
        #expect(table.mount(under: "/mnt/notes/a.txt")?.source == folder.path + "/iCloud~com~one~notes")
        #expect(table.mount(under: "/mnt/other/a.txt")?.source == folder.path)
        #expect(table.drives.map(\.mountpoint) == ["/mnt"])
    }
}
