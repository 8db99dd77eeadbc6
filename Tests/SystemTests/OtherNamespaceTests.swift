import Foundation
import MountTesting
import Testing

/// A drive that is mounted in another mount namespace, too, as containers and services have them: “valise unmount” ends it all the same.
@Suite(.mounting) struct OtherNamespaceTests {
    /// `hold` starts a program in a namespace of its own, in which all that is mounted here is mounted at that moment.
    private func run(_ lines: String) throws -> Ended {
        try PrivateSystem().run("""
            chmod 755 "$T"; chown -R 7321:7321 "$C" "$M"
            cp /etc/passwd "$T/passwd"; echo "anna:x:7321:7321::/nonexistent:/bin/sh" >>"$T/passwd"; mount --bind "$T/passwd" /etc/passwd
            anna() { setpriv --reuid 7321 --regid 7321 --clear-groups env -u HOME "$@"; }
            root() { "$@"; }
            valise=$T/sbin/valise
            hold() {
                unshare --mount --propagation private "$@" & holder=$!
                until [[ $(readlink /proc/$holder/ns/mnt) != "$(readlink /proc/self/ns/mnt)" && $(cat /proc/$holder/comm) != unshare ]]; do sleep 0.01; done
            }
            serving() { pgrep -of "^$valise mount"; }
            \(lines)
            """)
    }

    @Test(arguments: ["root", "anna"]) func itEndsThereAsWell(_ who: String) throws {
        let ended = try run("""
            \(who) "$valise" mount "$C" "$M"; hold sleep 1000
            \(who) sh -c 'echo two >"$0/New.txt"' "$M"
            \(who) "$valise" unmount "$M" 2>"$T/said"; echo "$? $(mounted) $(serving)"; sed "s|$M|M|; s|(process $holder)|(process N)|" "$T/said"
            nsenter --target $holder --mount cat "$M/Notes.txt" 2>&1 | grep -o 'not connected\\|Permission denied'
            ls "$C"; \(who) "$valise" mount "$C" "$M"; echo "$? $(mounted)"; \(who) "$valise" unmount "$M" && kill $holder
            """)
        let said = "valise: “M” is mounted in another mount namespace, too, in which sleep is (process N); it ends there as well, and programs there get errors"
        let refused = who == "root" ? "not connected" : "Permission denied"
        #expect(ended.lines == ["0 0 ", said, refused, "New.stedoc", "Notes.stedoc", "0 1"], "\(ended.output)\(ended.errors)")
    }

    /// A namespace that is kept by a name, and that nobody is in.
    @Test func itEndsWhereNobodyIsAsWell() throws {
        let ended = try run("""
            "$valise" mount "$C" "$M"; mkdir "$T/kept"; mount --bind "$T/kept" "$T/kept"; mount --make-private "$T/kept"; touch "$T/kept/one"
            # It may name the namespace before it has made it, which is refused.
            until unshare --mount="$T/kept/one" --propagation private true 2>/dev/null; do sleep 0.01; done
            "$valise" unmount "$M" 2>"$T/said"; echo "$? $(mounted) $(serving)"; sed "s|$M|M|" "$T/said"
            "$valise" mount "$C" "$M"; echo "$? $(mounted)"; "$valise" unmount "$M"; umount "$T/kept/one" "$T/kept"
            """)
        let said = "valise: “M” is mounted in another mount namespace, too, in which no process is that you may see; it ends there as well, and programs there get errors"
        #expect(ended.lines == ["0 0 ", said, "0 1"], "\(ended.output)\(ended.errors)")
    }

    /// What a program there has mapped and changed is written before that.
    @Test func whatIsMappedThereIsSaved() throws {
        let ended = try run("""
            "$valise" mount "$C" "$M"; printf '%010d' 0 >"$M/plain"
            hold python3 -c 'import mmap, sys, time; f = open(sys.argv[1], "r+b"); m = mmap.mmap(f.fileno(), 10); m[:5] = b"there"; open(sys.argv[2], "w"); time.sleep(1000)' "$M/plain" "$T/mapped"
            until [[ -e $T/mapped ]]; do sleep 0.01; done
            "$valise" unmount "$M" 2>/dev/null; echo "$?"; cat "$C/plain"; kill $holder
            """)
        #expect(ended.output == "0\nthere00000", "\(ended.output)\(ended.errors)")
    }

