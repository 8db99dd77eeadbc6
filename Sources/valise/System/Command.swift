import Glibc
import LinuxFiles
import Shell

/// Runs a command to its end, and answers its exit code: 127 and 126 where it could not be run, which was said then. The keys of a
/// terminal are for it alone.
func runCommand(_ command: [String]) -> Int32 {
    var attributes = posix_spawnattr_t(), process = pid_t(), keys = sigset_t()
    // SAFETY: each call takes the structs that it fills or reads; the words are C strings with nil behind them.
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe sigemptyset(&keys)
    for number in [SIGINT, SIGQUIT] {
        unsafe sigaddset(&keys, number)
        _ = signal(number, SIG_IGN)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &keys)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let error = unsafe posix_spawnp(&process, command[0], nil, &attributes, ProgramRun.words(command[0], Array(command.dropFirst())), environ)
    guard error == 0 else {
        printError("cannot run \(quoted(command[0])): \(Errno(rawValue: error))")
        return error == ENOENT ? 127 : 126
    }
    var status: Int32 = 0
    // SAFETY: waitpid writes the status that it is given room for.
    while unsafe waitpid(process, &status, 0) < 0, Errno.current == .interrupted {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
}
