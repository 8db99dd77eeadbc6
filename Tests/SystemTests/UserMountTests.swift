import Foundation
import MountTesting
import Testing

/// Drives of users who are not root: fusermount3 mounts for them, and mount(8) where fstab says that they may.
@Suite(.mounting) struct UserMountTests {
    /// A user of the test's own, in a system where /etc/passwd knows her and /etc/fstab lets her mount.
    private func run(_ lines: String, fuseConfiguration: String = "", options: String = "user,noauto", device: String = "666") throws -> Ended {
        try PrivateSystem(device: device).run("""
            chmod 755 "$T"; chown -R 7321:7321 "$C" "$M"
            cp /etc/passwd "$T/passwd"; echo "anna:x:7321:7321::/nonexistent:/bin/sh" >>"$T/passwd"
            echo "$C $M valise \(options) 0 0" >"$T/fstab"; echo "\(fuseConfiguration)" >"$T/fuse.conf"
            for file in passwd fstab fuse.conf; do mount --bind "$T/$file" "/etc/$file" || exit; done
            anna() { setpriv --reuid 7321 --regid 7321 --clear-groups env -u HOME "$@"; }
            valise=$T/sbin/valise
            \(lines)
            """)
    }

    @Test func mountsThroughFusermount() throws {
        let ended = try run("""
            anna "$valise" mount "$C" "$M"; echo "$? $(mounted)"
            anna cat "$M/Notes.txt"; cat "$M/Notes.txt" 2>/dev/null || echo " not for root"
            anna fusermount3 -u "$M"; echo "$? $(mounted)"
            """)
        #expect(ended.output == "0 1\none not for root\n0 0\n", "\(ended.output)\(ended.errors)")
    }

    @Test(arguments: ["user,noauto", "users,noauto", "user,noauto,exec,dev,suid", "owner,noauto,nofail,_netdev"])
    func mountsWhatFstabLetsHer(_ options: String) throws {
        let ended = try run("""
            anna mount "$M"; echo "$? $(mounted)"
            anna sh -c 'cat "$0/Notes.txt"; echo two >"$0/New.txt"' "$M"; ls "$C"
            anna umount "$M"; echo "$? $(mounted)"
            """, options: options)
        #expect(ended.output == "0 1\noneNew.stedoc\nNotes.stedoc\n0 0\n", "\(ended.output)\(ended.errors)")
    }

    @Test func setIDProgramsAndDevicesAreOnlyForRoot() throws {
        for (mounting, names) in [("\"$valise\" mount -o suid \"$C\" \"$M\"", "“suid” is"), ("mount \"$M\"", "“suid” and “dev” are")] {
            let ended = try run("anna \(mounting); echo $?; findmnt --noheadings --output OPTIONS \"$M\" | grep -c nosuid,nodev; anna \"$valise\" unmount \"$M\"", options: "user,dev,suid")
            #expect(ended.output == "0\n1\n" && ended.errors.hasPrefix("valise: \(names) only for root; the drive is mounted without "), "\(ended.output)\(ended.errors)")
        }
    }

    /// A line that lets users mount makes nobody root: its drive has the rights of who mounts it, and the options are the line's.
    @Test(arguments: ["user,noauto", "users,noauto,allow_other,uid=0,gid=0,suid,dev"]) func aLineForUsersGivesNoRights(_ options: String) throws {
        let ended = try run("""
            chown -R root:root "$C"; chmod 711 "$C"; chmod 600 "$C/Notes.stedoc"; cp /usr/bin/id "$C/id"; chmod 6755 "$C/id"; mknod -m 666 "$C/zero" c 1 5
            cp /usr/bin/id "$T/before"
            anna mount "$M" 2>/dev/null; anna mount -o allow_other,suid,uid=0 "$M" 2>/dev/null
            anna cat "$M/Notes.txt" 2>/dev/null; anna sh -c 'echo evil >"$0/Notes.txt"; rm "$0/Notes.txt"; ls "$0"' "$M" 2>/dev/null
            anna "$M/id" -u 2>/dev/null; anna head -c 1 "$M/zero" 2>/dev/null
            cat "$C/Notes.stedoc"; ls "$C"
            chmod 755 "$C"
            anna mount "$M" 2>/dev/null
            anna cat "$M/Notes.txt" 2>/dev/null; anna sh -c 'echo evil >"$0/Notes.txt"; rm "$0/Notes.txt"' "$M" 2>/dev/null
            echo; anna "$M/id" -u 2>/dev/null; anna head -c 1 "$M/zero" 2>/dev/null | wc -c
            cat "$C/Notes.stedoc"; ls "$C"
            """, fuseConfiguration: "user_allow_other", options: options)
        #expect(ended.lines.filter { !["", "0", "7321"].contains($0) } == ["oneNotes.stedoc", "id", "zero", "oneNotes.stedoc", "id", "zero"], "\(ended.output)\(ended.errors)")
        #expect(ended.lines.filter { $0 == "0" }.count <= 1, "\(ended.output)")
    }

