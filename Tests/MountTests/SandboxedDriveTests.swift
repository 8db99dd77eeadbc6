import Foundation
import MountTesting
import Testing

/// The process that serves a drive has given up its rights, and everything works that has to do with other processes.
@Suite(.mounting) struct SandboxedDriveTests {
    private struct Facts {
        let values: [String: String]

        init(_ process: pid_t, thread: String) throws {
            let text = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)
            values = Dictionary(text.split(separator: "\n").map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
            }) { first, _ in first }
        }

        subscript(_ name: String) -> String? { values[name] }
    }

    private func facts(_ process: pid_t) throws -> [Facts] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap { thread in
            do { return try Facts(process, thread: thread) } catch {
                // A thread that has ended since it was listed has none.
                if access("/proc/\(process)/task/\(thread)", F_OK) != 0 { return nil }
                throw error
            }
        }
    }

    /// What acting for callers takes (chown, dac_override, dac_read_search, fowner, fsetid, setgid, setuid), and sys_admin and sys_resource.
    private static let callers: UInt64 = [0, 1, 2, 3, 4, 6, 7, 21, 24].reduce(0) { $0 | 1 << $1 }

    /// What this process may itself.
    private static var own: UInt64 {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("CapPrm:") }
        return line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
    }

    @Test func itsProcessHasFewRights() throws {
        try withDrive(try TemporaryContainer("photo Cat png\ntext Notes one")) { drive throws in
            // Some threads come with work.
            try shell("ls -l && cat * >/dev/null && echo x >plain", in: drive.mountpoint).good()
            let threads = try facts(drive.process)
            #expect(threads.count > 1)
            let most = geteuid() == 0 ? Self.own & Self.callers : 0
            for thread in threads {
                #expect(thread["NoNewPrivs"] == "1" && thread["Seccomp"] == "2")
                #expect(thread["CapPrm"] == String(format: "%016lx", most) && thread["CapInh"] == "0000000000000000" && thread["CapAmb"] == "0000000000000000")
                if geteuid() == 0 { #expect(thread["CapBnd"] == thread["CapPrm"]) }
            }
            let page = try run("cat", drive.path(".valise/status")).good().output
            #expect(page.contains(#""sandbox":{"calls":true,"files":"#))
            #expect(try valise("status", "--details", drive.mountpoint).good().output.contains("  sandbox     calls, files, capabilities\n") || !page.contains(#""files":true"#))
        }
    }

    @Test func itCanBeLeftOut() throws {
        try withDrive(try TemporaryContainer("text Notes one"), options: "nosandbox") { drive throws in
            for thread in try facts(drive.process) { #expect(thread["NoNewPrivs"] == "0" && thread["Seccomp"] == "0") }
            #expect(try run("cat", drive.path(".valise/status")).good().output.contains(#""sandbox":{"calls":false,"files":false,"capabilities":false}"#))
            #expect(try valise("status", drive.mountpoint).good().output.contains("  sandbox     none\n"))
        }
    }

    @Test func aReadOnlyDriveHasOne() throws {
        try withDrive(try TemporaryContainer("photo Cat png"), options: "ro") { drive throws in
            #expect(try run("head", "-c", "4", drive.path("Cat.png")).good().output.hasSuffix("PNG"))
            #expect(try facts(drive.process).allSatisfy { $0["Seccomp"] == "2" })
        }
    }

    /// The helper ends with the drive, also with one that is killed.
    @Test func theHelperGoesWithTheDrive() throws {
        var helpers: [String] = []
        try withDrive(try TemporaryContainer("text Notes one")) { drive throws in
            helpers = try run("pgrep", "-P", "\(drive.process)", "-x", "valise-helper").lines
            #expect(helpers.count == 1)
            // It has no file of the drive's process but the container. Root's unmounts in the folder that the mountpoint is in.
            let files = "/proc/\(try #require(helpers.first))/fd"
            let open = try FileManager.default.contentsOfDirectory(atPath: files).sorted()
            #expect(open.starts(with: ["0", "1", "2", "3"]) && open.count == (geteuid() == 0 ? 6 : 5))
            let expected = [(drive.mountpoint as NSString).deletingLastPathComponent, try run("realpath", drive.container.path).good().lines[0]]
            for file in open.dropFirst(4) { #expect(expected.contains(try FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(file)"))) }
            try drive.kill()
        }
        #expect(eventually { helpers.allSatisfy { access("/proc/\($0)", F_OK) != 0 } })
    }

    /// An app may have a document's item outside for a moment, where the drive's process changes nothing: then it is not there, and never forbidden.
    @Test(arguments: ["Notes.stedoc Notes.txt", "Cat.ptk Cat.png", "plain plain"]) func whatIsMovedOutMeanwhileIsNotThere(names: String) throws {
        let container = try TemporaryContainer("text Notes one\nphoto Cat png\nfile plain x"), parts = names.split(separator: " ").map(String.init)
        try withDrive(container) { drive throws in
            mkdir(container.beside("away"), 0o755)
            let mover = try Program(["python3", "-c", """
                import os, sys, time
                item, away, end = sys.argv[1:]
                while not os.path.exists(end):
                    os.rename(item, away)
                    os.rename(away, item)
                    time.sleep(0.0005)
                """, container.stored(parts[0]), container.beside("away/item"), container.beside("end")])
            let said = try run("python3", "-c", """
                import errno, os, sys
                def tried(call):
                    try: call()
                    except OSError as error: return error.errno
                found = [tried(call) for number in range(150) for call in (
                    lambda: os.chmod(sys.argv[1], 0o640), lambda: os.utime(sys.argv[1]), lambda: os.setxattr(sys.argv[1], "user.a", b"1"))]
                print(sorted({errno.errorcode[error] for error in found if error} - {"ENOENT", "ESTALE"}))
                """, drive.path(parts[1])).good().output
            try Data().write(to: URL(fileURLWithPath: container.beside("end")))
            try mover.wait().good()
            #expect(said == "[]\n")
        }
    }

    /// Its own container's, and nothing else that it has open or may open: not the log of a drive in the background, nor the kernel's device.
    @Test(arguments: [true, false]) func codeInItsProcessChangesPermissionsOfItsContainersFilesAlone(isInBackground: Bool) throws {
        let container = try TemporaryContainer("text Notes one"), said = container.stored("said"), library = try preloaded("taken_over.c", beside: container)
        let words = ["mount"] + (isInBackground ? [] : ["-f"]) + ["-o", "log=" + container.beside("log"), container.path, container.mountpoint]
        let drive = try Program(["env", "LD_PRELOAD=\(library)", "SAID=\(said)", Places.valise] + words)
        if isInBackground { try drive.wait().good() }
        #expect(eventually { MountedDrive.isMounted(container.mountpoint) && access(container.mountpoint + "/Notes.txt", F_OK) == 0 })
        #expect(mkdir(container.mountpoint + "/attack", 0o755) == 0)
        #expect(eventually { (try? String(contentsOfFile: said, encoding: .utf8))?.hasSuffix("tried\n") == true })
        let real = try run("realpath", container.path).good().lines[0]
        let changed = try String(contentsOfFile: said, encoding: .utf8).split(separator: "\n").dropLast()
        #expect(!changed.isEmpty && changed.allSatisfy { $0.hasPrefix(real + "/") || $0 == real }, "\(changed)")
        try valise("unmount", container.mountpoint).good()
        if !isInBackground { try drive.wait().good() }
    }

    /// What root had mounted there before comes into view again, and stays.
    @Test(.enabled(if: geteuid() == 0, "only root may mount")) func codeInItsProcessHasNothingUnmountedButTheDrive() throws {
        let container = try TemporaryContainer(), said = container.stored("said"), library = try preloaded("taken_over.c", beside: container)
        for name in ["lower", "upper"] {
            try run("mount", "-t", "tmpfs", name, container.mountpoint).good()
            try Data().write(to: URL(fileURLWithPath: container.mountpoint + "/" + name))
        }
        defer { for _ in 0..<2 { umount2(container.mountpoint, Int32(MNT_DETACH)) } }
        let words = ["mount", "-f", "-o", "nonempty", container.path, container.mountpoint]
        let drive = try Program(["env", "LD_PRELOAD=\(library)", "SAID=\(said)", "UNMOUNTING=1", Places.valise] + words)
        #expect(eventually { access(container.mountpoint + "/.valise/status", F_OK) == 0 })
        #expect(mkdir(container.mountpoint + "/attack", 0o755) == 0)
        #expect(try drive.wait().code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.mountpoint) == ["upper"])
    }

    private static let making = """
        umask 027; chmod 2770 .; chgrp 5003 .
        for node in 'disk b 7 99' 'null c 1 3' 'far c 1023 70000' 'nothing c 0 0' 'pipe p'; do mknod $node 2>&1 | grep -o 'disk\\|null\\|far\\|nothing\\|Operation not permitted'; done
        cp -a /dev/zero . 2>&1 | grep -o 'Operation not permitted'; mknod null c 1 3 2>&1 | grep -o 'File exists'
        setpriv --reuid=5001 --regid=5001 --groups 5003 mknod bens b 7 99 2>&1 | grep -o 'Operation not permitted'
        ls -ln | awk 'NR > 1 { print $1, $3, $4, $5, $6, $NF }' | cut -d ' ' -f 1-5 | sed 's/:.*//'; ls
        """

    /// By the helper, where root mounts with “dev”: exactly what a plain folder gets, and exactly where root asks for it.
    @Test(.enabled(if: geteuid() == 0, "only root makes devices")) func rootMakesDevicesWhereTheyAreDevices() throws {
        let container = try TemporaryContainer(), folder = container.beside("folder")
        mkdir(folder, 0o755)
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        let expected = try shell(Self.making, in: folder)
        try withDrive(container, options: "allow_other,dev") { drive throws in
            let made = try shell(Self.making, in: drive.mountpoint)
            #expect(made.lines == expected.lines && made.output.contains("brw-r----- 0 5003 7, 99"), "\(made.output)\(expected.output)")
            #expect(try run("head", "-c", "1", drive.path("zero")).good().output == "\0")
        }
    }

    /// Elsewhere they are not made at all: who has taken the process over would open them in the container.
    @Test(.enabled(if: geteuid() == 0, "only root makes devices")) func nobodyMakesDevicesElsewhere() throws {
        let container = try TemporaryContainer()
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        try withDrive(container, options: "allow_other") { drive throws in
            let made = try shell(Self.making, in: drive.mountpoint)
            #expect(made.lines.filter { $0 == "Operation not permitted" }.count == 5 && made.lines.suffix(2) == ["nothing", "pipe"], "\(made.output)")
        }
    }

    /// A store below the container is the container's, whenever it comes.
    @Test(.enabled(if: geteuid() == 0, "only root may mount")) func whatIsMountedInTheContainerIsReached() throws {
        let container = try TemporaryContainer("folder Store\nfolder Other")
        try withDrive(container) { drive throws in
            try run("mount", "-t", "tmpfs", "tmpfs", container.stored("Store")).good()
            defer { umount2(container.stored("Store"), Int32(MNT_DETACH)) }
            try shell("echo x >Store/file && mkdir Store/inner && mv Store/file Store/inner && cat Store/inner/file", in: drive.mountpoint).good()
            #expect(access(container.stored("Store/inner/file"), F_OK) == 0)
            try shell("rm -r Store/inner", in: drive.mountpoint).good()
        }
    }
}
