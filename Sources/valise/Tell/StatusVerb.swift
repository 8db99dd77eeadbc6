import Glibc
import LinuxFiles
import Shell

/// `valise status`: the drives that somebody names, or all that are theirs.
func statusVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    guard !arguments.operands.isEmpty else { return printStatus(of: try MountTable.now().ownDrives, arguments) }
    var drives: [MountTable.Mount] = []
    for path in arguments.operands {
        for mount in try NamedPlace.existing(path).drives() where !drives.contains(mount) { drives.append(mount) }
    }
    return printStatus(of: drives, arguments)
}

/// `valise list`: the same as a table, whatever there is.
func listVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let drives = try MountTable.now().ownDrives
    guard !arguments.has(.quiet) else {
        for mount in drives { printOut("\(printable(mount.mountpoint))\n") }
        return 0
    }
    let (reports, faults) = reports(of: drives, withRoom: arguments.has(.json))
    if arguments.has(.json) { printOut(answer(drives, reports, faults)) } else { printOut(table(drives, reports)) }
    return printFaults(of: faults, arguments)
}

private func printStatus(of drives: [MountTable.Mount], _ arguments: Arguments) -> Int32 {
    let isTable = drives.count > 1 && !arguments.has(.details)
    let (reports, faults) = reports(of: drives, withRoom: arguments.has(.json) || !isTable)
    if arguments.has(.json) {
        printOut(answer(drives, reports, faults))
    } else if drives.isEmpty {
        printOut("no drive is mounted; to mount one: valise mount CONTAINER MOUNTPOINT\n")
    } else if isTable {
        printOut(table(drives, reports) + "\nMore of one of them: valise status DRIVE\n")
    } else {
        printOut(reports.map { $0.text(details: arguments.has(.details)) }.joined(separator: "\n"))
    }
    return printFaults(of: faults, arguments)
}

private typealias Fault = (mount: MountTable.Mount, sentence: String)

/// `withRoom`: a table does not tell it.
private func reports(of drives: [MountTable.Mount], withRoom: Bool) -> (reports: [DriveReport], faults: [Fault]) {
    var reports: [DriveReport] = [], faults: [Fault] = []
    for (mount, report) in zip(drives, DriveReport.all(of: drives, withRoom: withRoom)) {
        switch report {
        case .success(let report): reports.append(report)
        case .failure(let fault): faults.append((mount, fault.sentence))
        }
    }
    return (reports, faults)
}

private func printFaults(of faults: [Fault], _ arguments: Arguments) -> Int32 {
    if !arguments.has(.json) { for fault in faults { printError(fault.sentence) } }
    return faults.isEmpty ? 0 : 1
}

private func answer(_ drives: [MountTable.Mount], _ reports: [DriveReport], _ faults: [Fault]) -> String {
    JSONAnswer.line("drives", drives.compactMap { mount in
        if let report = reports.first(where: { $0.mount == mount }) { return report.page.json(page: report.json, mountpoint: mount.mountpoint) }
        return faults.first { $0.mount == mount }.map { .object([JSON.Member("mountpoint", .string(mount.mountpoint))] + JSONAnswer.fault($0.sentence)) }
    })
}

private func table(_ drives: [MountTable.Mount], _ reports: [DriveReport]) -> String {
    DriveTable(drives.map { mount in (mount.mountpoint, mount.source, mount.isReadOnly, reports.first { $0.mount == mount }?.page) }).text(paint: .on(1))
}