    /// The same by a signal, which needs no other program.
    @Test(arguments: ["root", "anna"]) func aSignalEndsIt(_ who: String) throws {
        let ended = try run("""
            \(who) "$valise" mount "$C" "$M"; hold sleep 1000
            kill "$(serving)"; until [[ -z $(serving) ]]; do sleep 0.01; done
            \(who) "$valise" mount "$C" "$M"; echo "$? $(mounted)"; \(who) "$valise" unmount "$M"; kill $holder
            """)
        #expect(ended.output == "0 1\n", "\(ended.output)\(ended.errors)")
    }

    /// Taken away here by another program, it lives on there, and its container is in use: who is asked for either says so.
    @Test(arguments: ["root", "anna"]) func whatLivesOnThereIsNamed(_ who: String) throws {
        let ended = try run("""
            \(who) "$valise" mount "$C" "$M"; hold sleep 1000; drive=$(serving); umount "$M"
            for what in "$M" "$C"; do \(who) "$valise" unmount $what 2>&1 | sed "s|$C|C|g; s|$M|M|g; s|process $holder|process H|; s|kill $drive|kill N|"; done
            kill "$drive"; until [[ -z $(serving) ]]; do sleep 0.01; done
            \(who) "$valise" mount "$C" "$M"; echo "$? $(mounted)"; \(who) "$valise" unmount "$M"; kill $holder
            """)
        #expect(ended.lines == [
            "valise: no drive is mounted on “M” any more, and the one that was lives on in another mount namespace, in which sleep is (process H); to end it, saving all: kill N",
            "valise: the container “C” is not mounted here any more, and its drive lives on in another mount namespace, in which sleep is (process H); to end it, saving all: kill N",
            "0 1",
        ], "\(ended.output)\(ended.errors)")
    }

    /// What has ended is not said to live on, and nobody is told to end the program that is there.
    @Test(arguments: ["root", "anna"]) func whatHasEndedThereDoesNotLiveOn(_ who: String) throws {
        let ended = try run("""
            \(who) "$valise" mount "$C" "$M"; hold sleep 1000; \(who) "$valise" unmount "$M" 2>/dev/null; echo "$? $(serving)"
            for what in "unmount $M" "unmount --lazy $M" "unmount $C" "status $M"; do \(who) "$valise" $what 2>&1 | sed "s|$C|C|g; s|$M|M|g"; done
            kill $holder && \(who) "$valise" mount "$C" "$M"; echo "$? $(mounted)"; \(who) "$valise" unmount "$M"
            """)
        let nothing = "valise: no drive is mounted on “M”; those that are: valise status"
        #expect(ended.lines == [
            "0 ", nothing, nothing, "valise: the container “C” is not mounted; to mount it: valise mount C MOUNTPOINT", nothing, "0 1",
        ], "\(ended.output)\(ended.errors)")
    }

    /// Mounted only there, it has no path here: what ends it is said, and does.
    @Test func whatEndsADriveThatIsOnlyThereIsSaid() throws {
        let ended = try run("""
            unshare --mount --propagation private "$valise" mount "$C" "$M"; drive=$(serving)
            for what in "mount $C $M" "unmount $C"; do "$valise" $what 2>&1 | sed "s|$C|C|g; s|$M|M|g; s|$drive|N|g"; done
            kill "$drive"; until [[ -z $(serving) ]]; do sleep 0.01; done
            "$valise" mount "$C" "$M"; echo "$? $(mounted)"; "$valise" unmount "$M"
            """)
        #expect(ended.lines == [
            "valise: “C” is being written already (process N, mounted on M): that is in another mount namespace; to end it, saving all: kill N; or mount this one with -o ro",
            "valise: the container “C” is mounted in another mount namespace, by process N; to end that, saving all: kill N",
            "0 1",
        ], "\(ended.output)\(ended.errors)")
    }

    /// Somebody mounted it a second time here: that is theirs, and named.
    @Test func aSecondPlaceHereGoesOn() throws {
        let ended = try run("""
            "$valise" mount "$C" "$M"; mkdir "$T/second"; mount --bind "$M" "$T/second"
            "$valise" unmount "$M" 2>"$T/said"; echo "$? $(serving | grep -c .)"; sed "s|$T|T/|g" "$T/said"; cat "$T/second/Notes.txt"; echo
            "$valise" unmount "$T/second"; echo "$? $(serving)"
            """)
        let said = "valise: its drive is still mounted on “T/second”, and goes on there; to take it away, too: valise unmount T/second"
        #expect(ended.lines == ["0 1", said, "one", "0 "], "\(ended.output)\(ended.errors)")
    }
}
