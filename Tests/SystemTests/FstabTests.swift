import Foundation
import MountTesting
import Testing

/// Lines of fstab, as `mount -a` works them off: mounted once, however often it runs, and unmounted as anything else.
@Suite(.long, .mounting) struct FstabTests {
    private static let twice = """
        mount --all --fstab "$T/fstab"; echo "$? $(mounted)"
        mount --all --fstab "$T/fstab"; echo "$? $(mounted)"
        """

    private func system(_ line: String) throws -> PrivateSystem {
        let system = try PrivateSystem()
        let text = line.replacingOccurrences(of: "CONTAINER", with: system.container.path).replacingOccurrences(of: "DRIVE", with: system.container.mountpoint)
        try (text + "\n").write(toFile: system.container.beside("fstab"), atomically: true, encoding: .utf8)
        return system
    }

    @Test(arguments: [
        "defaults", "ro", "rw,noatime", "nofail", "nofail,_netdev", "_netdev", "user", "users", "owner", "group", "user,exec,dev,suid",
        "nouser,async,auto", "x-systemd.automount,x-systemd.idle-timeout=60,x-gvfs-show", "comment=systemd.automount", "comment=mine",
        "noexec,nosuid,nodev,sync,dirsync,nodiratime", "relatime", "norelatime", "lazytime", "silent", "default_permissions",
        "allow_other,uid=1000,gid=1000,umask=027", "uid=nobody,gid=nogroup", "link=html,create=none", #"fsname="CONTAINER",x-a="b,c""#,
        "X-mount.mkdir", "kvs=CONTAINER.plist", "noauto,nofail,_netdev,user,users,x-systemd.automount",
    ], ["valise", "fuse.valise"])
    func mountsOnce(_ options: String, type: String) throws {
        let ended = try system("CONTAINER DRIVE \(type) \(options) 0 0").run("""
            \(Self.twice)
            cat "$M/Notes.txt"
            umount "$M"; echo " $? $(mounted)"
            """)
        let isLeftOut = options.hasPrefix("noauto")
        #expect(ended.errors.isEmpty || isLeftOut, "\(ended.errors)")
        let expected = isLeftOut ? "0 0\n0 0\n 32 0\n" : "0 1\n0 1\none 0 0\n"
        #expect(ended.output == expected, "\(options): \(ended.output)\(ended.errors)")
    }

    @Test func onDemandItIsMountedByItsFolder() throws {
        let ended = try system("CONTAINER DRIVE valise noauto,user 0 0").run("""
            mount --fstab "$T/fstab" "$M"; echo "$? $(mounted)"
            mount --fstab "$T/fstab" "$M" 2>/dev/null; echo "$? $(mounted)"
            fusermount3 -u "$M"; echo "$? $(mounted)"
            """)
        #expect(ended.output == "0 1\n32 1\n0 0\n", "\(ended.output)\(ended.errors)")
    }

    @Test func aMissingContainerIsAnErrorUnlessItMayFail() throws {
        let missing = try system("/nowhere/at-all DRIVE valise defaults 0 0").run(Self.twice)
        #expect(missing.output == "32 0\n32 0\n" && missing.errors.contains("there is no container"), "\(missing.output)\(missing.errors)")
        let allowed = try system("/nowhere/at-all DRIVE valise nofail,_netdev 0 0").run(Self.twice)
        #expect(allowed.output == "0 0\n0 0\n", "\(allowed.output)\(allowed.errors)")
    }

    @Test(arguments: ["comma,and more", "back\\slash", "a quote\"and 'another'", "Grüße\tund Tab", "#hash"])
    func pathsMayHoldAnything(_ name: String) throws {
        let system = try PrivateSystem()
        let ended = try system.run("""
            mkdir "$T/$NAME" "$T/$NAME/c" "$T/$NAME/d"; mv "$C"/* "$T/$NAME/c"
            escaped() { printf %s "$1" | sed -e 's/\\\\/\\\\134/g' -e 's/ /\\\\040/g' -e 's/\\t/\\\\011/g' -e 's/#/\\\\043/g'; }
            printf '%s %s valise defaults 0 0\\n' "$(escaped "$T/$NAME/c")" "$(escaped "$T/$NAME/d")" >"$T/fstab"
            for time in 1 2; do mount --all --fstab "$T/fstab"; echo "$? $(mounted "$T/$NAME/d")"; done
            cat "$T/$NAME/d/Notes.txt"; echo
            cmp <(findmnt --noheadings --raw --output SOURCE --mountpoint "$T/$NAME/d") <(findmnt --noheadings --raw --output TARGET --mountpoint "$T/$NAME/d" | sed 's,/d$,/c,')
            umount "$T/$NAME/d"; echo $?
            """, environment: ["NAME": name])
        #expect(ended.output == "0 1\n0 1\none\n0\n", "\(ended.output)\(ended.errors)")
    }

    @Test(arguments: ["defaults", "_netdev"]) func aLinkToTheContainerIsMountedOnce(_ options: String) throws {
        let system = try system("CONTAINER.link DRIVE valise \(options) 0 0")
        let ended = try system.run("""
            ln -s "$C" "$C.link"
            \(Self.twice)
            umount "$M"
            """)
        #expect(ended.output == "0 1\n0 1\n", "\(ended.output)\(ended.errors)")
    }

    @Test func unmountedAndMountedAtOnceAgain() throws {
        let ended = try system("CONTAINER DRIVE valise defaults 0 0").run("""
            for time in 1 2 3 4 5; do
                mount --all --fstab "$T/fstab" && echo "$time" >"$M/Notes.txt" && umount "$M" || echo "$time failed"
            done
            mount --all --fstab "$T/fstab"; cat "$M/Notes.txt"; umount "$M"
            """)
        #expect(ended.output == "5\n", "\(ended.output)\(ended.errors)")
    }
}
