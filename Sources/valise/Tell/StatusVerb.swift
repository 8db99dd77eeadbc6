import Glibc
import LinuxFiles
import Shell

/// `valise status`: one drive, or all that are mounted.
func statusVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let table = try MountTable.now()
    guard let path = arguments.operands.first else { return tell(of: table.ownDrives, arguments) }
    let mountpoint = try foundPath(path)
    guard let mount = table.mount(at: mountpoint), mount.isDrive else {
        throw Stop(1, "no drive is mounted on \(quoted(mountpoint)); those that are: valise status")
    }
    let page = try page(of: mount)
    say(arguments.has(.json) ? page.line + "\n" : text(page, mount, arguments))
    return 0
}

private func tell(of drives: [MountTable.Mount], _ arguments: Arguments) -> Int32 {
    var code: Int32 = 0
    var pages: [(page: JSON, mount: MountTable.Mount)] = []
    for mount in drives {
        do throws(Stop) { pages.append((try page(of: mount), mount)) }
        catch {
            complain(error.sentence)
            code = 1
        }
    }
    if arguments.has(.json) {
        say(JSON.array(pages.map(\.page)).line + "\n")
    } else if drives.isEmpty {
        say("no drive is mounted; to mount one: valise mount CONTAINER MOUNTPOINT\n")
    } else {
        say(pages.map { text($0.page, $0.mount, arguments) }.joined(separator: "\n"))
    }
    return code
}

private func text(_ page: JSON, _ mount: MountTable.Mount, _ arguments: Arguments) -> String {
    StatusPage(page).text(mountpoint: mount.mountpoint, now: Timestamp.now.seconds, details: arguments.has(.details))
}

private func page(of mount: MountTable.Mount) throws(Stop) -> JSON {
    let mountpoint = mount.mountpoint
    switch StatusSource.read(mountpoint) {
    case .answer(let bytes):
        guard let page = JSON(bytes), !page.members.isEmpty else {
            throw Stop(1, "the drive on \(quoted(mountpoint)) gave a status page that is not JSON; is it of another version of Valise?")
        }
        return page
    case .failed(let error): throw Stop(1, DriveSentence.failed(mount, error))
    case .silent: throw Stop(1, DriveSentence.silent(mount))
    }
}