    @Test func whatTheSystemDoesNotLetUsersDoIsExplained() throws {
        let refused = try run("anna \"$valise\" mount -o allow_other \"$C\" \"$M\"; echo \"$? $(mounted)\"")
        #expect(refused.output == "1 0\n" && refused.errors.contains("echo user_allow_other | sudo tee -a /etc/fuse.conf"), "\(refused.errors)")
        let allowed = try run("anna \"$valise\" mount -o allow_other \"$C\" \"$M\"; cat \"$M/Notes.txt\"; anna fusermount3 -u \"$M\"", fuseConfiguration: "user_allow_other")
        #expect(allowed.output == "one", "\(allowed.output)\(allowed.errors)")
        let elsewhere = try run("chown root \"$M\"; anna \"$valise\" mount \"$C\" \"$M\"; echo $?")
        #expect(elsewhere.output == "1\n" && elsewhere.errors.contains("a folder of your own"), "\(elsewhere.errors)")
    }

    /// As in a container without udev, and as where a group of its own has the device.
    @Test func whoMayNotOpenTheDeviceIsToldTheMend() throws {
        let lines = "anna \"$valise\" mount \"$C\" \"$M\"; echo \"$? $(mounted)\"; anna \"$valise\" doctor | grep -c \"may open /dev/fuse\""
        let rootsOwn = try run(lines, device: "600")
        #expect(rootsOwn.output == "1 0\n1\n" && rootsOwn.errors.contains("only root may open /dev/fuse here") && rootsOwn.errors.contains("sudo chmod 0666 /dev/fuse"), "\(rootsOwn.output)\(rootsOwn.errors)")
        let aGroups = try run("chgrp nogroup /dev/fuse; \(lines)", device: "660")
        #expect(aGroups.output == "1 0\n1\n" && aGroups.errors.contains("sudo usermod --append --groups nogroup anna"), "\(aGroups.output)\(aGroups.errors)")
        #expect(rootsOwn.errors.split(separator: "\n").count == 1 && aGroups.errors.split(separator: "\n").count == 1)
    }

    /// A drive whose process stands still, and a program that waits for it: she ends the program's waiting without root's help.
    @Test(arguments: [true, false]) func takesAwayWhatDoesNotAnswer(_ hasSwitchboard: Bool) throws {
        let ended = try run("""
            \(hasSwitchboard ? "mount -t fusectl fusectl /sys/fs/fuse/connections" : "umount -q /sys/fs/fuse/connections")
            anna "$valise" mount -f "$C" "$M" & until [[ $(mounted) = 1 ]]; do sleep 0.05; done
            drive=$(anna "$valise" status --json "$M" | python3 -c 'import json, sys; print(json.load(sys.stdin)["process"])')
            kill -STOP $drive
            ended=$T/ended; : >"$ended"; chmod 666 "$ended"
            anna sh -c 'cat "$0/Notes.txt" >/dev/null 2>&1; echo "$?" >"$1"' "$M" "$ended" & program=$!
            anna "$valise" unmount --lazy "$M" 2>"$T/said"; echo "$? $(mounted)"
            \(hasSwitchboard ? "wait $program; cat \"$ended\"" : "kill -KILL $drive; wait $program")
            kill -KILL $drive 2>/dev/null; wait; sed "s/$drive/N/; s/connections.[0-9]*.abort/C/" "$T/said" >&2
            """)
        #expect(ended.output == (hasSwitchboard ? "1 0\n1\n" : "1 0\n"), "\(ended.output)\(ended.errors)")
        #expect(ended.errors.contains(hasSwitchboard ? "is stopped" : "kill -KILL N, or as root: mount -t fusectl fusectl /sys/fs/fuse/connections"), "\(ended.errors)")
    }
}
