import Foundation
import MountTesting
import Testing

/// Another program moves an open document, or the folder that it lies in, to another file system, and says so: the app goes on with it there.
@Suite(.mounting, .timeLimit(.minutes(40))) struct MovedToAnotherDiskTests {
    private static let program = Places.built + "/DocumentTrial", disk = "/dev/shm"
    private static let isAnother: Bool = {
        var here = stat(), there = stat()
        return stat(NSTemporaryDirectory(), &here) == 0 && stat(disk, &there) == 0 && here.st_dev != there.st_dev && access(disk, W_OK) == 0
    }()

    @Test(.disabled(if: !isAnother, "there is no other file system here"), arguments: [false, true], [false, true])
    func itIsFollowed(byADrive isMounted: Bool, inAFolder: Bool) throws {
        let container = try TemporaryContainer("folder Sub\ntext Sub/Notes one\ntext Notes one"), inside = inAFolder ? "Sub/Notes.stedoc" : "Notes.stedoc"
        mkdir(container.stored(".valise"), 0o700)
        let out = Self.disk + "/valise-test-\(UUID().uuidString)", new = out + (inAFolder ? "/Moved/Notes.stedoc" : "/Moved.stedoc")
        mkdir(out, 0o700)
        defer { try? FileManager.default.removeItem(atPath: out) }
        func check() throws {
            let app = try Program([Self.program, container.stored(inside), "watch", "open", "edit:typed", "unsaved", "wait:\(out)/go", "settle", "edit:later", "save", "name", "state", "close"])
            defer { app.end() }
            #expect(eventually { app.output.contains("unsaved true") })
            let top = container.stored(inAFolder ? "Sub" : "Notes.stedoc"), back = String(repeating: "../", count: top.split(separator: "/").count)
            try Program([Self.program, top, "move:\(back)\(out.dropFirst())/\(inAFolder ? "Moved" : "Moved.stedoc")"]).wait().good()
            #expect(eventually { app.output.contains("own moved \(inAFolder ? "Notes" : "Moved")") }, "\(app.output)")
            _ = FileManager.default.createFile(atPath: out + "/go", contents: nil)
            #expect(eventually { app.hasEnded })
            #expect(app.output.contains("save true\n") && app.output.contains("is normal\n") && app.output.contains("close true\n") && !app.output.contains("own deleted"), "\(app.output)")
            #expect(try String(contentsOfFile: new, encoding: .utf8) == "later")
            #expect(!FileManager.default.fileExists(atPath: container.stored(inside)))
        }
        if isMounted { try withDrive(container) { _ in try check() } } else { try check() }
    }
}
