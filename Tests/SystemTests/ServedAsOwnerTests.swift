import Foundation
import MountTesting
import Testing

/// Drives that root mounts for a container's owner (`-o as=owner`): their process is the owner's, for good, and so is the drive.
@Suite(.mounting, .enabled(if: geteuid() == 0, "only root can become another user")) struct ServedAsOwnerTests {
    /// Anna's container, in a system that knows her and Bob. `drive` mounts, and `process` is the one that serves.
    private func run(_ lines: String, content: String = "text Notes one", home: String = "/nonexistent") throws -> Ended {
        try PrivateSystem(content).run("""
            chmod 755 "$T"; chown -R 7321:7321 "$C" "$M"
            for file in passwd group; do cp /etc/$file "$T/$file"; done
            printf 'anna:x:7321:7321::%s:/bin/sh\\nbob:x:7322:7322::/nonexistent:/bin/sh\\n' "\(home)" >>"$T/passwd"
            printf 'anna:x:7321:\\nhelpers:x:7400:anna\\n' >>"$T/group"
            for file in passwd group; do mount --bind "$T/$file" "/etc/$file" || exit; done
            anna() { setpriv --reuid 7321 --regid 7321 --init-groups "$@"; }
            bob() { setpriv --reuid 7322 --regid 7322 --clear-groups "$@"; }
            valise=$T/sbin/valise
            drive() { "$valise" mount -o "as=owner${1:+,$1}" "$C" "$M" || echo "not mounted: $?"; }
            process() { anna "$valise" status --json "$M" | python3 -c 'import json, sys; print(json.load(sys.stdin)["drives"][0]["process"])'; }
            ends() { for time in {1..100}; do [[ $(mounted) = 0 ]] && break; sleep 0.05; done; echo "$1 $(mounted)"; }
            \(lines)
            """)
    }

    @Test(arguments: ["", "allow_other", "ro", "nosandbox"]) func itsProcessIsTheOwnersForGood(_ options: String) throws {
        let ended = try run("""
            drive \(options)
            for thread in /proc/$(process)/task/*; do grep -E '^(Uid|Gid|Groups|Cap[A-Z][a-z]+):' $thread/status; done | tr -s '\\t ' '  ' | sed 's/ $//' | sort -u
            guard=$(pgrep -P "$(process)" -x valise-guard); stat -c %u "/proc/$guard/status" >/dev/null && grep Uid "/proc/$guard/status" | tr '\\t' ' '
            "$valise" unmount "$M"
            """)
        let none = "0000000000000000"
        let facts = ["CapAmb: \(none)", "CapBnd: \(none)", "CapEff: \(none)", "CapInh: \(none)", "CapPrm: \(none)", "Gid: 7321 7321 7321 7321", "Groups: 7321 7400", "Uid: 7321 7321 7321 7321"]
        #expect(ended.lines == facts + ["Uid: 7321 7321 7321 7321"], "\(ended.output)\(ended.errors)")
    }

    /// An app of root's hands nothing over to it, and saves by itself: it stays the owner's document, and the drive shows it.
    @Test func anAppOfRootsSavesBesideIt() throws {
        let ended = try run("""
            chmod 640 "$C/Notes.stedoc"
            drive
            "\(Places.built)/DocumentTrial" "$C/Notes.stedoc" open text edit:two save state close | grep -v state
            anna cat "$M/Notes.txt"; echo
            stat -c '%u %a' "$C/Notes.stedoc"
            "$valise" unmount "$M"
            ls -A "$C/.valise-root/handed"
            """)
        #expect(ended.lines.filter { $0 != "disable" } == ["load one", "open true", "text one", "contents two", "save true", "is normal", "close true", "two", "7321 640"], "\(ended.output)\(ended.errors)")
    }

    @Test func theDriveIsTheOwners() throws {
        let ended = try run("""
            drive
            anna cat "$M/Notes.txt"; echo
            anna sh -c 'echo two >"$0/Notes.txt"; echo new >"$0/New.txt"; mkdir "$0/Folder"' "$M"
            anna "$valise" versions -q "$M/Notes.txt" | wc -l
            for who in bob env; do $who ls "$M" 2>&1 | grep -c "Permission denied"; done
            "$valise" status "$M" 2>&1 | grep -c "belongs to another user"
            "$valise" unmount "$M"
            find "$C" ! -user 7321; ls -A "$C"
            cat "$C/New.stedoc"
            """)
        #expect(ended.output == "one\n1\n1\n1\n1\n.valise\nFolder\nNew.stedoc\nNotes.stedoc\nnew\n" && ended.errors.isEmpty, "\(ended.output)\(ended.errors)")
    }

    /// The process is no more than the owner, whoever asks: what is root's in her container stays closed.
    @Test func othersGetWhatTheBitsGiveAndTheProcessNoMoreThanItsOwner() throws {
        let ended = try run("""
            echo public >"$C/open"; echo private >"$C/closed"; chown 7321:7321 "$C/open" "$C/closed"; chmod 666 "$C/open"; chmod 600 "$C/closed"
            echo secret >"$C/roots"; chmod 600 "$C/roots"
            drive allow_other
            bob cat "$M/open" "$M/Notes.txt"; echo
            bob sh -c 'echo more >>"$0/open"; echo x >>"$0/Notes.txt"; cat "$0/closed"; true >"$0/new"; rm "$0/open"' "$M" 2>&1 | grep -c "Permission denied"
            cat "$M/closed" "$M/open"; cat "$M/roots" 2>&1 | grep -c "Permission denied"
            anna cat "$M/roots" 2>&1 | grep -c "Permission denied"
            "$valise" unmount "$M"
            """)
        #expect(ended.output == "public\none\n4\nprivate\npublic\nmore\n1\n1\n" && ended.errors.isEmpty, "\(ended.output)\(ended.errors)")
    }

    /// What root's drive must mistrust is now hers to say, and leads nowhere where she could not go.
    @Test func whatIsPlantedInTheContainerLeadsToNothingOfRoots() throws {
        let ended = try run("""
            mkdir -m 700 "$T/roots" && echo secret >"$T/roots/file"; mkdir "$C/.valise"; ln -s "$T/roots" "$C/.valise/journal"; ln -s "$T/roots" "$C/.valise/staging"
            ln -s "$T/roots/file" "$C/link"; chown -hR 7321:7321 "$C"
            "$valise" mount -o as=owner,allow_other "$C" "$M" 2>/dev/null; [[ $(mounted) = 1 ]] && { cat "$M/Notes.txt" >/dev/null; echo more >"$M/Notes.txt"; anna cat "$M/link"; "$valise" unmount "$M"; } 2>/dev/null
            ls -A "$T/roots"; stat -c '%u %a' "$T/roots" "$T/roots/file"; cat "$T/roots/file"
            """)
        #expect(ended.output == "file\n0 700\n0 644\nsecret\n", "\(ended.output)\(ended.errors)")
    }

    @Test(arguments: [
        "anna \"$valise\" unmount \"$M\"", "anna fusermount3 -u \"$M\"", "\"$valise\" unmount \"$M\"", "umount \"$M\"", "kill $(process)", "anna kill $(process)", "kill -KILL $(process)",
    ])
    func whoeverEndsItNoMountIsLeft(_ ending: String) throws {
        let ended = try run("""
            drive; served=$(process); helper=$(pgrep -P $served -x valise-helper)
            \(ending); ends $?
            for time in {1..100}; do [[ -e /proc/$helper/exe ]] || break; sleep 0.05; done; [[ ! -e /proc/$helper/exe ]] || echo "helper left"
            drive; anna cat "$M/Notes.txt"; "$valise" unmount "$M"
            """)
        #expect(ended.output == "0 0\none", "\(ending): \(ended.output)\(ended.errors)")
    }

    /// A program that waits for a killed drive is told of its end, also where the system has not mounted the kernel's switches.
    @Test func nobodyWaitsForAKilledDrive() throws {
        let ended = try run("""
            umount -q /sys/fs/fuse/connections
            drive; served=$(process); kill -STOP $served
            mkdir -m 777 "$T/begun"
            anna sh -c 'touch "$1/now"; cat "$0/Notes.txt" 2>/dev/null || echo told' "$M" "$T/begun" & program=$!
            until [[ -e $T/begun/now ]]; do sleep 0.01; done; sleep 0.2
            kill -KILL $served; wait $program; ends $?
            """)
        #expect(ended.output == "told\n0 0\n", "\(ended.output)\(ended.errors)")
    }

    @Test(arguments: ["as=owner,nofail", "as=owner,owner,noauto,user,suid,dev,exec"]) func linesOfFstab(_ options: String) throws {
        let ended = try run("""
            echo "$C $M valise \(options) 0 0" >"$T/fstab"; mount --bind "$T/fstab" /etc/fstab
            mount "$M"; echo "$? $(mounted)"; mount --all; echo "$? $(mounted)"
            findmnt --noheadings --output OPTIONS "$M" | grep -c 'nosuid,nodev.*user_id=7321,group_id=7321'
            anna cat "$M/Notes.txt"; anna umount "$M"; echo " $? $(mounted)"
            """)
        #expect(ended.output == "0 1\n0 1\n1\none 0 0\n", "\(ended.output)\(ended.errors)")
        #expect(ended.errors == (options.contains("suid") ? "valise: a drive that is served as its container's owner is mounted without “suid” and “dev”\n" : ""))
    }

    /// mount(8) has a meaning of its own for the word, and most of its releases keep it to themselves.
    @Test func theWordAloneIsNotForFstab() throws {
        let ended = try run("""
            "$T/sbin/mount.valise" "$C" "$M" -o owner 2>&1 | grep -c "with -o as=owner is served as them"; findmnt --noheadings --output OPTIONS "$M" | grep -c user_id=0; umount "$M"
            "$valise" mount -o owner "$C" "$M"; findmnt --noheadings --output OPTIONS "$M" | grep -c user_id=7321; "$valise" unmount "$M"
            """)
        #expect(ended.output == "1\n1\n1\n" && ended.errors.isEmpty, "\(ended.output)\(ended.errors)")
    }

    @Test func serveInTheForegroundWithNothingOfRootsOpen() throws {
        let ended = try run("""
            exec 7<"$T/passwd"
            "$valise" mount -f -o as=owner "$C" "$M" & served=$!
            until [[ $(mounted) = 1 ]]; do sleep 0.05; done; anna cat "$M/Notes.txt"; echo
            readlink /proc/$served/fd/* | grep -c "passwd$"; readlink /proc/$served/cwd; tr '\\0' '\\n' </proc/$served/environ | grep -c ^HOME=
            kill $served; wait $served; ends $?
            """)
        #expect(ended.output.hasPrefix("one\n0\n/\n") && ended.output.hasSuffix("\n0 0\n"), "\(ended.output)\(ended.errors)")
    }

    // MARK: The mountpoint

    /// She exchanges a folder above it: what has its path now is another mount, and root does not take that away. Root's own drives
    /// that are killed stay, as those of others do.
    @Test(arguments: [("as=owner", "KILL"), ("as=owner", "TERM"), ("rw", "TERM"), ("nosandbox", "TERM")])
    func rootUnmountsTheDriveAndNothingElse(_ options: String, _ signal: String) throws {
        let ended = try run("""
            mkdir -p "$T/hers/above/point" "$T/other/point"; chown -R 7321:7321 "$T/hers"; mount -t tmpfs tmpfs "$T/other/point"
            "$valise" mount -f -o \(options) "$C" "$T/hers/above/point" & served=$!
            until [[ $(mounted "$T/hers/above/point") = 1 ]]; do sleep 0.05; done
            anna mv "$T/hers/above" "$T/hers/away"; anna ln -s "$T/other" "$T/hers/above"
            kill -\(signal) $served; wait $served 2>/dev/null
            for time in {1..100}; do [[ $(mounted "$T/hers/away/point") = 0 ]] && break; sleep 0.05; done
            mounted "$T/hers/away/point"; findmnt --noheadings --output FSTYPE "$T/other/point"; umount "$T/other/point"
            """)
        #expect(ended.output == "0\ntmpfs\n", "\(ended.output)\(ended.errors)")
    }

    /// Nor does code of somebody else's in the drive's process have root do so, which says that the drive ends, and then asks for it.
    @Test func rootUnmountsNothingElseForOneWhoEnds() throws {
        let library = try MountTesting.TemporaryFolder()
        try MountTesting.run("clang", "-shared", "-fPIC", "-o", library.path + "/attack.so", Places.support("taken_over.c")).good()
        let ended = try run("""
            mkdir -p "$T/hers/above/point" "$T/other/point"; chown -R 7321:7321 "$T/hers"; mount -t tmpfs tmpfs "$T/other/point"
            LD_PRELOAD=\(library.path)/attack.so SAID="$C/said" ENDING=1 "$valise" mount -f -o as=owner "$C" "$T/hers/above/point" & served=$!
            until [[ $(mounted "$T/hers/above/point") = 1 ]]; do sleep 0.05; done
            anna mv "$T/hers/above" "$T/hers/away"; anna ln -s "$T/other" "$T/hers/above"
            anna mkdir "$T/hers/away/point/attack" 2>/dev/null
            for time in {1..100}; do [[ $(tail -n 1 "$C/said") = tried ]] && break; sleep 0.05; done; tail -n 1 "$C/said"
            kill $served; wait $served 2>/dev/null
            findmnt --noheadings --output FSTYPE "$T/other/point"; umount "$T/other/point"
            """)
        #expect(ended.output == "tried\ntmpfs\n", "\(ended.output)\(ended.errors)")
    }

    /// Not over what is root's or somebody else's, by whatever path.
    @Test func itIsAFolderOfHers() throws {
        let ended = try run("""
            mkdir "$T/roots" "$T/bobs" "$T/hers"; chown bob: "$T/bobs"; chown anna: "$T/hers"; anna ln -s "$T/roots" "$T/hers/link"
            for place in "$T/roots" "$T/bobs" "$T/hers/link"; do
                "$valise" mount -o as=owner "$C" "$place" 2>&1 | grep -c "is not anna's.*: chown anna"
                mount -t valise -o as=owner,nonempty "$C" "$place" 2>&1 | grep -c "is not anna's"
            done
            # Other tests have drives of their own.
            findmnt --noheadings --list --types fuse.valise --output TARGET | grep -F "$T/"
            """)
        #expect(ended.output == "1\n1\n1\n1\n1\n1\n", "\(ended.output)\(ended.errors)")
    }

    /// What root has written down for itself does not count on her drive.
    @Test func itHasTheKindsThatSheWroteDown() throws {
        let ended = try run("""
            for who in home root; do mkdir -p "$T/$who/.config/valise"; done
            printf '[hers]\\nextension = hers\\nparts = a.md\\n' >"$T/home/.config/valise/kinds"
            printf '[roots]\\nextension = roots\\nparts = a.md\\n' >"$T/root/.config/valise/kinds"
            chown -R anna: "$T/home"; chmod 700 "$T/home" "$T/root"; export HOME=$T/root
            drive
            anna ls "$M"
            "$valise" unmount "$M"
            """, content: "file One.hers/a.md x\nfile Two.roots/a.md x", home: "$T/home")
        #expect(ended.output == "One.md\nTwo.roots\n" && ended.errors.isEmpty, "\(ended.output)\(ended.errors)")
    }

    // MARK: Refusals

    @Test func whatCannotBeIsToldTheMend() throws {
        let ended = try run("""
            mkdir "$T/roots" "$T/nobodys"; chown 7999 "$T/nobodys"
            "$valise" mount -o owner "$T/roots" "$M"; echo "$? $(mounted)"
            "$valise" mount -o as=owner "$T/nobodys" "$M"; echo "$? $(mounted)"
            bob "$valise" mount -o as=owner "$C" "$M"; echo "$? $(mounted)"
            "$valise" mount -o as=anna "$C" "$M"; echo "$? $(mounted)"
            "$valise" mount -o as=owner,suid "$C" "$M"; echo "$? $(mounted)"; "$valise" unmount "$M"
            anna "$valise" mount -o as=owner "$C" "$M"; echo "$? $(mounted)"; anna "$valise" unmount "$M"
            """)
        let said = ["belongs to root, so there is nobody else to serve it as", "whom this system does not know", "belongs to anna, and only root can serve it as them", "“as=anna” is not understood", "is mounted without “suid”"]
        #expect(ended.output == "1 0\n1 0\n1 0\n1 0\n0 1\n0 1\n", "\(ended.output)\(ended.errors)")
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.count == said.count && zip(lines, said).allSatisfy { $0.contains($1) }, "\(ended.errors)")
    }
}
