import Foundation
import MountTesting
import Testing

/// A drive that is mounted when somebody looks into its folder, as x-systemd.automount does it. Until the mount is there,
/// the kernel lets nobody past an automount but the process group that it is served by, which mount(8) is then in.
@Suite(.long, .mounting) struct AutomountTests {
    /// The place is root's, also where the drive is the container's owner's.
    @Test(arguments: ["", ",as=owner,allow_other"]) func theDriveIsMountedWhenSomebodyComesBy(_ options: String) throws {
        let ended = try PrivateSystem().run("""
            chmod 755 "$T"; [[ -z "\(options)" ]] || chown -R nobody "$C"
            echo "$C $M valise noauto,x-systemd.automount\(options) 0 0" >"$T/fstab"
            python3 "\(Places.support("automount.py"))" "$M" mount --fstab "$T/fstab" "$M" >"$T/answered" & manager=$!
            until findmnt --types autofs --mountpoint "$M" >/dev/null; do sleep 0.01; done
            timeout 40 cat "$M/Notes.txt"; echo " $? $(mounted)"
            wait $manager; cat "$T/answered"
            umount "$M"; umount "$M"; echo "$? $(mounted)"
            """)
        #expect(ended.output == "one 0 1\nmount answered 0\n0 0\n", "\(ended.output)\(ended.errors)")
    }

    /// Somebody else mounts there first: whoever looked into the folder would wait for the automount.
    @Test(arguments: ["rw", "as=owner,allow_other"]) func anAutomountUnderneathIsNoObstacle(_ options: String) throws {
        let ended = try PrivateSystem().run("""
            chmod 755 "$T"; [[ \(options) = rw ]] || chown -R nobody "$C"
            python3 "\(Places.support("automount.py"))" "$M" true >"$T/answered" & manager=$!
            until findmnt --types autofs --mountpoint "$M" >/dev/null; do sleep 0.01; done
            setsid --wait timeout 40 mount -t valise -o \(options) "$C" "$M"; echo "$? $(mounted)"
            cat "$M/Notes.txt" "$T/answered"
            umount "$M"; umount "$M"; kill $manager; echo " $? $(mounted)"
            """)
        #expect(ended.output == "0 1\none 0 0\n", "\(ended.output)\(ended.errors)")
    }
}
