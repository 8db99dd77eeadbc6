import Glibc
import LinuxFiles
import Shell

/// `valise log`: what a drive had to say, by the program that shows such things.
func logVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let follows = arguments.has(.follow), isQuiet = arguments.has(.quiet)
    guard let path = arguments.operands.first else {
        let drives = try MountTable.now().ownDrives
        guard drives.count > 1 else { return try show(drives.first, drives.first.map { ["VALISE_MOUNTPOINT=\($0.mountpoint)"] } ?? ["SYSLOG_IDENTIFIER=valise"], follows, isQuiet) }
        throw Stop(1, "\(drives.count) drives are mounted; name one of them: \(drives.map { shellWord($0.mountpoint) }.joined(separator: ", "))")
    }
    switch try NamedPlace(path) {
    case .drive(let mount), .onDrive(let mount), .apps(let mount): return try show(mount, ["VALISE_MOUNTPOINT=\(mount.mountpoint)"], follows, isQuiet)
    case .container(let container), .inContainer(let container, _):
        let mount = try? NamedPlace.container(container).drives().first
        return try show(mount, ["VALISE_CONTAINER=\(container)"], follows, isQuiet)
    case .other(let found):
        // What a drive said that is not there any more is in the journal, and the folder where it was mounted is there still.
        guard follows || hasEntries(found) else { throw Stop(1, NamedPlace.neither(path) + ", and nothing is known of one that was there") }
        return try show(nil, fields(of: found), follows, isQuiet)
    }
}

/// Those of a folder that may have been a drive or a container.
private func fields(of path: String) -> [String] { ["VALISE_MOUNTPOINT=\(path)", "+", "VALISE_CONTAINER=\(path)"] }

/// Whether the journal has any of these.
private func hasEntries(_ path: String) -> Bool {
    guard (try? status(of: "/run/systemd/journal/socket")) != nil else { return false }
    guard let run = ProgramRun.run("journalctl", ["-q", "-n", "1"] + fields(of: path)), run.code == 0 else { return true }
    return !run.output.isEmpty
}

/// Becomes another program.
private func show(_ mount: MountTable.Mount?, _ fields: [String], _ follows: Bool, _ isQuiet: Bool) throws(Stop) -> Int32 {
    if let mount, let file = try? StatusSource.page(of: mount)["log"]?.string {
        try become("tail", ["-n", "+1"] + (follows ? ["-F"] : []) + ["--", file])
    }
    if let mount, !DriveHealth.isAnswering(mount.mountpoint) {
        printError("the drive on \(quoted(mount.mountpoint)) cannot say where it writes; where it was mounted with a file for its messages (--log-file), they are there")
    }
    guard (try? status(of: "/run/systemd/journal/socket")) != nil else {
        throw Stop(1, "this system has no journal: what \(mount.map { "the drive on \(quoted($0.mountpoint))" } ?? "a drive") says is lost, unless it is mounted with a file for that: valise mount --log-file FILE CONTAINER MOUNTPOINT")
    }
    // Quiet, it has no hint that the messages of other users are not shown.
    try become("journalctl", (follows ? ["-f"] : []) + (isQuiet ? ["-q"] : []) + fields)
    return 0
}

private func become(_ name: String, _ words: [String]) throws(Stop) {
    guard let program = ProgramRun.find(name) else { throw Stop(1, "the program \(name) is missing, which shows messages") }
    // SAFETY: C strings with nil behind them. From here on this process is that program.
    unsafe execv(program, ProgramRun.words(program, words))
    throw Stop(1, "cannot start \(quoted(program)): \(Errno.current)")
}
