import Checking
import Containers
import Glibc
import LinuxFiles
import Shell

/// What `valise check` says, for people and for programs.
struct CheckPage {
    private let check: ContainerCheck
    /// As it was named, for commands.
    private let path: String
    /// So many lines of one kind are for people; of findings that are the same, so many are named one by one.
    private static let mostListed = 20, mostAlike = 3
    private let paint = Paint.on(1)

    init(_ check: ContainerCheck, path: String) {
        self.check = check
        self.path = path
    }

    /// What was looked at, and what was found.
    var text: String {
        var text = "\(quoted(path)): \(tally)\n"
        if let holder = check.holder { text += "It is in use (\(printable(holder))); what is under way there was left out.\n" }
        for kind in CheckFinding.Kind.allCases { text += lines(check.findings.filter { $0.kind == kind }) }
        if check.omitted > 0 { text += line(.note, "\(count(check.omitted)) more findings not shown") }
        if check.documents.isEmpty, check.findings.isEmpty, !check.hasState {
            text += line(.note, "there is no document in it; a container is the folder that an app keeps its documents in, or one that “valise init” made")
        }
        return text
    }

    /// Findings of one kind: each by itself while they are few, and otherwise by what they have in common.
    private func lines(_ findings: [CheckFinding]) -> String {
        var groups: [(reason: String, findings: [CheckFinding])] = [], places: [String: Int] = [:]
        for finding in findings {
            if let place = places[finding.reason] { groups[place].findings.append(finding) } else {
                places[finding.reason] = groups.count
                groups.append((finding.reason, [finding]))
            }
        }
        var text = "", shown = 0, counted = 0
        for (reason, alike) in groups where shown < Self.mostListed {
            shown += 1
            counted += alike.count
            if alike.count > Self.mostAlike {
                let named = alike.prefix(Self.mostAlike).map { quoted(pathText($0.path)) }.joined(separator: ", ")
                text += line(Self.grade(alike[0]), "\(common(alike[0], alike.count) ?? "\(count(alike.count)) times: \(clause(reason))") (\(named), …)")
            } else {
                text += alike.map { line(Self.grade($0), "\(quoted(pathText($0.path))): \(clause(reason))") }.joined()
            }
        }
        guard let first = findings.first, counted < findings.count || findings.count > Self.mostListed else { return text }
        if counted < findings.count { text += line(Self.grade(first), "\(count(findings.count - counted)) more findings not shown") }
        return text + "         all of them: valise check --json \(shellWord(path))\n"
    }

    private func line(_ grade: Finding.Grade, _ sentence: String) -> String { Finding(grade, sentence).text(paint) }

    private static func grade(_ finding: CheckFinding) -> Finding.Grade { finding.isDamage ? .problem : .note }

    private func common(_ finding: CheckFinding, _ number: Int) -> String? {
        switch finding.kind {
        case .missingThumbnail: "\(count(number)) photos have no thumbnail"
        case .staleThumbnail: "\(count(number)) photos have a thumbnail that is older than their image"
        case .orphanedStaging: "\(count(number)) files are left over from saves, and no save that is under way needs them"
        case .orphanedVersions: "\(count(number)) documents that have versions are gone; those stay for a month, in case the documents come back"
        case .newerImage: "\(count(number)) photos whose \(finding.reason.replacing("its image", with: "image"))"
        default: nil
        }
    }

    private var denied: Int { check.findings.count(where: \.isDenied) }

    /// The last word.
    var verdict: String {
        let damages = check.damages, notes = check.findings.count(where: { !$0.isDamage && !$0.isDenied }) + check.omitted - check.omittedDamages
        let counts = [(damages, "problem"), (notes, "note")].filter { $0.0 > 0 }.map { Self.number($0.0, $0.1) }
        let refused = denied > 0 ? "\(count(denied)) of what is in it could not be looked at: \(geteuid() == 0 ? "its file system does not let root" : "you may not"). " : ""
        if counts.isEmpty { return denied > 0 ? refused + "Nothing is wrong in the rest." : "Nothing is wrong." }
        return refused + counts.joined(separator: ", ") + "."
    }

    /// What is left after a repair.
    func verdict(after outcome: Repair.Outcome, _ plan: RepairPlan) -> String {
        let problems = plan.left.count(where: \.isDamage) + check.omittedDamages + outcome.left.count { isOfDamage($0.step) }
        if problems == 0 { return outcome.left.isEmpty ? "Nothing is wrong any more." : "Nothing is damaged any more, and what could not be done is left as it was." }
        return "\(count(problems)) problem\(problems == 1 ? " is" : "s are") left; to see: valise check \(shellWord(path))"
    }

