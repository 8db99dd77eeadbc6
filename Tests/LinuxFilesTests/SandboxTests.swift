import Foundation
import MountTesting
import Testing

/// What a process may do that has given up its rights as one that serves a drive does. Tests/SandboxTrial tries it.
@Suite struct SandboxTests {
    private static let works = [
        "make a file", "make a folder", "move between folders", "make a pipe", "say that there is nothing", "name a nameless file", "take a name away", "start a thread", "cancel a thread",
        "have a working folder of its own",
        "read what the system says of it", "look for another's thread", "make a local socket", "its own priority", "end its ward",
    ]
    /// Where the kernel has Landlock, of a version that lets move.
    private static let outside = ["read outside", "make outside", "cut outside", "move out", "follow another's file", "another's memory", "another's environ", "another's maps", "another's auxv", "another's root", "another's cwd",]
    private static let refused = [
        "make a disk", "make a disk without a number", "make the machine's memory", "make a disk by a long mode", "start a program", "fork", "end another process", "stop its ward", "call a service", "a socket of datagrams",
        "a raw socket", "a pair of sockets of datagrams", "have another signalled", "be told by another signal", "have another thread signalled",
        "have another signalled by a socket", "another's priority", "a user's priority", "another's scheduler", "another's attributes", "another's processors",
        "another's limits", "another's turn at disks", "ioctl of a terminal", "become somebody", "ptrace", "mount", "umount2", "unshare",
        "setns", "bpf", "io_uring_setup", "init_module", "kexec_load", "process_vm_readv", "process_vm_writev", "keyctl", "userfaultfd", "open_tree", "fsopen",
        "pivot_root", "chroot", "reboot", "open_by_handle_at", "perf_event_open", "pidfd_getfd", "personality", "swapon", "sethostname", "clock_settime",
    ]

    @Test func onlyWhatServingTakesIsLeft() throws {
        let folder = try TemporaryFolder()
        try shell("mkdir kept outside && echo x >outside/file", in: folder.path).good()
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
        for name in Self.refused { #expect(answers[name] == "Operation not permitted", "\(name)") }
        #expect(answers["network"] == "Address family not supported by protocol")
        #expect(answers["a call of later"] == "Function not implemented")
        guard Self.hasLandlock else { return }
        #expect(answers["look at another's facts"] == (geteuid() == 0 ? "Permission denied" : "done"))
        for name in Self.outside { #expect(["Permission denied", "Invalid cross-device link"].contains(answers[name]), "\(name): \(answers[name] ?? "")") }
        #expect(try String(contentsOfFile: folder.path + "/outside/file", encoding: .utf8) == "x\n")
    }

    private static var hasLandlock: Bool {
        let version = dlsym(nil, "syscall").map { unsafeBitCast($0, to: (@convention(c) (Int, Int, Int, Int) -> Int).self)(444, 0, 0, 1) }
        return version ?? 0 >= 2
    }
}
