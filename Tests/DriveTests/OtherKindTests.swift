import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// A document in whose place another program has put something else, between the look and the call.
@Suite struct OtherKindTests {
    private static let documents = [("Sunset.ptk", "Sunset.png"), ("Shopping list.stedoc", "Shopping list.txt")]

    @Test(arguments: documents, ["plain", "folder", "link", "nothing"]) func itIsLookedAtAgain(document: (stored: String, shown: String), now: String) throws {
        let folder = try TemporaryFolder()
        try NewContainer.make(at: folder.path, kinds: nil, samples: true)
        var options = DriveOptions()
        options.changes = .off
        let container = try Container.open(folder.path, access: .readWrite, kinds: .shipped), caller = Caller(user: geteuid(), group: getegid(), thread: 1)
        let drive = Drive(container: container, options: options, workshop: try Workshop.open(in: container, purpose: "tested"))
        let item = "\(folder.path)/Documents/\(document.stored)"
        let node = try drive.lookUp(try #require(Name(document.shown)), in: .root, caller: .own).node
        try FileManager.default.removeItem(atPath: item)
        switch now {
        case "plain": try Data("one".utf8).write(to: URL(fileURLWithPath: item))
        case "folder": try FileManager.default.createDirectory(atPath: item, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o750])
        case "link": symlink("/etc/passwd", item)
        default: break
        }
        func change(_ set: (inout AttributeChange) -> Void) throws {
            var change = AttributeChange()
            set(&change)
            _ = try drive.setAttributes(of: node, change, handle: nil, caller: caller)
        }
        var calls: [(String, () throws -> Void)] = [
            ("utime", { try change { $0.modified = .now } }), ("chmod", { try change { $0.permissions = 0o600 } }),
            ("chown", { try change { $0.owner = geteuid() } }), ("truncate", { try change { $0.size = 5 } }),
            ("stat", { _ = try drive.attributes(of: node, handle: nil) }),
            ("open", { drive.release(try drive.open(node, flags: O_RDWR, caller: caller).handle) }),
        ]
        // Any text is a text.
        if document.stored.hasSuffix("stedoc"), now == "plain" { calls = [] }
        for (name, call) in calls { #expect(throws: Errno.stale, "\(name)") { try call() } }
        if now == "folder" { #expect(try FileManager.default.attributesOfItem(atPath: item)[.posixPermissions] as? Int == 0o750) }
        drive.close()
    }
}
