import Checking
import Containers
import LinuxFiles
import Shell

/// `valise check` of a folder of containers: each app's by itself, and all together in a line.
struct AppsCheck {
    private let path: String
    private let apps: [AppsFolder.App]

    /// nil where a path leads to no such folder, and to no drive of one.
    init?(_ named: String) {
        let place = try? NamedPlace(named)
        if case .apps(let mount)? = place { path = mount.source } else if case .other(let folder)? = place { path = folder } else { return nil }
        guard let folder = try? Descriptor.atPath(path, [.read, .folder]), let found = try? AppsFolder(folder) else { return nil }
        apps = found.apps
    }

    func run(_ arguments: Arguments) throws(Stop) -> Int32 {
        guard !arguments.has(.repair), !arguments.has(.undo) else {
            throw Stop(16, "\(quoted(path)) is a folder of several containers, and one at a time is repaired; name it, as in \(shellWord("\(path)/\(apps[0].folder)"))")
        }
        let isForProgram = arguments.has(.json), progress = Progress("looked at")
        var code: Int32 = 0, pages: [JSON] = [], found = (problems: 0, notes: 0)
        for app in apps {
            let container = "\(path)/\(app.folder)"
            do throws(Failure) {
                let opened = try Container.open(container, access: .read, creating: [], kinds: PersonsKinds.own.registry)
                var check = ContainerCheck.whole(opened) { progress.show($0) }
                progress.end()
                check.lookAtSettings(of: opened)
                let page = CheckPage(check, path: container)
                code |= CheckCode.of(check)
                found = (found.problems + check.damages, found.notes + check.findings.count { !$0.isDamage && !$0.isDenied })
                if isForProgram { pages.append(.object(names(of: app) + page.members)) } else {
                    printUnlessQuiet("\(printable("\(app.name)"))\n" + page.text + page.verdict + "\n\n", arguments)
                }
            } catch {
                code |= CheckCode.operational
                if isForProgram { pages.append(.object(names(of: app) + JSONAnswer.fault(error.sentence))) } else { printError(error.sentence) }
            }
        }
        if isForProgram { printOut(JSONAnswer.line("apps", pages)) } else {
            printUnlessQuiet("\(counted(apps.count, "app")): \(counted(found.problems, "problem")), \(counted(found.notes, "note")).\n", arguments)
        }
        return code
    }

    private func names(of app: AppsFolder.App) -> [JSON.Member] {
        [JSON.Member("name", .string("\(app.name)")), JSON.Member("app", .string(app.identifier.text))]
    }
}
