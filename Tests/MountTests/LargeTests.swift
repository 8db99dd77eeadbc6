import Foundation
import MountTesting
import Testing

/// Many entries, and deep folders.
@Suite(.long, .mounting) struct LargeTests {
    @Test func tenThousandDocuments() throws {
        let container = try TemporaryContainer("photos 1500 IMG_\ntexts 9000 Note\nbookmark IMG_00007 https://x/")
        try withDrive(container) { drive in
            let names = try run("ls", "-U", drive.mountpoint).good().lines
            #expect(names.count == 10501 && Set(names) == Set(container.items.map(\.shown)))
            #expect(try run("cat", drive.path("Note08999.txt")).output == "8999")
            // Two at once.
            let one = try Program(["ls", "-l", drive.mountpoint]), other = try Program(["ls", "-l", drive.mountpoint])
            #expect(try one.wait().lines.count == 10502)
            #expect(try other.wait().lines.count == 10502)
        }
    }

    @Test func deepFolders() throws {
        let folder = (0..<60).map { "level \($0)" }.joined(separator: "/")
        let container = try TemporaryContainer("photo \"\(folder)/Cat\" png\ntext \"\(folder)/Notes\" deep")
        try withDrive(container) { drive in
            #expect(try run("cat", drive.path(folder + "/Notes.txt")).output == "deep")
            #expect(try run("find", drive.mountpoint, "-type", "f").good().lines.count == 2)
            try run("rm", "-r", container.stored("level 0")).good()
            #expect(try run("ls", drive.mountpoint).output.isEmpty)
        }
    }

    @Test func pathsLongerThanACallTakes() throws {
        let container = try TemporaryContainer("text Notes top")
        // A path of over 4096 bytes is made and walked step by step.
        let name = String(repeating: "d", count: 200)
        let walk = "for i in $(seq 30); do mkdir -p \(name) && cd \(name) || exit 1; done"
        try shell("\(walk); echo deep >Deep.stedoc", in: container.path).good()
        try withDrive(container) { drive in
            let ended = try shell("for i in $(seq 30); do cd \(name) || exit 1; done; cat Deep.txt; ls", in: drive.mountpoint)
            #expect(ended.output == "deep\nDeep.txt\n", "\(ended.errors)")
        }
    }
}