    /// A photo without a thumbnail is complete, and a draft may wait.
    func isOfDamage(_ step: RepairPlan.Step) -> Bool {
        switch step {
        case .setAside: true
        case .finishJournal: check.findings.contains { $0.isDamage && [.unfinishedJournal, .unreadableJournal].contains($0.kind) }
        case .makeThumbnail: false
        }
    }

    private var tally: String {
        let kinds = check.documents.sorted { $0.key.place < $1.key.place }.map { Self.number($0.value, $0.key.kind.name) }
        let others = [(check.files, "other file"), (check.folders, "folder")].filter { $0.0 > 0 }.map { Self.number($0.0, $0.1) }
        return (kinds + others).isEmpty ? "empty" : (kinds + others).joined(separator: ", ")
    }

    static func number(_ number: Int, _ noun: String) -> String {
        "\(count(number)) \(number == 1 ? noun : plural(noun))"
    }

    // MARK: Repairing

    func text(of plan: RepairPlan) -> String {
        guard !plan.steps.isEmpty else { return check.findings.isEmpty ? "" : "There is nothing that can be repaired here.\n" + remedy }
        var text = "The repair would:\n"
        for step in plan.steps.prefix(Self.mostListed) { text += "  \(Self.sentence(of: step))\n" }
        if plan.steps.count > Self.mostListed { text += "  and \(count(plan.steps.count - Self.mostListed)) more steps like these\n" }
        return text
    }

    /// What to do about documents that are damaged, which no repair makes whole.
    private var remedy: String {
        let isOfDocuments = check.findings.contains { $0.isDamage && [.unreadableDocument, .missingPart, .oddPart, .otherEncoding].contains($0.kind) }
        return isOfDocuments ? "What is damaged of a document comes back from an earlier version of it (valise versions DOCUMENT, then valise restore DOCUMENT VERSION), or from a backup.\n" : ""
    }

    func text(of outcome: Repair.Outcome) -> String {
        var text = "\(Self.number(outcome.done.count, "step")) carried out"
        if let undo = outcome.undo { text += "; to take it back: valise check --undo \(shellWord(path))\nWhat was there before lies in .valise/undo/\(undo)." } else { text += "." }
        text += "\n"
        if outcome.isStopped { return text + line(.note, "stopped, and \(Self.number(outcome.left.count, "step")) left; to go on: valise check --repair \(shellWord(path))") }
        for (step, reason) in outcome.left.prefix(Self.mostListed) { text += line(.note, "could not \(Self.sentence(of: step)): \(reason)") }
        if outcome.left.count > Self.mostListed { text += line(.note, "\(count(outcome.left.count - Self.mostListed)) more could not be done") }
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

    func json(plan: RepairPlan? = nil, outcome: Repair.Outcome? = nil) -> String {
        var members = members
        if let plan { members.append(JSON.Member("plan", .array(plan.steps.map { .string(Self.sentence(of: $0)) }))) }
        if let outcome {
            members.append(JSON.Member("done", .array(outcome.done.map { .string(Self.sentence(of: $0)) })))
            members.append(JSON.Member("left", .array(outcome.left.map { left in
                .object([JSON.Member("step", .string(Self.sentence(of: left.step))), JSON.Member("reason", .string(left.reason))])
            })))
            members.append(JSON.Member("undo", outcome.undo.map { .string(".valise/undo/\($0)") } ?? .null))
        }
        return JSONAnswer.line(members)
    }

    /// What was found.
    var members: [JSON.Member] {
        [
            JSON.Member("container", .string(check.path)),
            JSON.Member("holder", check.holder.map(JSON.string) ?? .null),
            JSON.Member("documents", .object(check.documents.sorted { $0.key.place < $1.key.place }.map { JSON.Member($0.key.kind.name, .integer(Int64($0.value))) })),
            JSON.Member("files", .integer(Int64(check.files))),
            JSON.Member("folders", .integer(Int64(check.folders))),
            JSON.Member("findings", .array(check.findings.map(Self.json))),
            JSON.Member("omitted", .integer(Int64(check.omitted))), JSON.Member("problems", .integer(Int64(check.damages))),
        ]
    }

    private static func json(_ finding: CheckFinding) -> JSON {
        .object([
            JSON.Member("kind", .string(finding.kind.rawValue)), JSON.Member("grade", .string(finding.isDamage ? "problem" : "note")),
            JSON.Member("path", .string(pathText(finding.path))), JSON.Member("reason", .string(finding.reason)), JSON.Member("denied", .bool(finding.isDenied)),
        ])
    }
}

/// A place in a container as people write it.
func pathText(_ place: [Name]) -> String { place.isEmpty ? "." : place.map { "\($0)" }.joined(separator: "/") }
