// Gives up its rights as the process that serves a drive does, and then tries what it may and may not do: a line for each, its name
// and "done" or the error.
//
// usage: SandboxTrial FOLDER OUTSIDE WARD [OPEN]
//
// FOLDER is what it keeps; OUTSIDE is a folder beside it with files "file" and "log"; WARD is a process that it may end; OPEN is a file or folder that
// it has open before.

import CLinux
import Glibc
import LinuxFiles

let words = CommandLine.arguments, folder = words[1], outside = words[2], ward = Int32(words[3]) ?? 0
// As a drive does.
closefrom(3)
let before = words.count > 4 ? open(words[4], O_RDONLY) : -1
// What was opened before, as the log is of a drive in the background, which becomes the log later.
let log = OpenFile(try Descriptor.atPath("\(outside)/log", [.write, .append]))
SystemLog.useFileLater(log)
let device = max(STDIN_FILENO, open("/dev/fuse", O_RDWR | O_CLOEXEC))
let kept = OpenFile(try Descriptor.atPath(folder, [.path, .folder]))
// One that is not its ward: its parent.
let other = getppid()
do throws(Sandbox.Fault) { _ = try Sandbox.enter(reaching: [.all(kept)] + Sandbox.Reachable.processes(), ward: ward) } catch {
    print("sandbox: \(error.reason)")
    exit(1)
}

/// A function of C for a thread to run: a closure here is the main thread's, and what is cancelled is unwound.
func body(_ name: String) -> @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafeBitCast(dlsym(nil, name), to: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?).self)
}

func attempt(_ name: String, _ call: () -> Int) {
    errno = 0
    print("\(name): \(call() < 0 ? "\(Errno.current)" : "done")")
}

/// Variadic in C, so not imported.
let make = unsafeBitCast(dlsym(nil, "syscall"), to: (@convention(c) (Int, Int, Int, Int, Int) -> Int).self)

/// A call by its number, which needs no sensible values to be refused.
func call(_ x86: Int, _ arm: Int, _ first: Int = 0, _ second: Int = 0, _ third: Int = 0, _ fourth: Int = 0) -> Int {
    #if arch(x86_64)
    make(x86, first, second, third, fourth)
    #else
    make(arm, first, second, third, fourth)
    #endif
}

/// The same with as many arguments as a call can have.
let makeLong = unsafeBitCast(dlsym(nil, "syscall"), to: (@convention(c) (Int, Int, Int, Int, Int, Int) -> Int).self)

/// Attributes are changed of what is open, and a place outside is no open file: not by its path, not by its place, and not by /proc.
func changeAttributes(of path: String, _ suffix: String) {
    let name = Array("user.trial".utf8CString), way = strdup(path)!
    let text = Int(bitPattern: way), current = Int(AT_FDCWD), own = Int(getuid())
    func change(_ what: String, _ x86: Int, _ arm: Int?, _ arguments: Int...) {
        let all = arguments + Array(repeating: 0, count: 5 - arguments.count)
        #if arch(x86_64)
        let number: Int? = x86
        #else
        let number = arm
        #endif
        guard let number else { return print("\(what) \(suffix): Operation not permitted") }
        attempt("\(what) \(suffix)") { makeLong(number, all[0], all[1], all[2], all[3], all[4]) }
    }
    let mode = 0o4755
    change("chmod", 90, nil, text, mode)
    change("fchmodat", 268, 53, current, text, mode)
    change("fchmodat2", 452, 452, current, text, mode, 0)
    change("chown", 92, nil, text, own, own)
    change("lchown", 94, nil, text, own, own)
    change("fchownat", 260, 54, current, text, own, own, 0)
    change("utime", 132, nil, text, 0)
    change("utimes", 235, nil, text, 0)
    change("futimesat", 261, nil, current, text, 0)
    change("utimensat", 280, 88, current, text, 0, 0)
    name.withUnsafeBytes { name in
        let name = Int(bitPattern: name.baseAddress)
        change("setxattr", 188, 5, text, name, name, 1, 0)
        change("lsetxattr", 189, 6, text, name, name, 1, 0)
        change("removexattr", 197, 14, text, name)
        change("lremovexattr", 198, 15, text, name)
    }
    change("truncate", 76, 45, text, 0)
    free(way)
}

