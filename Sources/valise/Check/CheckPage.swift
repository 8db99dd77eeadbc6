import Containers
import LinuxFiles
import Shell

/// What `valise check` says, for people and for programs.
struct CheckPage {
    private let check: ContainerCheck
    private let path: String
    /// So many of one kind are named for people.
    private static let mostListed = 20

    init(_ check: ContainerCheck, path: String) {
        self.check = check
        self.path = path
    }

    var text: String {
        var text = "\(quoted(path)): \(tally)\n"
        if let holder = check.holder { text += "It is in use (\(printable(holder))); what is under way there was left out.\n" }
        for kind in CheckFinding.Kind.allCases {
            let found = check.findings.filter { $0.kind == kind }
            for finding in found.prefix(Self.mostListed) {
                text += Finding(finding.isDamage ? .problem : .note, "\(quoted(pathText(finding.path))): \(finding.reason)").text
            }
            if found.count > Self.mostListed { text += Finding(found[0].isDamage ? .problem : .note, "\(found.count - Self.mostListed) more of this; all of them: valise check --json").text }
        }
        if check.omitted > 0 { text += Finding(.problem, "\(check.omitted) more findings that nobody could read").text }
        return text + verdict + "\n"
    }

    private var verdict: String {
        let notes = check.findings.count - check.damages
        guard check.findings.count > 0 else { return "Nothing is wrong." }
        return [(check.damages, "problem"), (notes, "note")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: ", ") + "."
    }

    private var tally: String {
        let kinds = check.documents.sorted { $0.key.rawValue < $1.key.rawValue }.map { counted($0.value, $0.key.kind.name) }
        let others = [(check.files, "other file"), (check.folders, "folder")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        return (kinds + others).isEmpty ? "empty" : (kinds + others).joined(separator: ", ")
    }

    // MARK: Repairing

    func text(of plan: RepairPlan) -> String {
        guard !plan.steps.isEmpty else { return check.findings.isEmpty ? "" : "There is nothing that can be repaired here.\n" }
        var text = "The repair would:\n"
        for step in plan.steps.prefix(Self.mostListed) { text += "  \(Self.sentence(of: step))\n" }
        if plan.steps.count > Self.mostListed { text += "  and \(plan.steps.count - Self.mostListed) more steps like these\n" }
        return text
    }

    func text(of outcome: Repair.Outcome) -> String {
        var text = "\(counted(outcome.done.count, "step")) carried out"
        if let undo = outcome.undo { text += "; to take it back: valise check --undo \(shellWord(path))\nWhat was there before lies in .valise/undo/\(undo)." } else { text += "." }
        text += "\n"
        for (step, reason) in outcome.left.prefix(Self.mostListed) { text += Finding(.note, "could not \(Self.sentence(of: step)): \(reason)").text }
        if outcome.left.count > Self.mostListed { text += Finding(.note, "\(outcome.left.count - Self.mostListed) more could not be done").text }
        return text
    }

    private static func sentence(of step: RepairPlan.Step) -> String {
        switch step {
        case .setAside(let place): "put \(quoted(pathText(place))) aside"
        case .finishJournal: "finish what the journal says is under way, as the next mount would"
        case .makeThumbnail(let place): "make a thumbnail of \(quoted(pathText(place)))"
        }
    }

    // MARK: For programs

    func json(plan: RepairPlan? = nil, outcome: Repair.Outcome? = nil) -> JSON {
        var members = [
            JSON.Member("container", .string(path)),
            JSON.Member("holder", check.holder.map(JSON.string) ?? .null),
            JSON.Member("documents", .object(check.documents.sorted { $0.key.rawValue < $1.key.rawValue }.map { JSON.Member($0.key.kind.name, .integer(Int64($0.value))) })),
            JSON.Member("files", .integer(Int64(check.files))),
            JSON.Member("folders", .integer(Int64(check.folders))),
            JSON.Member("findings", .array(check.findings.map(Self.json))),
            JSON.Member("omitted", .integer(Int64(check.omitted))),
        ]
        if let plan { members.append(JSON.Member("plan", .array(plan.steps.map { .string(Self.sentence(of: $0)) }))) }
        if let outcome {
            members.append(JSON.Member("done", .array(outcome.done.map { .string(Self.sentence(of: $0)) })))
            members.append(JSON.Member("left", .array(outcome.left.map { left in
                .object([JSON.Member("step", .string(Self.sentence(of: left.step))), JSON.Member("reason", .string(left.reason))])
            })))
            members.append(JSON.Member("undo", outcome.undo.map { .string(".valise/undo/\($0)") } ?? .null))
        }
        return .object(members)
    }

    private static func json(_ finding: CheckFinding) -> JSON {
        .object([
            JSON.Member("kind", .string(finding.kind.rawValue)), JSON.Member("grade", .string(finding.isDamage ? "problem" : "note")),
            JSON.Member("path", .string(pathText(finding.path))), JSON.Member("reason", .string(finding.reason)),
        ])
    }
}

/// A place in a container as people write it.
func pathText(_ place: [Name]) -> String { place.map { "\($0)" }.joined(separator: "/") }
