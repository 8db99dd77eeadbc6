import Foundation
import MountTesting
import Testing

/// A container on a store that does not tell capital letters from small ones: there the drive does not either.
@Suite(.long, .mounting) struct CaselessStoreTests {
    /// exFAT, because it needs nothing of the kernel but FUSE.
    private func withStore(_ body: (TemporaryContainer, _ plain: String) throws -> Void) throws {
        let container = try TemporaryContainer()
        try shell("truncate -s 16M \"$1\" && mkfs.exfat \"$1\" >/dev/null && mount -t exfat-fuse -o loop \"$1\" \"$2\"", container.beside("store.img"), container.path).good()
        defer {
            // Its process ends a little later.
            eventually { (try? shell("umount \"$1\"", container.path))?.code == 0 }
        }
        let plain = container.beside("plain")
        try shell("truncate -s 16M \"$1\" && mkfs.exfat \"$1\" >/dev/null && mkdir \"$2\" && mount -t exfat-fuse -o loop \"$1\" \"$2\"", container.beside("plain.img"), plain).good()
        defer { eventually { (try? shell("umount \"$1\"", plain))?.code == 0 } }
        try body(container, plain)
    }

    /// The drive says that exFAT has no sockets, so it is ended here and its log not looked at.
    private func withPlainDrive(_ container: TemporaryContainer, _ body: (MountedDrive) throws -> Void) throws {
        let drive = try MountedDrive(container, options: "create=none")
        defer {
            _ = try? valise("unmount", drive.mountpoint)
            let ended = try? drive.waitForEnd()
            #expect(ended == 0)
        }
        try body(drive)
    }

    /// One after the other, and what the store itself says to them. In what case a name is shown that replaces another one is
    /// the store's own affair.
    private static let steps = [
        "echo one >CASE; cat CASE; touch case; ls", "echo two >case; cat Case; ls", "mkdir Dir; mkdir DIR; ls", "echo x >dir/File; cat DIR/FILE; ls dIr",
        "mv case Other; for i in {1..50}; do test -e CASE || break; sleep 0.1; done; ls; cat CASE; cat OTHER",
        "echo y >third; mv THIRD OTHER; ls | sort -f | tr a-z A-Z; cat other", "set -C; echo z >OTHER; cat other", "rm oTHER; ls; cat Other", "rmdir dir; rm dIR/fILE; rmdir DIR; ls",
        "echo n >Notes.txt; cat NOTES.TXT; echo more >>notes.txt; cat Notes.txt; ls", "echo p >plain; mv plain nOTES.txt; ls | tr a-z A-Z; cat notes.TXT",
        "rm NOTES.txt; for i in {1..50}; do test -e Notes.txt || break; sleep 0.1; done; ls; cat Notes.txt",
        "echo é >É; cat é; ls; rm é; ls", "echo 1 >1; cat 2; echo 2 >2; cat 1 2; rm 1 2; ls",
    ]

    @Test func whatIsCalledAlikeIsOne() throws {
        try withStore { container, plain in
            try withPlainDrive(container) { drive in
                for step in Self.steps {
                    let (here, there) = (try shell("exec 2>&1; \(step)", in: drive.mountpoint), try shell("exec 2>&1; \(step)", in: plain))
                    #expect(here.output == there.output, "\(step)")
                }
            }
        }
    }

    /// Documents too, whose items are called otherwise.
    @Test func documentsToo() throws {
        try withStore { container, _ in
            try container.add("bookmark Swift https://one/\ntext Notes text")
            try withPlainDrive(container) { drive throws in
                #expect(try shell("grep URL SWIFT.URL; cat nOTES.txt; ls", in: drive.mountpoint).good().output == "URL=https://one/\ntextNotes.txt\nSwift.url\n")
                // The items' names are no names of theirs.
                #expect(try shell("cat notes.stedoc", in: drive.mountpoint).code != 0)
                try shell("rm SWIFT.url; until test ! -e Swift.url; do sleep 0.1; done", in: drive.mountpoint).good()
            }
        }
    }

    /// Where letters are told apart, they are.
    @Test func elsewhereTheyAreTwo() throws {
        let container = try TemporaryContainer("file CASE one\nfile case two")
        try withDrive(container) { drive throws in
            #expect(try shell("cat CASE case; ls Case; touch Case; ls", in: drive.mountpoint).output == "onetwoCASE\nCase\ncase\n")
        }
    }
}