changeAttributes(of: "\(outside)/file", "outside")
let outsider = open("\(outside)/file", 0o10000000 /* O_PATH */)
changeAttributes(of: "/proc/self/fd/\(outsider)", "of a place")
"".withCString { nothing in
    let nothing = Int(bitPattern: nothing), empty = 0x1000
    attempt("fchmodat2 of a place itself") { makeLong(452, Int(outsider), nothing, 0o4755, empty, 0) }
    attempt("fchownat of a place itself") { Int(fchownat(outsider, "", getuid(), getgid(), Int32(empty))) }
    attempt("utimensat of a place itself") { Int(utimensat(outsider, "", nil, Int32(empty))) }
}
// These say that it is none.
attempt("fchmod of a place") { Int(fchmod(outsider, 0o4755)) }
attempt("fchown of a place") { Int(fchown(outsider, getuid(), getgid())) }
attempt("futimens of a place") { Int(futimens(outsider, nil)) }
attempt("fsetxattr of a place") { Int(fsetxattr(outsider, "user.trial", "x", 1, 0)) }
attempt("fremovexattr of a place") { Int(fremovexattr(outsider, "user.trial")) }
// The working folder may be any, and newer kernels take no file's number for it.
_ = chdir(outside)
attempt("fchmod of the working folder") { Int(fchmod(AT_FDCWD, 0o4755)) }
attempt("fchown of the working folder") { Int(fchown(AT_FDCWD, getuid(), getgid())) }
attempt("fsetxattr of the working folder") { Int(fsetxattr(AT_FDCWD, "user.trial", "x", 1, 0)) }
attempt("fremovexattr of the working folder") { Int(fremovexattr(AT_FDCWD, "user.trial")) }
attempt("open neither for reading nor writing") { Int(open("\(outside)/file", 3)) }
attempt("openat neither for reading nor writing") { Int(openat(AT_FDCWD, "/proc/self/fd/\(outsider)", 3)) }
attempt("openat2") {
    var how: (UInt64, UInt64, UInt64) = (3, 0, 0)
    return "\(outside)/file".withCString { path in withUnsafeMutableBytes(of: &how) { makeLong(437, Int(AT_FDCWD), Int(bitPattern: path), Int(bitPattern: $0.baseAddress), $0.count, 0) } }
}
attempt("cut what is opened for reading") { Int(open("\(folder)/kept", O_RDONLY | O_TRUNC)) }
attempt("recvmsg") { call(47, 212, 0, 0, 0) }
attempt("recvmmsg") { call(299, 243, 0, 0, 0) }
// Files from before, by whatever number.
for (name, file) in [("the log", log.descriptor.rawValue), ("standard error", STDERR_FILENO), ("the device", device)] {
    attempt("fchmod of \(name)") { Int(fchmod(file, 0o4755)) }
    attempt("fchown of \(name)") { Int(fchown(file, getuid(), getgid())) }
    attempt("futimens of \(name)") { Int(futimens(file, nil)) }
    attempt("fsetxattr of \(name)") { Int(fsetxattr(file, "user.trial", "x", 1, 0)) }
    attempt("fremovexattr of \(name)") { Int(fremovexattr(file, "user.trial")) }
    attempt("dup of \(name)") { Int(dup(file)) }
    attempt("dup2 of \(name)") { Int(dup2(file, 100)) }
    attempt("dup3 of \(name)") { call(292, 24, Int(file), 101, 0) }
    attempt("F_DUPFD of \(name)") { Int(fcntl(file, F_DUPFD, 50)) }
    attempt("F_DUPFD_CLOEXEC of \(name)") { Int(fcntl(file, F_DUPFD_CLOEXEC, 50)) }
}
for path in ["/dev/null", "/dev/fuse", "/sys/devices/system/cpu", "/proc/self/fd/\(log.descriptor.rawValue)"] { attempt("open \(path.hasPrefix("/proc") ? "the log anew" : path)") { Int(open(path, O_RDONLY)) } }
attempt("the log as standard error") { Int(dup2(log.descriptor.rawValue, STDERR_FILENO)) }
SystemLog.useFile(log)
attempt("fchmod of the log that is standard error") { Int(fchmod(STDERR_FILENO, 0o4755)) }
attempt("write to the log") { Int(write(log.descriptor.rawValue, "x\n", 2)) }

