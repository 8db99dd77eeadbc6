import Glibc
import LinuxFiles
import Shell

/// `valise doctor`: every check, what is wrong first, in the order in which one would fix it.
func doctorVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    // One that is not there is told of below.
    let container = arguments.operands.first.map { path in (try? NamedPlace(path).wholeContainer(path)) ?? path }
    var findings = SystemChecks.all() + ThumbnailChecks.all() + UnitChecks.all()
    // The others may take their time to answer, and are nobody's business here.
    let source = container.map { (try? realPath($0)) ?? $0 }
    var drives = try MountTable.now().drives.filter { source == nil || $0.source == source }
    // It may have been moved since it was mounted.
    if drives.isEmpty, let source, let drive = try NamedPlace.drive(showing: source) { drives = [drive] }
    for (drive, health) in zip(drives, DriveHealth.of(drives.map(\.mountpoint))) { findings += DriveCheck.findings(drive, health) }
    if let container { findings += ContainerChecks.all(container) }
    // What is wrong comes first.
    let shown = [Finding.Grade.problem, .note, .ok].filter { !(arguments.has(.quiet) && $0 == .ok) }.flatMap { grade in findings.filter { $0.grade == grade } }
    if arguments.has(.json) { printOut(JSONAnswer.line("findings", shown.map(\.json))) } else { for finding in shown { printOut(finding.text(.on(1), isWrapped: isatty(1) == 1)) } }
    return findings.contains { $0.grade == .problem } ? 1 : 0
}

enum DriveCheck {
    /// With what a drive that answers has agreed on with the kernel.
    static func findings(_ mount: MountTable.Mount, _ health: DriveHealth) -> [Finding] {
        let answer = finding(mount, health)
        guard answer.grade == .ok, let page = (try? StatusSource.page(of: mount)).map({ StatusReport($0) }) else { return [answer] }
        let outdated = page.outdated.map { outdated in
            let place = shellWord(mount.mountpoint)
            return Finding(.problem, outdated, mend: "valise unmount \(place)" + (page.containerNow.map { " && valise mount \(shellWord($0)) \(place)" } ?? ""))
        }
        guard let kernel = page.kernel else { return [answer] + [outdated].compactMap(\.self) }
        return [answer] + [outdated].compactMap(\.self) + [Finding(.ok, "the drive on \(quoted(mount.mountpoint)) works \(kernel.means); why not with all: valise status --details \(shellWord(mount.mountpoint))")]
    }

    private static func finding(_ mount: MountTable.Mount, _ health: DriveHealth) -> Finding {
        let place = quoted(mount.mountpoint)
        switch health {
        case .answers: return Finding(.ok, "the drive on \(place) answers")
        case .dead: return Finding(.problem, "the drive on \(place) is dead: its process has ended", mend: "valise unmount \(shellWord(mount.mountpoint))")
        case .silent:
            let process = DriveProcess.search(mount)
            if let process, process.isStopped {
                return Finding(.problem, "the drive on \(place) does not answer: process \(process.number) is stopped", mend: "kill -CONT \(process.number)")
            }
            return Finding(.problem, "the drive on \(place) does not answer", mend: "valise unmount --lazy \(shellWord(mount.mountpoint))")
        }
    }
}
