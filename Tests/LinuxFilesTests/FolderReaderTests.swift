import Foundation
import LinuxFiles
import MountTesting
import Testing

@Suite struct FolderReaderTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test func readsFiveThousandNamesOnce() throws {
        let open = try folder.opened()
        var wanted: Set<Name> = []
        for number in 0..<5_000 {
            let entry = try name("\(number)" + String(repeating: "x", count: number % 200))
            _ = try open.open(entry, [.write, .create], mode: 0o600).rawValue
            wanted.insert(entry)
        }
        var reader = try FolderReader(open)
        var found: [Name] = []
        while let entry = try reader.next() { found.append(entry.name) }
        #expect(found.count == 5_000)
        #expect(Set(found) == wanted)
        #expect(try reader.next() == nil)
    }

    @Test func tellsTypesAndNumbers() throws {
        let open = try folder.opened()
        try folder.make("file")
        try open.makeFolder(name("folder"))
        try open.makeSymbolicLink(name("link"), to: [0x61])
        try open.makeNode(name("pipe"), mode: 0o010_600, device: 0)
        var reader = try FolderReader(open)
        var types: [String: FileType] = [:]
        while let entry = try reader.next() {
            let status = try open.status(of: entry.name)
            types[entry.name.description] = entry.type == .unknown ? status.type : entry.type
            #expect(entry.number == status.identity.number)
        }
        #expect(types == ["file": .regular, "folder": .folder, "link": .symbolicLink, "pipe": .pipe])
    }

    @Test func namesNeedNotBeText() throws {
        let open = try folder.opened()
        let odd = try #require(Name([0xFF, 0x0A, 0xC3]))
        try open.makeFolder(odd)
        var reader = try FolderReader(open)
        #expect(try reader.next()?.name == odd)
    }

    @Test func readersDoNotDisturbEachOther() throws {
        let open = try folder.opened()
        for number in 0..<10 { try folder.make("\(number)") }
        var first = try FolderReader(open)
        _ = try first.next()
        var second = try FolderReader(open)
        var (left, right) = (1, 0)
        while try second.next() != nil { right += 1 }
        while try first.next() != nil { left += 1 }
        #expect((left, right) == (10, 10))
    }

    @Test func aFileIsNoFolder() throws {
        try folder.make("file")
        let file = try folder.opened().open(name("file"), .read)
        #expect(throws: Errno.notDirectory) { _ = try FolderReader(file) }
    }
}
