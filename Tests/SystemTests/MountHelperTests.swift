import Foundation
import MountTesting
import Testing

/// `mount -t valise` and `mount -t fuse.valise`: what mount(8) hands on, and what it is answered.
@Suite(.mounting) struct MountHelperTests {
    @Test(arguments: ["valise", "fuse.valise"]) func mountsAndAnswersOnceTheDriveDoes(_ type: String) throws {
        let ended = try PrivateSystem().run("""
            env -u HOME mount -t \(type) "$C" "$M" -o ro && cat "$M/Notes.txt"; echo " $? $(mounted)"
            findmnt --noheadings --output SOURCE,FSTYPE "$M"
            touch "$M/new" 2>/dev/null || echo read-only
            umount "$M"; echo "$? $(mounted)"
            """)
        #expect(ended.lines.first == "one 0 1" && ended.lines.suffix(2) == ["read-only", "0 0"], "\(ended.output)\(ended.errors)")
        #expect(ended.lines[1].split(separator: " ").map(String.init).last == "fuse.valise")
    }

    @Test func itsLettersAreUnderstood() throws {
        let ended = try PrivateSystem().run("""
            mount -f -t valise "$C" "$M"; echo "fake $? $(mounted)"
            mount -f -t valise "$T/nowhere" "$M" 2>/dev/null; echo "fake $? $(mounted)"
            mount -n -t valise "$C" "$M"; echo "no table $? $(mounted)"; umount "$M"
            mount -s -t valise -o nosuchoption "$C" "$M"; echo "sloppy $? $(mounted)"; umount "$M"
            mount -t valise -o nosuchoption "$C" "$M" 2>"$T/said"; echo "not sloppy $? $(mounted)"; grep -o "is not a mount option" "$T/said"
            mount -v -t valise "$C" "$M" | grep -c "is mounted on"; umount "$M"
            mount -r -t valise "$C" "$M"; findmnt -n -o OPTIONS "$M" | cut -c 1-2; umount "$M"
            mount -t valise "$C" "$M" && mount -o remount,ro "$M" 2>"$T/said"; echo "remount $?"; grep -o "cannot be remounted" "$T/said"; umount "$M"
            """)
        #expect(ended.output == """
            fake 0 0
            fake 32 0
            no table 0 1
            sloppy 0 1
            not sloppy 1 0
            is not a mount option
            1
            ro
            remount 32
            cannot be remounted

            """, "\(ended.output)\(ended.errors)")
    }

    @Test func mountsInAnotherNamespace() throws {
        let ended = try PrivateSystem().run("""
            unshare --mount --propagation private sleep 100 & other=$!
            until [[ $(readlink /proc/$other/ns/mnt) != "$(readlink /proc/self/ns/mnt)" ]]; do sleep 0.01; done
            mount -N $other -t valise "$C" "$M"; echo "$? $(mounted)"
            nsenter --mount=/proc/$other/ns/mnt cat "$M/Notes.txt"
            nsenter --mount=/proc/$other/ns/mnt umount "$M"; echo " $?"
            kill $other
            """)
        #expect(ended.output == "0 0\none 0\n", "\(ended.output)\(ended.errors)")
    }

    @Test(arguments: [
        (["CONTAINER", "DRIVE", "-o"], 1, "“-o” needs a value"), (["CONTAINER"], 1, "it needs a container and a mountpoint"),
        (["CONTAINER", "DRIVE", "more"], 1, "unexpected operand “more”"), (["CONTAINER", "DRIVE", "-x"], 1, "“-x” is not an option"),
        (["CONTAINER", "DRIVE", "-t", "ext4"], 1, "“ext4” is not a type"), (["CONTAINER", "DRIVE", "-o", "uid=x"], 1, "is not a number"),
        (["CONTAINER", "DRIVE", "-N", "/nowhere"], 32, "the namespace"), (["CONTAINER", "nowhere"], 32, "there is no folder"),
        (["CONTAINER", "DRIVE", "-o", "ro,remount"], 32, "cannot be remounted"),
    ]) func refusesWithMountsExitCodes(_ words: [String], code: Int32, sentence: String) throws {
        let container = try TemporaryContainer()
        let helper = container.beside("mount.valise")
        symlink(Places.valise, helper)
        let filled = words.map { ["CONTAINER": container.path, "DRIVE": container.mountpoint][$0] ?? $0 }
        let ended = try Program([helper] + filled).wait()
        #expect(ended.code == code && ended.errors.contains(sentence), "\(ended.code) \(ended.errors)")
    }

    @Test func aStoppedDriveIsFoundByItsProcess() throws {
        let ended = try PrivateSystem().run("""
            mount -t valise "$C" "$M"
            process=$(grep -o '"process":[0-9]*' "$M/.valise/status" | cut -d: -f2)
            kill -STOP $process; "\(Places.valise)" doctor | grep "on “$M”"; kill -CONT $process
            umount "$M"
            """)
        #expect(ended.output.contains("is stopped"), "\(ended.output)\(ended.errors)")
    }

    /// From a clone, the script stands in for the program.
    @Test(arguments: [true, false]) func theScriptOfACloneIsAHelperToo(_ isBuilt: Bool) throws {
        let ended = try PrivateSystem(helper: Places.inPackage("mount-helper.sh")).run("""
            mount -t valise "$C" "$M"; echo "$? $(mounted)"
            """, environment: ["BUILT": isBuilt ? Places.built : "/nowhere"])
        #expect(ended.output == (isBuilt ? "0 1\n" : "32 0\n"), "\(ended.output)\(ended.errors)")
        #expect(isBuilt || ended.errors.contains("mount-helper.sh build"))
    }
}
