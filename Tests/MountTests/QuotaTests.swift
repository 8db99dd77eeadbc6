import Foundation
import MountTesting
import Testing

/// A container on a store that lets it grow no further: what was there stays, what was asked for is refused by its right name.
@Suite(.long, .mounting) struct QuotaTests {
    /// btrfs, because its quotas hold for root too.
    private func withQuota(_ megabytes: Int, _ body: (TemporaryContainer) throws -> Void) throws {
        let container = try TemporaryContainer()
        let image = container.beside("store.img"), whole = container.beside("whole")
        try shell("truncate -s 256M \"$1\" && mkfs.btrfs -q \"$1\" && mkdir \"$2\" && mount -o loop \"$1\" \"$2\"", image, whole).good()
        defer { _ = try? shell("umount \"$1\"; umount \"$2\"", container.path, whole) }
        try shell(
            "btrfs -q quota enable \"$1\" && btrfs -q subvolume create \"$1/c\" && btrfs qgroup limit \(megabytes)M \"$1/c\" && mount -o loop,subvol=c \"$2\" \"$3\"",
            whole, image, container.path
        ).good()
        try body(container)
    }

    @Test func whatDoesNotFitIsRefusedAndNothingIsLost() throws {
        try withQuota(12) { container in
            try container.add("bookmark Swift http://one/\nphoto Sunset png size=100000")
            let image = container.beside("image.jpg")
            try shell("{ printf '\\xff\\xd8\\xff\\xe0\\0\\x10JFIF\\0'; head -c 2000000 /dev/urandom; } > \"$1\"", image).good()
            try withDrive(container, options: "rw") { drive in
                let before = try run("sha256sum", drive.path("Sunset.png"), drive.path("Swift.url")).good().output
                var copied: [String] = []
                var refusal = ""
                for number in 1...12 {
                    let copy = try run("cp", image, drive.path("copy \(number).jpg"))
                    guard copy.code == 0 else {
                        refusal = copy.errors
                        break
                    }
                    copied.append("copy \(number).jpg")
                }
                #expect(refusal.contains("Disk quota exceeded"), "\(refusal)")
                #expect(copied.count >= 2)
                #expect(try run("sha256sum", drive.path("Sunset.png"), drive.path("Swift.url")).good().output == before)
                for name in copied { try run("cmp", image, drive.path(name)).good() }

                // An editor that cannot save leaves what was there, or has saved: nothing in between.
                _ = try run("vim", "-Nu", "NONE", "-es", "-c", "%s/one/two/", "-c", "wq", drive.path("Swift.url"))
                let saved = try run("cat", drive.path("Swift.url")).good().output
                #expect(["[InternetShortcut]\nURL=http://one/\n", "[InternetShortcut]\nURL=http://two/\n"].contains(saved))

                for name in copied { try run("rm", drive.path(name)).good() }
                // What was removed is remembered for a quarter of a minute, and its room with it.
                #expect(try eventually {
                    _ = try shell("sync -f \"$1\"", container.path)
                    return try shell("printf '[InternetShortcut]\\nURL=http://three/\\n' > \"$1\" && cat \"$1\"", drive.path("Swift.url")).output.contains("three")
                })
            }
            #expect(try run("ls", "-A", container.stored(".valise/staging")).good().output == "")
        }
    }
}
