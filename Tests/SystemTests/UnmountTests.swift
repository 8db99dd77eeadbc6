import Foundation
import MountTesting
import Testing

/// What `valise unmount` leaves behind: nothing that uses what the container lies on, which is a disk of its own here.
@Suite(.long, .mounting) struct UnmountTests {
    /// A disk in `$T/disk`, to be mounted on `$T/store`.
    private func systemWithDisk() throws -> PrivateSystem {
        let system = try PrivateSystem()
        try shell("PATH=$PATH:/usr/sbin:/sbin; truncate -s 32M disk && mkfs.ext4 -q disk && mkdir store", in: system.container.beside("")).good()
        return system
    }

    @Test(arguments: ["", "--lazy"], ["root", "nobody"]) func theStoreIsFreeOnceTheDriveIsUnmounted(_ how: String, _ user: String) throws {
        let ended = try systemWithDisk().run("""
            chmod 755 "$T"; chown \(user) "$M"
            as() { setpriv --reuid \(user) --clear-groups env -u HOME "$@"; }
            valise=$T/sbin/valise
            for round in {1..20}; do
                mount -o loop "$T/disk" "$T/store" && chown \(user) "$T/store" || exit
                as mkdir -p "$T/store/c" && as "$valise" mount "$T/store/c" "$M" || exit
                as sh -c 'for n in 1 2 3 4 5; do echo "$1" >"$0/$n.txt"; done; cat "$0"/*.txt >/dev/null' "$M" "$round"
                as "$valise" unmount \(how) "$M" && umount "$T/store" || { echo "round $round"; umount --lazy "$T/store"; }
            done
            mount -o loop "$T/disk" "$T/store"; grep -l 20 "$T/store/c"/*.stedoc | wc -l; umount "$T/store"
            """)
        #expect(ended.output == "5\n" && ended.errors.isEmpty, "\(ended.output)\(ended.errors)")
    }

    /// A program has a file of the drive open; the process serves it until it lets go, and then lets go of the disk.
    @Test func aDriveTakenFromItsUsersEndsWithThem() throws {
        let ended = try systemWithDisk().run("""
            mount -o loop "$T/disk" "$T/store"; mkdir "$T/store/c"; echo plain >"$T/store/c/plain"
            "$T/sbin/valise" mount "$T/store/c" "$M"
            exec 5<"$M/plain"
            # It has what its shell has, and does not name itself.
            "$T/sbin/valise" unmount "$M" 2>"$T/said"; echo "$? $(mounted) $(grep -c 'bash (process' "$T/said") $(grep -c 'valise (process' "$T/said")"
            "$T/sbin/valise" unmount --lazy "$M" 2>"$T/said" 5<&- & unmounting=$!
            until [[ $(mounted) = 0 ]]; do sleep 0.01; done
            cat <&5; exec 5<&-
            wait $unmounting; echo "$? $(cat "$T/said")"
            umount "$T/store"; echo $?
            """)
        #expect(ended.output == "1 1 1 0\nplain\n0 \n0\n", "\(ended.output)\(ended.errors)")
    }
}