// What serving takes.
attempt("make a file") { Int(open("\(folder)/new", O_CREAT | O_WRONLY, 0o600)) }
let opened = open("\(folder)/new", O_RDONLY)
attempt("fchmod") { Int(fchmod(opened, 0o640)) }
attempt("fchown") { Int(fchown(opened, getuid(), getgid())) }
attempt("futimens") { Int(futimens(opened, nil)) }
attempt("fsetxattr") { Int(fsetxattr(opened, "user.trial", "x", 1, 0)) }
attempt("fremovexattr") { Int(fremovexattr(opened, "user.trial")) }
attempt("dup") { Int(dup(opened)) }
attempt("F_DUPFD_CLOEXEC") { Int(fcntl(opened, F_DUPFD_CLOEXEC, 50)) }
attempt("cut by opening") { Int(open("\(folder)/new", O_WRONLY | O_TRUNC)) }
attempt("make a folder") { Int(mkdir("\(folder)/inner", 0o755)) }
attempt("move between folders") { Int(rename("\(folder)/new", "\(folder)/inner/new")) }
attempt("make a pipe") { Int(mknod("\(folder)/pipe", S_IFIFO | 0o600, 0)) }
attempt("say that there is nothing") { Int(mknod("\(folder)/nothing", S_IFCHR | 0o600, 0)) }
attempt("name a nameless file") {
    let file = open(folder, O_RDWR | 0o20000000 | O_DIRECTORY, 0o600)
    return Int(linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, "\(folder)/inner/named", AT_SYMLINK_FOLLOW))
}
attempt("take a name away") { Int(unlink("\(folder)/inner/new")) }
attempt("start a thread") {
    var thread = pthread_t()
    let failed = pthread_create(&thread, nil, body("getpid"), nil)
    if failed == 0 { pthread_join(thread, nil) }
    errno = failed
    return failed == 0 ? 0 : -1
}
attempt("have a working folder of its own") { call(272, 97, 0x200) }
attempt("cancel a thread") {
    var thread = pthread_t()
    guard pthread_create(&thread, nil, body("pause"), nil) == 0 else { return -1 }
    pthread_cancel(thread)
    return pthread_join(thread, nil) == 0 ? 0 : -1
}
attempt("read what the system says of it") { Int(open("/proc/self/statm", O_RDONLY)) }
attempt("look at another's facts") { Int(open("/proc/\(other)/status", O_RDONLY)) }
attempt("list processes") { Int(open("/proc", O_RDONLY)) }
attempt("look for another's thread") { "/proc/\(other)/task/\(other)".withCString { access($0, F_OK) == 0 ? 0 : -1 } }
attempt("make a local socket") { Int(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) }
attempt("act for somebody") {
    _ = setfsuid(5001)
    return setfsuid(uid_t.max) == 5001 ? 0 : -1
}
_ = setfsuid(geteuid())

