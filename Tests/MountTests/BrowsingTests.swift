import Foundation
import MountTesting
import Testing

/// A container that Python's plistlib wrote: names, sizes and bytes.
@Suite(.mounting) struct BrowsingTests {
    static let description = """
        bookmark Swift https://www.swift.org/
        bookmark "A & B" http://example.com/?a=1&b=2 mutable
        bookmark Plain https://example.org/ stored=NoPrefix
        photo Sunset png size=5000
        photo Meadow jpeg objc
        photo Dots gif mutable
        photo Web webp objc mutable metadata=no
        photo "Big one" png size=3000000
        text Notes "First line\\nSecond line\\n"
        file letter.txt "a plain file\\n"
        file sub/deep/note.md "# Note\\n"
        photo sub/Inside png
        """

    @Test func namesSizesAndBytes() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            for item in container.items {
                let size = try run("stat", "-c", "%s %F", drive.path(item.shown)).good()
                #expect(size.output.hasPrefix("\(item.size) regular file"), "\(item.shown)")
                let digest = try run("sha256sum", drive.path(item.shown)).good()
                #expect(digest.output.hasPrefix(item.sha256), "\(item.shown)")
            }
            let listed = try run("find", ".", "-type", "f", in: drive.mountpoint).good().lines.map { String($0.dropFirst(2)) }
            #expect(listed.sorted() == container.items.map(\.shown).sorted())
        }
    }
}
