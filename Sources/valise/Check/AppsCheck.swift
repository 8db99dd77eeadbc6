import Checking
import Containers
import LinuxFiles
import Shell

/// `valise check` of a folder of containers: each app's by itself, and all together in a line.
struct AppsCheck {
    let apps: NamedApps

    func run(_ arguments: Arguments) throws(Stop) -> Int32 {
        guard !arguments.has(.repair), !arguments.has(.undo) else {
            throw Stop(16, "\(quoted(apps.path)) is a folder of several containers, and one at a time is repaired; name it, as in \(shellWord(apps.path(of: apps.apps[0])))")
        }
        let isForProgram = arguments.has(.json), progress = Progress("looked at")
        var code: Int32 = 0, pages: [JSON] = [], found = (problems: 0, notes: 0)
        for app in apps.apps {
            do throws(Failure) {
                let opened = try apps.opened(app)
                var check = ContainerCheck.whole(opened) { progress.show($0) }
                progress.end()
                check.lookAtSettings(of: opened)
                let page = CheckPage(check, path: apps.path(of: app))
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
            printUnlessQuiet("\(counted(apps.apps.count, "app")): \(counted(found.problems, "problem")), \(counted(found.notes, "note")).\n", arguments)
        }
        return code
    }

    private func names(of app: AppsFolder.App) -> [JSON.Member] {
        [JSON.Member("name", .string("\(app.name)")), JSON.Member("app", .string(app.identifier.text))]
    }
}
