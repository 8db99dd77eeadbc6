import Checking
import Containers
import Glibc
import LinuxFiles
import Shell
import Thumbnails

/// `valise check`: what is wrong in a container; repairs it, and takes a repair back.
func checkVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    if let apps = NamedApps(arguments.operands[0]) { return try AppsCheck(apps: apps).run(arguments) }
    let named = arguments.operands[0], repairs = arguments.has(.repair), path: String
    if NamedBackup.isMeant(named) { return try checkBackup(named, arguments) }
    do throws(Stop) { path = try NamedPlace(named).wholeContainer(named) } catch { throw Stop(CheckCode.operational, error.sentence) }
    guard !(repairs && arguments.has(.undo)) else { throw Stop(16, "“--repair” and “--undo” do not go together") }
    if repairs || arguments.has(.undo) { do throws(Stop) { try ContainerWriting.check(named) } catch { throw Stop(CheckCode.operational, error.sentence) } }
    let container: Container
    do throws(Failure) { container = try Container.open(path, access: repairs || arguments.has(.undo) ? .readWrite : .read, creating: [], kinds: PersonsKinds.own.registry) }
    catch { throw Stop(CheckCode.operational, error.sentence) }
    if arguments.has(.undo) { return try takeBack(in: container, path, arguments) }

    let progress = Progress("looked at")
    var check = ContainerCheck.whole(container) { progress.show($0) }
    progress.end()
    check.lookAtSettings(of: container)
    let page = CheckPage(check, path: path)
    guard repairs else {
        if arguments.has(.json) { printOut(page.json()) } else { printUnlessQuiet(page.text + page.verdict + "\n", arguments) }
        return CheckCode.of(check)
    }
    return try repair(container, check, page, arguments)
}

/// The exit codes of fsck(8).
enum CheckCode {
    static let corrected: Int32 = 1, uncorrected: Int32 = 4, operational: Int32 = 8, cancelled: Int32 = 32

    /// What this user may not look at is no damage: nobody knows.
    static func of(_ check: ContainerCheck) -> Int32 {
        (check.damages > 0 ? uncorrected : 0) | (check.findings.contains(where: \.isDenied) ? operational : 0)
    }
}

private func repair(_ container: Container, _ check: ContainerCheck, _ page: CheckPage, _ arguments: Arguments) throws(Stop) -> Int32 {
    let plan = RepairPlan(for: check), isForProgram = arguments.has(.json)
    let before = CheckCode.of(check)
    if let holder = check.holder {
        throw Stop(CheckCode.operational, "\(quoted(container.path)) cannot be repaired while somebody writes in it (\(printable(holder))); unmount it first: valise unmount \(shellWord(container.path))")
    }
    if !isForProgram { printUnlessQuiet(page.text + page.verdict + "\n" + page.text(of: plan), arguments) }
    guard !plan.steps.isEmpty else {
        if isForProgram { printOut(page.json(plan: plan)) }
        return before
    }
    if !arguments.has(.yes) {
        guard !isForProgram, isatty(0) == 1, isatty(1) == 1 else {
            if isForProgram { printOut(page.json(plan: plan)) }
            printError("nothing was changed; to carry the plan out: valise check --repair --yes \(shellWord(arguments.operands[0]))")
            return before
        }
        guard isYes("Carry this out? [y/N] ") else { return CheckCode.cancelled }
    }
    // Before the first thread, which would not hold them back.
    let keys = HeldBackSignals(), worker = ThumbnailWorker()
    defer { worker.close() }
    let progress = Progress("of \(plan.steps.count) done")
    let outcome: Repair.Outcome
    do throws(Failure) {
        outcome = try Repair.carryOut(plan, in: container, thumbnailer: { thumbnail($0, $1, $2, by: worker) }, progress: { progress.show($0) }, isStopped: { keys.isAny })
        progress.end()
    } catch {
        progress.end()
        throw Stop(CheckCode.operational, error.sentence)
    }
    if isForProgram { printOut(page.json(plan: plan, outcome: outcome)) } else { printUnlessQuiet(page.text(of: outcome) + page.verdict(after: outcome, plan) + "\n", arguments) }
    // Whoever pressed Ctrl-C hears first what was done.
    keys.release()
    let isLeft = plan.left.contains(where: \.isDamage) || check.omittedDamages > 0 || outcome.left.contains { page.isOfDamage($0.step) }
    return (outcome.done.isEmpty ? 0 : CheckCode.corrected) | (isLeft ? CheckCode.uncorrected : 0)
}

private func thumbnail(_ file: OpenFile, _ offset: Int64, _ length: Int64, by worker: ThumbnailWorker) -> Repair.MadeThumbnail {
    do throws(ThumbnailFault) { return .image(try worker.thumbnail(of: file, offset: offset, length: length)) } catch {
        switch error {
        case .missing: return .none("\(ThumbnailProgram.name) is missing, which makes them; to see what to do: valise doctor")
        case .unsealed, .closed: return .none("\(ThumbnailProgram.name) does not work here; to see why: valise doctor")
        case .refused, .died, .silent, .failed: return .none("no thumbnail can be made of its image; to see which formats can be read: valise doctor")
        }
    }
}

private func takeBack(in container: Container, _ path: String, _ arguments: Arguments) throws(Stop) -> Int32 {
    let outcome: RepairUndo.Outcome?
    do throws(Failure) { outcome = try RepairUndo.takeBackLast(in: container) } catch { throw Stop(CheckCode.operational, error.sentence) }
    guard let outcome else {
        printOut(arguments.has(.json) ? JSONAnswer.line([JSON.Member("repair", .null), JSON.Member("undone", .integer(0)), JSON.Member("left", .array([]))]) : "there is no repair of \(quoted(path)) to take back\n")
        return 0
    }
    if arguments.has(.json) {
        let left = outcome.left.map { JSON.object([JSON.Member("path", .string(pathText($0.place))), JSON.Member("reason", .string($0.reason))]) }
        printOut(JSONAnswer.line([JSON.Member("repair", .string("\(outcome.name)")), JSON.Member("undone", .integer(Int64(outcome.done))), JSON.Member("left", .array(left))]))
    } else {
        printOut("the repair of \(outcome.name) is taken back: \(CheckPage.number(outcome.done, "step"))\n")
        for (place, reason) in outcome.left { printOut(Finding(.problem, "\(quoted(pathText(place))) stays as it is: \(reason)").text(.on(1))) }
    }
    return outcome.left.isEmpty ? CheckCode.corrected : CheckCode.corrected | CheckCode.uncorrected
}

/// Asks on the terminal. Everything but a yes is a no.
private func isYes(_ question: String) -> Bool {
    printOut(question)
    guard let answer = readLine() else { return false }
    return ["y", "yes"].contains(answer.lowercased())
}