// What it does not take.
attempt("read outside") { Int(open("\(outside)/file", O_RDONLY)) }
attempt("make outside") { Int(open("\(outside)/new", O_CREAT | O_WRONLY, 0o600)) }
attempt("cut outside") { Int(truncate("\(outside)/file", 0)) }
attempt("move out") { Int(rename("\(folder)/inner/named", "\(outside)/named")) }
attempt("follow another's file") {
    var path = [CChar](repeating: 0, count: 4096)
    return readlink("/proc/\(other)/fd/0", &path, path.count)
}
attempt("another's memory") { Int(open("/proc/\(other)/mem", O_RDWR)) }
attempt("make a disk") { Int(mknod("\(folder)/disk", S_IFBLK | 0o600, 0x800)) }
attempt("make a disk without a number") { Int(mknodat(AT_FDCWD, "\(folder)/none", S_IFBLK | 0o600, 0)) }
attempt("make the machine's memory") { Int(mknodat(AT_FDCWD, "\(folder)/memory", S_IFCHR | 0o600, 0x101)) }
// The kernel leaves out all above the lowest sixteen bits, and so must who looks at them.
attempt("make a disk by a long mode") { "\(folder)/long".withCString { call(259, 33, Int(AT_FDCWD), Int(bitPattern: $0), 1 << 20 | 0o60600, 0x800) } }
attempt("start a program") {
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
    return Int(execv("/bin/true", &words))
}
attempt("fork") { Int(fork()) }
// Without what a thread has to share, the kernel would make none of them.
for (name, space) in [
    ("mounts", 0x2_0000), ("cgroups", 0x200_0000), ("names", 0x400_0000), ("messages", 0x800_0000), ("users", 0x1000_0000), ("processes", 0x2000_0000),
    ("network", 0x4000_0000), ("time", 0x80),
] {
    attempt("a thread with other \(name)") { call(56, 220, 0x1_0000 | space) }
}
attempt("end another process") { Int(kill(other, SIGKILL)) }
attempt("stop its ward") { Int(kill(ward, SIGSTOP)) }
attempt("end its ward") { Int(kill(ward, SIGKILL)) }
attempt("call a service") {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/service".utf8) }
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Int(connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))) }
    }
}
// Landlock looks at who connects, and not at who listens there.
attempt("listen where no file is") {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Int(bind(listener, $0, socklen_t(MemoryLayout<sa_family_t>.size)) | listen(listener, 1)) }
    }
}
// Each message to one has an address of its own, which no filter of calls can look at.
attempt("a socket of datagrams") { Int(socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | 0o2000000, 0)) }
attempt("a raw socket") { Int(socket(AF_UNIX, Int32(SOCK_RAW.rawValue), 0)) }
attempt("a pair of sockets of datagrams") {
    var both: [Int32] = [-1, -1]
    return Int(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &both))
}
// What the kernel does to others when something happens to a file.
var ends: [Int32] = [-1, -1]
_ = pipe(&ends)
for (name, command) in [("have another signalled", 8), ("be told by another signal", 10), ("have another thread signalled", 15)] { attempt(name) { call(72, 25, Int(ends[0]), command, Int(other)) } }
attempt("have another signalled by a socket") { call(16, 29, Int(ends[0]), 0x8901) }
// Of a terminal that is whoever is in its foreground: the kernel chooses them by itself.
attempt("have the foreground signalled") { Int(fcntl(ends[0], F_SETFL, O_NONBLOCK | O_ASYNC)) }
attempt("have the foreground signalled by a control") { call(16, 29, Int(ends[0]), 0x5452) }
attempt("not wait for a pipe") { Int(fcntl(ends[0], F_SETFL, O_NONBLOCK)) }
// How others run.
attempt("another's priority") { Int(setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(other), 19)) }
attempt("a user's priority") { Int(setpriority(__priority_which_t(PRIO_USER.rawValue), 0, 19)) }
attempt("its own priority") { Int(setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 1)) }
for (name, x86, arm) in [("another's scheduler", 144, 119), ("another's attributes", 314, 274), ("another's processors", 203, 122), ("another's limits", 302, 261), ("another's turn at disks", 251, 30)] {
    attempt(name) { call(x86, arm, Int(other), 0) }
}
for name in ["environ", "maps", "auxv", "root", "cwd"] { attempt("another's \(name)") { Int(open("/proc/\(other)/\(name)", O_RDONLY)) } }
attempt("network") { Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }
attempt("ioctl of a terminal") { call(16, 29, 0, 0x5412) }
attempt("become somebody") { Int(setuid(5001)) }
for (name, x86, arm) in [
    ("ptrace", 101, 117), ("mount", 165, 40), ("umount2", 166, 39), ("unshare", 272, 97), ("setns", 308, 268), ("bpf", 321, 280), ("io_uring_setup", 425, 425),
    ("init_module", 175, 105), ("kexec_load", 246, 104), ("process_vm_readv", 310, 270), ("process_vm_writev", 311, 271), ("keyctl", 250, 219), ("userfaultfd", 323, 282),
    ("open_tree", 428, 428), ("fsopen", 430, 430), ("pivot_root", 155, 41), ("chroot", 161, 51), ("reboot", 169, 142), ("open_by_handle_at", 304, 265), ("perf_event_open", 298, 241),
    ("pidfd_getfd", 438, 438), ("personality", 135, 92), ("swapon", 167, 224), ("sethostname", 170, 161), ("clock_settime", 227, 112),
] { attempt(name) { call(x86, arm) } }
attempt("a call of later") { call(500, 500) }
