import Foundation
import MountTesting
import Testing

/// Drives of users who are not root: fusermount3 mounts for them, and mount(8) where fstab says that they may.
@Suite(.long, .mounting) struct UserMountTests {
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

    /// What she may not read is no document that somebody is about to write: it is there at once, and a document when she may.
    @Test func whatIsNotHersToReadIsThereAtOnce() throws {
        let ended = try run("""
            anna "$valise" mount "$C" "$M"; anna ls "$M"
            cp "$C/Notes.stedoc" "$T/new"; chmod 600 "$T/new"; mkdir -m 700 "$T/package"; echo x >"$T/package/photo.data"
            start=$(date +%s%N); mv "$T/new" "$C/Secret.stedoc"; mv "$T/package" "$C/Cat.ptk"
            until anna test -e "$M/Secret.stedoc" -a -e "$M/Cat.ptk"; do sleep 0.05; done; echo $((($(date +%s%N) - start) / 2000000000))
            anna ls "$M"; chmod 644 "$C/Secret.stedoc"
            until anna test -e "$M/Secret.txt"; do sleep 0.05; done; anna cat "$M/Secret.txt"; echo
            anna "$valise" unmount "$M"
            cd /; anna "$valise" kvs set a b; anna "$valise" kvs get a; anna "$valise" kvs watch
            """)
        for usage in ["set KEY VALUE", "get KEY", "watch"] {
            #expect(ended.errors.contains("valise: no drive is mounted; name a container at the end: valise kvs \(usage) CONTAINER\n"), "\(ended.errors)")
        }
        #expect(ended.output == "Notes.txt\n0\nCat.ptk\nNotes.txt\nSecret.stedoc\none\n", "\(ended.output)\(ended.errors)")
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
        let lines = "anna \"$valise\" mount \"$C\" \"$M\"; echo \"$? $(mounted)\"; anna \"$valise\" doctor 2>/dev/null | grep -c \"may open /dev/fuse\""
        let rootsOwn = try run(lines, device: "600")
        #expect(rootsOwn.output == "1 0\n1\n" && rootsOwn.errors.contains("only root may open /dev/fuse on this system") && rootsOwn.errors.contains("sudo chmod 0666 /dev/fuse"), "\(rootsOwn.output)\(rootsOwn.errors)")
        let aGroups = try run("chgrp nogroup /dev/fuse; \(lines)", device: "660")
        #expect(aGroups.output == "1 0\n1\n" && aGroups.errors.contains("sudo usermod --append --groups nogroup anna"), "\(aGroups.output)\(aGroups.errors)")
        #expect(rootsOwn.errors.split(separator: "\n").count == 1 && aGroups.errors.split(separator: "\n").count == 1, "\(rootsOwn.errors)\(aGroups.errors)")
    }

