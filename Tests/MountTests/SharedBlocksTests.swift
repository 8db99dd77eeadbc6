import Foundation
import MountTesting
import Testing

/// On a store that can share blocks between files, a photo's bytes are written once: directly where they stay, and what
/// an edit leaves as it is stays the old one's.
@Suite(.mounting) struct SharedBlocksTests {
    @Test func aPhotoIsWrittenOnceAndAnEditWritesNoMoreThanItself() throws {
        let container = try TemporaryContainer()
        let store = container.beside("store.img"), photo = container.beside("photo.jpg")
        try shell(
            "truncate -s 512M \"$1\" && mkfs.btrfs -q \"$1\" && mount -o loop \"$1\" \"$2\"; { printf '\\xff\\xd8\\xff\\xe0\\0\\x10JFIF\\0'; head -c 40000000 /dev/urandom; } > \"$3\"",
            store, container.path, photo
        ).good()
        defer { _ = try? shell("umount \"$1\"", container.path) }
        try withDrive(container, options: "rw") { drive in
            let empty = try room(in: container)
            try run("cp", photo, drive.path("cat.jpg")).good()
            let copied = try room(in: container)
            #expect((40_000_000..<44_000_000).contains(empty - copied), "\(empty - copied) bytes for a photo of 40 MB")
            let file = try OpenedFile(drive.path("cat.jpg"), O_RDWR)
            try file.write("ZZZZ", at: 20_000_000)
            let edited = try room(in: container)
            #expect(copied - edited < 4_000_000, "\(copied - edited) bytes for four that were written")
            try file.close()
            #expect(try copied - room(in: container) < 4_000_000)
            try shell("printf ZZZZ | dd of=\"$1\" bs=1 seek=20000000 conv=notrunc status=none && cmp \"$1\" \"$2\"", photo, drive.path("cat.jpg")).good()
        }
    }

    /// The free bytes of its store, when all is written.
    private func room(in container: TemporaryContainer) throws -> Int {
        let words = try shell("sync -f \"$1\" && stat -f -c '%f %S' \"$1\"", container.path).good().output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard words.count == 2 else { throw Failed("the free room is \(words)") }
        return words[0] * words[1]
    }
}
