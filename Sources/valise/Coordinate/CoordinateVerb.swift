import Coordination
import Glibc
import LinuxFiles
import Shell

/// `valise coordinate`: a command inside a claim. Its exit code is the command's, as with env(1) and timeout(1).
func coordinateVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let asked = arguments.operands[0], command = Array(arguments.operands.dropFirst())
    var timeout: Duration?
    if let text = arguments.values(of: .timeout).last {
        guard let seconds = Double(text), (0...1e9).contains(seconds) else { throw Stop(2, "“\(printable(text))” is no number of seconds") }
        timeout = .milliseconds(Int64(seconds * 1000))
    }
    let item = try ClaimableItem(asked)
    // A folder with all that is in it; what it is may still change until it is claimed.
    let purpose: ClaimPurpose = arguments.has(.write) ? (item.isFolder ? .moving : .writing) : item.isFolder ? .readingAll : .reading
    do {
        let coordinator = try FileCoordinator(item.container)
        defer { coordinator.close() }
        func inside(_ claimed: CoordinatedItem) -> Int32 { run(command, item: item.isOnDrive ? item.shown : claimed.place) }
        return purpose.isWriting
            ? try coordinator.coordinate(writing: item.path, for: purpose, timeout: timeout, throughDrive: item.isOnDrive, inside)
            : try coordinator.coordinate(reading: item.path, for: purpose, timeout: timeout, throughDrive: item.isOnDrive, inside)
    } catch let failure as Failure {
        throw Stop(125, failure.sentence)
    } catch { throw Stop(125, "\(error)") }
}

/// Runs the command to its end. The keys of a terminal are for it alone.
private func run(_ command: [String], item: String) -> Int32 {
    _ = unsafe setenv("VALISE_ITEM", item, 1)
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
        complain("cannot run \(quoted(command[0])): \(Errno(rawValue: error))")
        return error == ENOENT ? 127 : 126
    }
    var status: Int32 = 0
    // SAFETY: waitpid writes the status that it is given room for.
    while unsafe waitpid(process, &status, 0) < 0, Errno.current == .interrupted {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
}
