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
    // In the container it may come, from a draft that is saved for whoever reads it; what a command writes is not there yet.
    if item.isOnDrive, !arguments.has(.write), !isThere(asked) { throw Stop(125, "there is no \(quoted(asked))") }
    // A folder with all that is in it; what it is may still change until it is claimed.
    let purpose: ClaimPurpose = arguments.has(.write) ? (item.isFolder ? .moving : .writing) : item.isFolder ? .readingAll : .reading
    if purpose.isWriting, item.isOnDrive { do throws(Stop) { try ContainerWriting.check(item.shown) } catch { throw Stop(125, error.sentence) } }
    do {
        let coordinator = try FileCoordinator(item.container)
        defer { coordinator.close() }
        var uncoordinated: Failure?
        func inside(_ claimed: CoordinatedItem) -> Int32 {
            // Who may only read has a claim that nobody else hears of. Where nobody can write, that is as good.
            if let refusal = coordinator.refusal, refusal.errno != .readOnly {
                uncoordinated = refusal
                return 125
            }
            guard item.isOnDrive else { return run(command, item: claimed.place) }
            // What the command writes goes through the drive, which must not wait for it, and cannot tell it from what others write there.
            printError("\(quoted(asked)) is on a drive, so who writes on that drive is not kept off, only who coordinates; "
                + (item.outdated ?? "to have their saves wait, name it in the container: \(shellWord(claimed.place))"))
            return run(command, item: item.shown)
        }
        let code = purpose.isWriting
            ? try coordinator.coordinate(writing: item.path, for: purpose, timeout: timeout, throughDrive: item.isOnDrive, inside)
            : try coordinator.coordinate(reading: item.path, for: purpose, timeout: timeout, throughDrive: item.isOnDrive, inside)
        if let uncoordinated { throw uncoordinated }
        return code
    } catch let failure as Failure {
        if [.notPermitted, .accessDenied].contains(failure.errno), let owner = StateOwner(of: item.container) { throw Stop(125, owner.sentence("the claims")) }
        throw Stop(125, failure.sentence)
    } catch { throw Stop(125, "\(error)") }
}

private func run(_ command: [String], item: String) -> Int32 {
    _ = unsafe setenv("VALISE_ITEM", item, 1)
    return runCommand(command)
}
