import Foundation
import MountTesting
import Testing

/// Root in a container that its owner has prepared: with names that lead elsewhere, and with names for files of others, as everybody
/// may make them where `fs.protected_hardlinks` is off.
@Suite(.mounting, .enabled(if: geteuid() == 0, "only root is led astray")) struct HostileContainerTests {
    private static let ann = 7401
    /// What is root's: a folder with all kinds of things, which no name of Ann's may change.
    private static let secret = """
        mkdir -m 700 ../roots && cd ../roots && mkdir Documents Cat.ptk && for name in secret Notes.stedoc Bookmark_x-1 Cat.ptk/photo.data; do
        printf 'secret, and long enough for everything' >$name; touch -d 2020-01-01 $name; done; chmod 600 secret Notes.stedoc Bookmark_x-1 Cat.ptk/photo.data; cd ../container
        """
    /// Second names change the times of change, and the number of names; nothing else.
    private static let facts = "cd ../roots && find . -printf '%p %U %G %m %s %T@\\n' | LC_ALL=C sort; sha256sum $(find . -type f | LC_ALL=C sort); getfattr -hRd -m - ."

    private func container(_ lines: String) throws -> TemporaryContainer {
        let container = try TemporaryContainer()
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        try shell("\(Self.secret)\n\(lines)\nchown -h \(Self.ann):\(Self.ann) . * .valise 2>/dev/null; find ../roots -exec chown -h 0:0 {} +", in: container.path).good()
        return container
    }

    private func facts(_ container: TemporaryContainer) throws -> String { try shell(Self.facts, in: container.path).good().output }

    @Test(arguments: ["allow_other", "allow_other,umask=0", "allow_other,versions=off"])
    func aNameForAFileOfRootsGivesNoRights(options: String) throws {
        let container = try container("""
            mkdir Documents; cd Documents; ln ../../roots/secret plain; ln ../../roots/Notes.stedoc Notes.stedoc; ln ../../roots/Bookmark_x-1 Bookmark_x-1
            mkdir -m 755 Cat.ptk; ln ../../roots/Cat.ptk/photo.data Cat.ptk/photo.data; chown \(Self.ann) . Cat.ptk; cd ..
            """)
        let before = try facts(container)
        try withDrive(container, options: options) { drive in
            let isShownOpen = options.contains("umask")
            for line in [
                "cat $1", "echo evil >$1", "echo evil >>$1", "truncate -s 0 $1", "chmod 777 $1", "chown :\(Self.ann) $1", "touch -d 2000-01-01 $1",
                "setfattr -n user.evil -v x $1", "head -c 9 .valise/versions/$1/*", "head -c 9 .valise/originals/Documents/$1",
            ] {
                for name in ["plain", "Notes.txt", "Bookmark_x-1", "Cat.ptk/photo.data"] {
                    let ended = try run("setpriv", "--reuid=\(Self.ann)", "--regid=\(Self.ann)", "--clear-groups", "sh", "-c", line, "sh", name, in: drive.mountpoint)
                    #expect(ended.code != 0 && ended.output.isEmpty, "\(line) \(name): \(ended.output)\(ended.errors) \(isShownOpen)")
                }
            }
            #expect(try facts(container) == before)
            // The names are hers: she may put something else in their place, and take them away.
            let ended = try run(
                "setpriv", "--reuid=\(Self.ann)", "--regid=\(Self.ann)", "--clear-groups", "sh", "-c",
                "echo mine >new.txt && mv -f new.txt Notes.txt && cat Notes.txt && rm -f plain && ln -s ../../roots/secret link && ! cat link && cat .valise/versions/Notes.txt/*", in: drive.mountpoint)
            #expect(ended.output == "mine\n", "\(ended.output)\(ended.errors)")
        }
        #expect(try facts(container) == before)
    }

    /// `valise init`, `check`, `check --repair` and `check --undo`, by root.
    @Test(arguments: [
        "ln -s ../roots .valise", "ln -s ../roots Documents", "mkdir .valise && ln ../roots/secret .valise/settings", "mkdir .valise && ln -s ../../roots/secret .valise/settings",
        "mkdir -p Documents .valise/journal && ln ../roots/secret .valise/journal/records", "mkdir .valise && ln ../roots/secret .valise/lock",
        "mkdir .valise && ln -s ../../roots .valise/undo && ln -s ../../roots .valise/versions && ln -s ../../roots .valise/staging && ln -s ../../roots .valise/damaged",
        "mkdir Documents && ln -s ../../roots/Cat.ptk Documents/Cat.ptk && ln ../roots/Notes.stedoc ../roots/Bookmark_x-1 Documents",
        "mkdir -p Documents/Cat.ptk && ln ../roots/Cat.ptk/photo.data Documents/Cat.ptk/photo.data && ln -s ../../../roots/secret Documents/Cat.ptk/photo.metadata",
        "ln ../roots/secret Notes.stedoc; ln -s ../roots/secret Welcome.stedoc; mkfifo .valise", "ln -s .. .valise-root", "ln -s ../roots .valise-root; ln -s ../roots .valise",
    ])
    func rootsToolsChangeNothingElsewhere(plant: String) throws {
        let container = try container(plant)
        let before = try facts(container)
        for words in [["check"], ["check", "--repair", "--yes"], ["check", "--undo"], ["init", "--create", "text", "--samples"], ["check", "--repair", "--yes"], ["check", "--undo"]] {
            // Whatever they answer, they end by themselves.
            let ended = try Program([Places.valise] + words + [container.path]).wait()
            #expect(ended.code < 128, "\(words): \(ended.errors)")
            #expect(!ended.output.contains("secret, and") && !ended.errors.contains("secret, and"), "\(words): \(ended.output)\(ended.errors)")
            #expect(try facts(container) == before, "\(words): \(ended.output)\(ended.errors)")
        }
    }

    /// What root repairs is exchanged with a way to root's own, all the while.
    @Test func aRepairIsNotLedElsewhere() throws {
        let container = try container("mkdir Documents; printf '' >Documents/x; mkdir Documents/Album Documents/other; ln -s ../../roots Documents/away; chown -hR \(Self.ann) Documents")
        let photos = try TemporaryContainer("photo Cat png metadata=no")
        try shell("cp -a \"$1/Cat.ptk\" Documents/Album && cp -a \"$1/Cat.ptk\" ../roots/Dog.ptk && chown -R \(Self.ann) Documents/Album", photos.path, in: container.path).good()
        let before = try facts(container)
        let racer = try Program(["python3", "-c", """
            import ctypes, os, sys, time
            libc = ctypes.CDLL(None)
            while True:
                libc.renameat2(-100, b"Documents/Album", -100, b"Documents/away", 2)
                time.sleep(0.0005)
            """], in: container.path)
        defer { racer.end() }
        var repaired = 0
        for _ in 0..<20 {
            for words in [["--repair", "--yes"], ["--undo"]] {
                let ended = try Program([Places.valise, "check"] + words + [container.path]).wait()
                #expect(ended.code < 128, "\(ended.errors)")
                if ended.code & 1 == 1 { repaired += 1 }
            }
        }
        #expect(try facts(container) == before)
        #expect(repaired > 0)
    }
}