    /// A drive may be named by its container, and but for taking it away by anything on it; several are a table; all of hers go at once, and nobody else's.
    @Test func allHerDrives() throws {
        let ended = try run("""
            mkdir -p "$T/c2/Documents/In" "$T/d2"; echo 'no archive' >"$T/c2/Documents/Bookmark_Swift-1"; echo one >"$T/c2/Documents/In/List.stedoc"; chown -R 7321:7321 "$T/c2" "$T/d2"
            mkdir "$T/c3" "$T/d3"; "$valise" mount "$T/c3" "$T/d3"
            anna "$valise" status; anna "$valise" unmount --all; echo "$? nothing of hers"
            anna "$valise" mount "$C" "$M" && anna "$valise" mount -o ro "$T/c2" "$T/d2"
            anna python3 -c 'import os, sys; f = open(sys.argv[2] + "/Notes.txt", "w"); open(sys.argv[1] + "/Notes.stedoc", "w").write("theirs"); f.write("mine")' "$C" "$M"
            anna ls "$T/d2" >/dev/null
            for verb in status list; do anna "$valise" $verb | sed -n 2,3p | sed "s:$T::g" | tr -s ' '; done
            anna "$valise" list -q | sed "s:$T::g"
            for path in "$M/Notes.txt" "$M" "$C" "$C/Notes.stedoc"; do anna "$valise" status "$path" | sed -n "s:$T::g; 1p; /^  conflicts/,/Notes/p"; done
            anna "$valise" status --json | python3 -c '
            import json, sys, datetime
            for drive in json.load(sys.stdin)["drives"]:
                datetime.datetime.fromisoformat(drive["since"].replace("Z", "+00:00"))
                print(drive["readOnly"], [c["path"].split("/")[-1] for c in drive["conflicts"]], drive["errorCount"])'
            anna "$valise" conflicts | grep -c conflict; anna "$valise" conflicts "$C" | sed -n "1s:$T::p"
            anna "$valise" find List | sed "s:$T::g"
            anna "$valise" unmount "$T/d2/In/List.txt" 2>/dev/null; echo "$? $(mounted) $(mounted "$T/d2")"
            anna "$valise" unmount "$T/c2"; echo "$? $(mounted) $(mounted "$T/d2")"
            anna "$valise" umount -v --all | sed "s:$T::g"; echo "$? $(mounted) $(mounted "$T/d3")"
            "$valise" unmount "$T/d3"
            """)
        #expect(ended.output == """
            no drive is mounted; to mount one: valise mount CONTAINER MOUNTPOINT
            0 nothing of hers
            drive container rw 1 0 0 1 0
            d2 c2 ro 0 0 0 0 1
            drive container rw 1 0 0 1 0
            d2 c2 ro 0 0 0 0 1
            drive
            d2
            \(Array(repeating: "drive\n  conflicts   1\n    “Notes.txt”", count: 4).joined(separator: "\n"))
            False ['Notes.txt'] 0
            True [] 1
            1
            container/Notes.stedoc
            d2/In/List.txt
            1 1 1
            0 1 0
            “drive” is unmounted
            0 0 1

            """, "\(ended.output)\(ended.errors)")
        #expect(ended.errors.isEmpty, "\(ended.errors)")
    }

    /// As in a container of Docker's that runs as any user: who has no name is told by whom that matters, and what helps.
    @Test func whoHasNoNameIsToldSo() throws {
        let ended = try run("""
            chown -R 7399:7399 "$C" "$M"; nameless() { setpriv --reuid 7399 --regid 7399 --clear-groups env -u HOME "$@"; }
            nameless "$valise" mount "$C" "$M" 2>"$T/said"; echo "$? $(mounted)"; sed 's/; try: .*//' "$T/said"
            nameless "$valise" doctor | grep -A1 -c 'user 7399, by a name'; nameless "$valise" status
            cp "$T/passwd" "$T/more"; nameless "$valise" doctor | sed -n '/7399.*sudo tee/{s/.*fix: //; s/ | sudo tee.*//; p}' | sh >>"$T/more"; mount --bind "$T/more" /etc/passwd
            nameless "$valise" mount "$C" "$M"; echo "$? $(mounted)"; nameless cat "$M/Notes.txt"; echo; nameless "$valise" unmount "$M"; umount /etc/passwd
            """)
        #expect(ended.output == """
            1 0
            valise: this system does not know you, user 7399, by a name, and fusermount3 mounts for nobody else
            1
            no drive is mounted; to mount one: valise mount CONTAINER MOUNTPOINT
            0 1
            one

            """, "\(ended.output)\(ended.errors)")
    }

    /// Not what it looks like from outside, but that one may not know.
    @Test func whatMayNotBeReadIsNotCalledPlain() throws {
        let ended = try run("""
            chown -R root "$C"; chmod 600 "$C/Notes.stedoc"; chmod 711 "$T"
            "$valise" mount -o allow_other "$C" "$M"; cd "$T"
            anna "$valise" info drive/Notes.txt container/Notes.stedoc
            anna "$valise" info --json drive/Notes.txt | grep -o '"error":.*' | cut -d: -f2 | head -c 20; echo
            chmod 644 "$C/Notes.stedoc"; until anna cat drive/Notes.txt >/dev/null 2>&1; do sleep 0.05; done; anna "$valise" info drive/Notes.txt | grep kind
            mkdir -m 700 "$C/Cat.ptk"; anna "$valise" check "$C" | grep -c Cat.ptk
            "$valise" unmount "$M"
            """)
        #expect(ended.output == """
            drive/Notes.txt
              error  you may not read it, and so are not told what it is
            container/Notes.stedoc
              stored name  Notes.stedoc
              error        it cannot be read: Permission denied
            "you may not read it
              kind         text
            1

            """, "\(ended.output)\(ended.errors)")
    }

    /// It says the folder that the drive may not write in, and is saved by itself when it may.
    @Test func whatMayNotBeSavedSaysWhere() throws {
        let ended = try run("""
            anna "$valise" mount "$C" "$M"; chmod 555 "$C"
            anna sh -c 'echo two >"$0/Notes.txt"' "$M" 2>/dev/null
            until anna "$valise" status "$M" | grep -q "could not be saved"; do sleep 0.05; done
            anna "$valise" status "$M" | grep -o "it could not be saved.*" | sed "s:$T::g"
            chmod 755 "$C"; until grep -q two "$C/Notes.stedoc"; do sleep 0.05; done
            until anna "$valise" status "$M" | grep "drafts *none"; do sleep 0.05; done
            anna "$valise" unmount "$M"
            """)
        #expect(ended.output == """
            it could not be saved: Permission denied; that is tried again by itself when the drive may write in the folder “container”
              drafts      none

            """, "\(ended.output)\(ended.errors)")
    }

    /// What somebody else may not be looked into, by who is not they: no damage, and nothing to take away from them.
    @Test func anotherUsersContainerIsTheirs() throws {
        let ended = try run("""
            mkdir "$C/private"; chmod 700 "$C/private"; printf x >"$C/secret.stedoc"; chmod 600 "$C/secret.stedoc"; chown -R root "$C/private" "$C/secret.stedoc"
            anna "$valise" mount "$C" "$M" && anna "$valise" unmount "$M"
            anna "$valise" check "$C" | sed "s:$T::g"; echo "${PIPESTATUS[0]}"
            setpriv --reuid 7322 --regid 7322 --clear-groups "$valise" check -q "$C"; echo "$?"
            anna "$valise" check --json "$C" | python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["problems"], sorted(f["path"] for f in a["findings"] if f["denied"]))'
            chown root "$C"; chmod 700 "$C"; anna "$valise" check "$C" 2>&1 | sed "s:$T::g"; echo "${PIPESTATUS[0]}"
            anna "$valise" doctor "$C" | grep -c chown; anna "$valise" doctor "$C" | grep -c "as root: setfacl -R -m u:anna:rX"
            """)
        #expect(ended.output == """
            “container”: 1 text, 1 other file, 1 folder
            note     “secret.stedoc”: it cannot be read: Permission denied
            note     “private”: it cannot be read: Permission denied
            2 of what is in it could not be looked at: you may not. Nothing is wrong in the rest.
            8
            8
            0 ['private', 'secret.stedoc']
            valise: you may not read “container”: its owner can give you the permission, by a group or an ACL
            8
            0
            1

            """, "\(ended.output)\(ended.errors)")
    }

    /// A drive whose process stands still, and a program that waits for it: she ends the program's waiting without root's help.
    @Test(arguments: [true, false]) func takesAwayWhatDoesNotAnswer(_ hasSwitchboard: Bool) throws {
        let ended = try run("""
            \(hasSwitchboard ? "mount -t fusectl fusectl /sys/fs/fuse/connections" : "umount -q /sys/fs/fuse/connections")
            anna "$valise" mount -f "$C" "$M" & until [[ $(mounted) = 1 ]]; do sleep 0.05; done
            drive=$(anna "$valise" status --json "$M" | python3 -c 'import json, sys; print(json.load(sys.stdin)["drives"][0]["process"])')
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
