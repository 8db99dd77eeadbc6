import Testing
@testable import LinuxFiles

@Suite struct MountTableTests {
    private let table = MountTable(Array(#"""
        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
        40 22 0:52 / /home/anna/My\040Valise ro,nosuid shared:9 master:2 - fuse.valise /home/anna/a\134b ro,user_id=1000
        41 22 0:53 / /mnt rw - fuse.sshfs host: rw
        42 22 0:54 / /mnt rw - fuse.valise /c rw
        rubbish
        43 22 0:55 / /short -
        44 22 0:56 / /odd\9 rw - fuse x\04 rw
        """#.utf8))

    @Test func drivesAreFound() throws {
        #expect(table.drives.map(\.mountpoint) == ["/home/anna/My Valise", "/mnt"])
        let drive = try #require(table.drives.first)
        #expect(drive.source == #"/home/anna/a\b"# && drive.device == "0:52" && drive.isReadOnly)
    }

    @Test func theTopmostMountIsTheOneThatIsSeen() {
        #expect(table.mount(at: "/mnt")?.isDrive == true)
        #expect(table.mount(at: "/nowhere") == nil)
        #expect(table.mount(onDevice: "0:53")?.type == "fuse.sshfs")
    }

    @Test func linesThatAreNoneAreLeftOut() {
        #expect(table.mounts.count == 5)
        #expect(table.mounts.last?.mountpoint == #"/odd\9"#)
        #expect(MountTable([]).mounts.isEmpty)
        #expect(MountTable([0xFF, 0x0A, 0x20, 0x20, 0x0A]).mounts.isEmpty)
    }
}
