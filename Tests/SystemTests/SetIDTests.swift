import Foundation
import MountTesting
import Testing

/// Set-id programs and devices on a drive. Ann owns the container and is out for the rights of others; Bob runs what she has
/// put there, and says whose rights he has then.
@Suite(.mounting) struct SetIDTests {
    private func run(_ lines: String, store: String = "suid,dev") throws -> Ended {
        try PrivateSystem().run("""
            chmod 755 "$T"; mount -t tmpfs -o mode=755,\(store) tmpfs "$C"; cp /usr/bin/id "$C/id"
            mknod -m 666 "$C/zero" c 1 5; chown -R 7321:7321 "$C"; chmod 6755 "$C/id"
            bob() { setpriv --reuid 7322 --regid 7322 --clear-groups "$M/id" "$1"; }
            valise=$T/sbin/valise
            says() { echo "$? $(bob -u) $(bob -g) $(head -c 1 "$M/zero" 2>/dev/null | wc -c)"; umount "$M"; }
            \(lines)
            """)
    }

    @Test func mountDoesWhatValiseMountDoes() throws {
        let ended = try run("""
            "$valise" mount -o allow_other "$C" "$M"; says
            "$valise" mount -o allow_other,suid,dev "$C" "$M"; says
            mount -t valise -o allow_other,suid,dev "$C" "$M"; says
            mount -t valise -o allow_other,nosuid "$C" "$M"; says
            mount -t fuse.valise -o allow_other,nodev "$C" "$M"; says
            """)
        #expect(ended.output == "0 7322 7322 0\n0 7321 7321 1\n0 7321 7321 1\n0 7322 7322 1\n0 7321 7321 0\n" && Self.complaints(of: ended).isEmpty, "\(ended.output)\(ended.errors)")
    }

    /// Her programs would be root's.
    @Test func whatBelongsToSomebodyElseByOptionRunsAsNobodyElse() throws {
        let ended = try run("""
            for owner in uid=0 gid=0 uid=0,gid=0; do
                for name in suid dev suid,dev; do "$valise" mount -o allow_other,$name,$owner "$C" "$M" && says; done
                mount -t valise -o allow_other,suid,dev,$owner "$C" "$M"; says
                "$valise" mount -o allow_other,$owner "$C" "$M"; says
            done
            """)
        #expect(ended.output == String(repeating: "0 7322 7322 0\n", count: 6), "\(ended.output)")
        #expect(ended.errors.components(separatedBy: "does not go with “uid=” and “gid=”").count == 10, "\(ended.errors)")
    }

    /// A stick is mounted without them, so that whoever made it gets no rights by it; through a drive neither.
    @Test func theDriveHasNoMoreThanItsStore() throws {
        let ended = try run("""
            mount -t valise -o allow_other,suid,dev "$C" "$M"; says
            "$valise" mount -o allow_other,suid,dev "$C" "$M"; says
            """, store: "nosuid,nodev")
        #expect(ended.output == "0 7322 7322 0\n0 7322 7322 0\n", "\(ended.output)")
        #expect(Self.complaints(of: ended) == "valise: the file system that the container is on is mounted without “suid” and “dev”, and so is the drive\n", "\(ended.errors)")
    }

    /// All that was said but that the container is somebody else's, which each mount of it says.
    private static func complaints(of ended: Ended) -> String {
        ended.errors.split(separator: "\n").filter { !$0.contains("belongs to user 7321") }.map { $0 + "\n" }.joined()
    }
}
