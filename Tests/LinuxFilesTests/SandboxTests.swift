import Foundation
import MountTesting
import Testing

/// What a process may do that has given up its rights as one that serves a drive does. Tests/SandboxTrial tries it.
@Suite struct SandboxTests {
    private static let works = [
        "write to the log", "the log as standard error", "fchmod", "fchown", "futimens", "fsetxattr", "fremovexattr", "dup", "F_DUPFD_CLOEXEC", "cut by opening",
        "make a file", "make a folder", "move between folders", "make a pipe", "say that there is nothing", "name a nameless file", "take a name away", "start a thread", "cancel a thread",
        "have a working folder of its own",
        "read what the system says of it", "look for another's thread", "make a local socket", "its own priority", "end its ward",
        "not wait for a pipe", "listen where no file is",
    ]
    /// Where the kernel has Landlock, of a version that lets move.
    private static let outside = ["open /dev/null", "open /dev/fuse", "open /sys/devices/system/cpu", "open the log anew", "read outside", "make outside", "move out", "follow another's file", "another's memory", "another's environ", "another's maps", "another's auxv", "another's root", "another's cwd",]
    private static let refused = [
        "cut outside",
        "make a disk", "make a disk without a number", "make the machine's memory", "make a disk by a long mode", "start a program", "fork", "end another process", "stop its ward", "call a service", "a socket of datagrams",
        "a raw socket", "a pair of sockets of datagrams", "have another signalled", "be told by another signal", "have another thread signalled",
        "have another signalled by a socket", "have the foreground signalled", "have the foreground signalled by a control", "another's priority", "a user's priority", "another's scheduler", "another's attributes", "another's processors",
        "another's limits", "another's turn at disks", "ioctl of a terminal", "become somebody", "ptrace", "mount", "umount2", "unshare",
        "setns", "bpf", "io_uring_setup", "init_module", "kexec_load", "process_vm_readv", "process_vm_writev", "keyctl", "userfaultfd", "open_tree", "fsopen",
        "pivot_root", "chroot", "reboot", "open_by_handle_at", "perf_event_open", "pidfd_getfd", "personality", "swapon", "sethostname", "clock_settime",
    ] + ["mounts", "cgroups", "names", "messages", "users", "processes", "network", "time"].map { "a thread with other \($0)" }

    /// Each call that changes attributes by a path, on a file outside: Landlock looks at none of them.
    private static let byPath = [
        "chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat", "utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "removexattr", "lremovexattr", "truncate",
    ]
    private static let attributes = byPath.flatMap { ["\($0) outside", "\($0) of a place"] }
        + ["fchmodat2", "fchownat", "utimensat"].map { "\($0) of a place itself" }
        + ["fchmod", "fchown", "fsetxattr", "fremovexattr"].map { "\($0) of the working folder" }
        + ["open neither for reading nor writing", "openat neither for reading nor writing", "openat2", "cut what is opened for reading", "recvmsg", "recvmmsg", "fchmod of the log that is standard error"]
        + ["the log", "standard error", "the device"].flatMap { file in
            ["fchmod", "fchown", "futimens", "fsetxattr", "fremovexattr", "dup", "dup2", "dup3", "F_DUPFD", "F_DUPFD_CLOEXEC"].map { "\($0) of \(file)" }
        }
    private static let places = ["fchmod", "fchown", "futimens", "fsetxattr", "fremovexattr"].map { "\($0) of a place" }

    @Test func onlyWhatServingTakesIsLeft() throws {
        let folder = try TemporaryFolder()
        try shell("mkdir kept outside && echo x >outside/file && echo kept >kept/kept && : >outside/log && chmod 640 outside/* && touch -d @1000 outside/file outside/log", in: folder.path).good()
        let ward = try Program(["sleep", "1000"])
        defer { ward.end() }
        let program = Places.built + "/SandboxTrial"
        let ended = try Program([program, folder.path + "/kept", folder.path + "/outside", "\(ward.process)"]).wait().good()
        let answers = Dictionary(ended.lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }) { first, _ in first }
        for name in Self.works { #expect(answers[name] == "done", "\(name)") }
        #expect(answers["act for somebody"] == (geteuid() == 0 ? "done" : "Success"))
        for name in Self.refused + Self.attributes { #expect(answers[name] == "Operation not permitted", "\(name)") }
        for name in Self.places { #expect(answers[name] == "Bad file descriptor", "\(name)") }
        #expect(try shell("stat -c '%a %Y' outside/file; stat -c %a outside/log; cat kept/kept", in: folder.path).good().lines == ["640 1000", "640", "kept"])
        #expect(answers["network"] == "Address family not supported by protocol")
        #expect(answers["a call of later"] == "Function not implemented")
        guard Self.hasLandlock else { return }
        #expect(answers["list processes"] == (geteuid() == 0 ? "Permission denied" : "done"))
        #expect(answers["look at another's facts"] == (geteuid() == 0 ? "Permission denied" : "done"))
        for name in Self.outside { #expect(["Permission denied", "Invalid cross-device link"].contains(answers[name]), "\(name): \(answers[name] ?? "")") }
        #expect(try String(contentsOfFile: folder.path + "/outside/file", encoding: .utf8) == "x\n")
    }

    /// What its caller left open is no file that Landlock let be opened.
    @Test func whatACallerLeftOpenIsRefused() throws {
        let folder = try TemporaryFolder()
        try shell("mkdir kept outside && echo x >outside/file && : >outside/log && echo kept >kept/kept", in: folder.path).good()
        let path = try run("realpath", folder.path).good().lines[0], trial = [Places.built + "/SandboxTrial", path + "/kept", path + "/outside", "0"]
        for open in [path + "/outside/file", path + "/outside", "/proc"] {
            let ended = try Program(trial + [open]).wait()
            #expect(ended.code == 1 && ended.output == "sandbox: it has “\(open)” open, which a drive has no use for\n", "\(ended)")
        }
        for open in [path + "/kept/kept", path + "/kept"] { #expect(try Program(trial + [open]).wait().output.hasPrefix("chmod outside: ")) }
    }

    private static var hasLandlock: Bool {
        let version = dlsym(nil, "syscall").map { unsafeBitCast($0, to: (@convention(c) (Int, Int, Int, Int) -> Int).self)(444, 0, 0, 1) }
        return version ?? 0 >= 2
    }
}
