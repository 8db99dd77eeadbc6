import Documents
import LinuxFiles
import Transactions

/// Items that get another name or another place.
final class DocumentRenaming: Sendable {
    private let container: Container
    private let staging: Staging
    private let attributes: FileAttributes
    private let names: NameKeeping
    private let records: DeletedRecords
    private let versions: VersionKeeping
    private let plans: PlanExecution
    private let drafts: StagedDrafts

    init(
        container: Container, staging: Staging, attributes: FileAttributes, names: NameKeeping, records: DeletedRecords,
        versions: VersionKeeping, plans: PlanExecution, drafts: StagedDrafts
    ) {
        (self.container, self.staging, self.attributes, self.names) = (container, staging, attributes, names)
        (self.records, self.versions, self.plans, self.drafts) = (records, versions, plans, drafts)
    }

    /// Gives a document another shown name, in the same folder or in another one. Returns its stored name then,
    /// and what it replaced. `removing` is a plain file in the new folder that gives way; `draft` one of the
    /// document that could not be saved, and goes along. So do the copies of it that a sync tool has left beside it.
    func rename(
        _ stored: Name, _ kind: KindID, from old: Address, to new: Address, replacing: ReplacedDocument?, removing: Name? = nil, draft: Draft? = nil,
        copies: [Name] = []
    ) throws(SaveFault) -> Outcome {
        let renamed = try renamedParts(of: stored, kind, from: old, to: new)
        do throws(Errno) {
            let staged = try stage(renamed, kind, to: new.shown, staging.nextNumber())
            defer { clear(staged) }
            return try carryOutRename(stored, kind, staged, from: old, to: new, replacing, removing, try followed(draft, of: renamed, staged), copies)
        } catch { throw .failed(error) }
    }

    /// The parts of a document as they are under another shown name, and what they were made of.
    typealias RenamedParts = (existing: ExistingParts, writings: [PartWriting])

    /// `item`: what the document is called in that folder, where that is not its stored name.
    func renamedParts(of stored: Name, in item: Name? = nil, _ kind: KindID, from old: Address, to new: Address) throws(SaveFault) -> RenamedParts {
        func read() throws(DocumentFault) -> RenamedParts {
            let existing = try ExistingParts(of: .stored(item ?? stored), kind, in: old.folder, staging.folder)
            return (existing, try kind.kind.rename(existing.sources, storedName: stored.bytes, to: new.shown.bytes, options: container.reader.options))
        }
        // A package that is replaced meanwhile has lost some of its parts: then the new one is looked at.
        if let parts = try? read() { return parts }
        do throws(DocumentFault) { return try read() } catch {
            if case .unreadable(let number) = error { throw .failed(number.map(Errno.init) ?? .inputOutput) }
            throw .unfit(ItemReader.sentence(of: error))
        }
    }

    func stage(_ renamed: RenamedParts, _ kind: KindID, to shown: Name, _ number: UInt64) throws(Errno) -> [RenamedPart] {
        let names = renamed.existing.names
        var staged: [RenamedPart] = []
        do throws(Errno) {
            for (index, writing) in renamed.writings.enumerated() {
                guard case .bytes(let bytes) = writing else { continue }
                let name = Name("\(number).part\(index)") ?? Name.staged(number), files = renamed.existing.files
                staged.append(.written(.staged(name), part: kind.isPackage && names.indices.contains(index) ? names[index] : nil))
                try stageRenamed(bytes, as: name, like: files.indices.contains(index) ? files[index] : nil, or: files.first ?? nil)
            }
            // Its extension is that of the content, where it tells its own.
            for (old, new) in zip(names, kind.form?.names(shown: shown, instead: names) ?? []) where old != new {
                if try !renamed.existing.home.descriptor.exists(new) { staged.append(.called(old, new, in: renamed.existing.way)) }
            }
            return staged
        } catch {
            clear(staged)
            throw error
        }
    }

    /// A draft with what it began from once its document has another name: a part with the content that knows the name is another file then. Where somebody
    /// else has changed the document since, it began from what it did.
    func followed(_ draft: Draft?, of renamed: RenamedParts, _ staged: [RenamedPart]) throws(Errno) -> FollowedDraft? {
        guard let draft else { return nil }
        guard let base = draft.base, case .bytes? = renamed.writings.first, case .written(let place, _)? = staged.first,
            renamed.existing.status.map(BaseStamp.init) == base
        else { return FollowedDraft(draft: draft, base: draft.base) }
        return FollowedDraft(draft: draft, base: BaseStamp(try staging.folder.descriptor.status(of: place.name)))
    }

    func clear(_ staged: [RenamedPart]) {
        for case .written(let place, _) in staged { try? staging.remove(place.name) }
    }

    private func carryOutRename(
        _ stored: Name, _ kind: KindID, _ written: [RenamedPart], from old: Address, to new: Address,
        _ replacing: ReplacedDocument?, _ removing: Name?, _ draft: FollowedDraft?, _ copies: [Name]
    ) throws(Errno) -> Outcome {
        let away = replacing.map { AwayItem(number: staging.nextNumber(), kind: $0.kind, stored: $0.stored, path: new.path) }
        let history = try versions.stageHistory(of: replacing, for: kind, renaming: stored, old, new)
        defer { if let history { try? staging.remove(history.staged) } }
        // What becomes a version is not deleted.
        let noted = history == nil ? try away.flatMap { (away) throws(Errno) in try records.note(away, from: new) } : nil
        let own = kind.kind.storedNameFollowsShown ? nil : stored
        do throws(Errno) {
            return try NewItemName.trying(kind, for: new.shown, first: own) { (name) throws(Errno) in
                var plan = Plan()
                plan.know(old.folder, at: old.path)
                plan.know(new.folder, at: new.path)
                plan.know(staging.folder, at: [], of: .staging)
                if let away { plan.steps.append(.move(.item(away.stored, in: new.path), .staged(away.staged))) }
                let from = Place.item(stored, in: old.path), to = Place.item(name, in: new.path)
                if !kind.isPackage, case .written(let place, _)? = written.first {
                    plan.steps.append(from == to ? .move(place, to) : .add(place, to))
                } else {
                    if from != to { plan.steps.append(.add(from, to)) }
                    plan.steps += written.map { $0.step(in: to) }
                }
                if away?.stored == name { try versions.goWith(noted, &plan) }
                try versions.follow(from: from, to: to, replaced: replacing?.stored, history, &plan)
                if from != to { plan.steps += try following(copies, of: stored, from: old, to: new, as: name) }
                try names.keepName(new.shown, kind, at: to, &plan)
                for place in [from, away.map { Place.item($0.stored, in: new.path) }] { if let place, place != to { try names.forgetName(at: place, &plan) } }
                // Last, because these cannot be taken back.
                if !kind.isPackage, !written.isEmpty, from != to { plan.steps.append(.remove(from)) }
                plan.steps += Plan.ending(draft: replacing?.draft?.number)
                if let removing { plan.steps.append(.remove(.item(removing, in: new.path))) }
                if let draft { plan.drafts = [draft.record(at: new, as: name)] }
                try plans.carryOut(plan)
                draft?.follow()
                return Outcome(stored: name, replaced: away, kept: history?.version.id)
            }
        } catch {
            if let away { records.forget(away: away.number) }
            throw error
        }
    }

    /// The steps with which copies follow their document. One that cannot be called after it stays, and is a document of its own then.
    private func following(_ copies: [Name], of stored: Name, from old: Address, to new: Address, as name: Name) throws(Errno) -> [Journal.Step] {
        var steps: [Journal.Step] = []
        for copy in copies {
            guard let renamed = SyncCopy.renamed(copy, of: stored, to: name), try old.folder.descriptor.exists(copy),
                try !new.folder.descriptor.exists(renamed)
            else { continue }
            steps.append(.add(.item(copy, in: old.path), .item(renamed, in: new.path)))
        }
        return steps
    }

    /// Gives a plain file or a folder another name or place, over what has that name. `replacing` is a document that is
    /// shown under it, `removing` a plain file whose item is called otherwise.
    func move(
        _ stored: Name, from old: Address, to new: Address, as name: Name, replacing: ReplacedDocument? = nil, removing: Name? = nil,
        plain: ReplacedPlainFile = .gone
    ) throws(Errno) -> Outcome {
        let from = Place.item(stored, in: old.path), to = Place.item(name, in: new.path)
        let history = try stageReplaced(plain, removing ?? name, at: new, by: stored, at: old)
        defer { if let history { try? staging.remove(history.staged) } }
        let away = replacing.map { AwayItem(number: staging.nextNumber(), kind: $0.kind, stored: $0.stored, path: new.path) }
        let noted = try away.flatMap { (away) throws(Errno) in try records.note(away, from: new) }
        var plan = Plan()
        plan.know(old.folder, at: old.path)
        plan.know(new.folder, at: new.path)
        plan.know(staging.folder, at: [], of: .staging)
        if let away { plan.steps.append(.move(.item(away.stored, in: new.path), .staged(away.staged))) }
        let replaced = Place.item(removing ?? name, in: new.path)
        if let history, let step = try versions.keepingStep(history, of: replaced.name, in: replaced.path) { plan.steps.append(step) }
        // What a plain file replaces may have its second name among the deleted: it needs none in staging, where the move comes last.
        switch plain {
        case .version, .saved: try versions.takeOver(of: replaced, from: from, to: to, &plan)
        case .deleted(let item):
            try versions.goWith(item, &plan)
            try versions.follow(from: from, to: to, &plan)
        case .gone: break
        }
        plan.steps.append(.move(from, to))
        if away?.stored == name { try versions.goWith(noted, &plan) }
        try versions.letGo(below: from)
        if case .gone = plain { try versions.follow(from: from, to: to, &plan) }
        if let away { try names.forgetName(at: .item(away.stored, in: new.path), &plan) }
        try names.followNames(from: from, to: to, &plan)
        plan.steps += Plan.ending(draft: replacing?.draft?.number)
        if let removing { plan.steps.append(.remove(.item(removing, in: new.path))) }
        try records.forgetting([away]) { () throws(Errno) in try plans.carryOut(plan) }
        return Outcome(stored: name, replaced: away, kept: history?.version.id)
    }

    /// What a plain file replaces is kept, unless it is what takes its name, byte by byte.
    private func stageReplaced(
        _ plain: ReplacedPlainFile, _ replaced: Name, at new: Address, by stored: Name, at old: Address
    ) throws(Errno) -> StagedVersion? {
        guard case .version(let goesOn) = plain else { return nil }
        let parts = try PlainFileKeeping.parts(of: replaced, in: new.folder, staging)
        if let content = parts.files.first ?? nil, let status = parts.status, status.size <= VersionKeeping.liveCopyLimit,
            try old.folder.descriptor.status(of: stored).size == status.size,
            try old.folder.descriptor.openUntraced(stored, [.read, .nonBlocking]).hasSameBytes(at: 0, as: content.descriptor, at: 0, count: status.size)
        { return nil }
        return try versions.stageVersion(of: parts, .plain, at: new.path + [new.shown], conflict: false, goesOn: goesOn)
    }

    /// Gives an item of any sort another name or place, where nothing is. What it is stays as it is, inside too.
    func moveToFreeName(_ stored: Name, from old: Address, to new: Address, as name: Name) throws(Errno) -> Outcome {
        let from = Place.item(stored, in: old.path), to = Place.item(name, in: new.path)
        var plan = Plan()
        plan.know(old.folder, at: old.path)
        plan.know(new.folder, at: new.path)
        plan.know(staging.folder, at: [], of: .staging)
        plan.steps = [.add(from, to)]
        try versions.follow(from: from, to: to, &plan)
        try names.followNames(from: from, to: to, &plan)
        plan.drafts = plans.drafts(of: from).map { record in
            // It is shown as it is called now, where it was before.
            var record = record
            (record.path, record.stored) = (to.path, name)
            let shown = ShownName.split(record.shown)
            if shown.stem == ShownName.split(stored).stem {
                record.shown = Name(ShownName.split(name).stem + shown.suffix) ?? record.shown
            }
            return record
        }
        try plans.carryOut(plan)
        return Outcome(stored: name)
    }

    /// Somebody else has moved an item: its versions and its kept name go along, and those of what is in it.
    func follow(_ old: [Name], to new: [Name]) throws(Errno) -> Outcome {
        let unchanged = Outcome(stored: new.last, isUnchanged: true)
        guard let oldName = old.last, let newName = new.last, old != new, try versions.hasVersions(old) else { return unchanged }
        let from = Place.item(oldName, in: Array(old.dropLast())), to = Place.item(newName, in: Array(new.dropLast()))
        // It may be somewhere else by now, or not have been moved at all.
        guard try container.documents.folder(at: to.path).descriptor.exists(newName), (try? container.documents.folder(at: from.path).descriptor.exists(oldName)) != true else { return unchanged }
        var plan = Plan()
        plan.know(staging.folder, at: [], of: .staging)
        try versions.letGo(below: from)
        try versions.follow(from: from, to: to, &plan)
        try names.followNames(from: from, to: to, &plan)
        try plans.carryOut(plan)
        return Outcome(stored: newName)
    }

    /// Gives a new document that is a draft only another name, and takes away what has it: a document, or a plain file.
    func rename(_ place: DraftPlace, replacing: ReplacedDocument?, removing: Name? = nil) throws(Errno) -> Outcome {
        let isBase = if case .stored = place.base { true } else { false }
        let away = isBase ? nil : replacing.map { AwayItem(number: staging.nextNumber(), kind: $0.kind, stored: $0.stored, path: place.address.path) }
        if let away { try records.note(away, from: place.address) }
        var plan = Plan(drafts: [DraftRecord(place)])
        plan.know(place.address.folder, at: place.address.path)
        plan.know(staging.folder, at: [], of: .staging)
        if let away {
            plan.steps.append(.move(.item(away.stored, in: place.address.path), .staged(away.staged)))
            try names.forgetName(at: .item(away.stored, in: place.address.path), &plan)
        }
        plan.steps += Plan.ending(draft: replacing?.draft?.number)
        if let removing { plan.steps.append(.remove(.item(removing, in: place.address.path))) }
        if plan.steps.isEmpty { try drafts.record(place.draft, at: place.address, base: place.base) } else {
            try records.forgetting([away]) { () throws(Errno) in try plans.carryOut(plan) }
        }
        return Outcome(stored: place.base?.stored, replaced: away)
    }

    /// A deleted document waits in staging again, for a name that it perhaps did not have, and its versions wait under that: what a plain file became of it
    /// can be saved over it in one step. If nothing is, it is among the deleted again, and so it is after a crash between the two.
    func recall(_ item: DeletedItem, for address: Address) throws(SaveFault) -> Outcome {
        guard let deleted = records.folder, let kind = item.kind, !item.isAwayStill else { throw .failed(.noSuchEntry) }
        let old = Address(folder: deleted, path: [], shown: item.shown), keepsName = item.shown == address.shown
        let renamed = keepsName ? nil : try renamedParts(of: item.stored, in: item.entry, kind, from: old, to: address)
        do throws(Errno) {
            let first = keepsName || !kind.kind.storedNameFollowsShown ? item.stored : nil
            let stored = try NewItemName.trying(kind, for: address.shown, first: first) { (name) throws(Errno) in
                if try address.folder.descriptor.exists(name) { throw .exists }
                return name
            }
            let away = AwayItem(number: staging.nextNumber(), kind: kind, stored: stored, path: address.path)
            let staged = try renamed.map { (parts) throws(Errno) in try stage(parts, kind, to: address.shown, away.number) } ?? []
            defer { clear(staged) }
            var plan = Plan()
            plan.know(staging.folder, at: [], of: .staging)
            plan.know(deleted, at: [], of: .deleted)
            plan.steps = staged.map { $0.step(in: item.place) } + [.add(item.place, .staged(away.staged))]
            if try deleted.descriptor.exists(item.versionsEntry) {
                try versions.clearWay(to: away.former, &plan)
                _ = try versions.makeVersionFolder(address.path)
                plan.steps.append(.add(item.versionsPlace, away.former.ofVersions))
            }
            try records.recalling(item, as: away, at: address) { () throws(Errno) in try plans.carryOut(plan) }
            return Outcome(away: away)
        } catch { throw .failed(error) }
    }

    private func stageRenamed(_ bytes: [UInt8], as name: Name, like old: OpenFile?, or other: OpenFile?) throws(Errno) {
        let file = try staging.makeFile(name)
        try file.write(bytes, at: 0)
        if let status = try (old ?? other)?.descriptor.status() { try attributes.dress(file, like: status, [old]) }
        try file.synchronize()
    }
}

/// What becomes another one of a document's parts when it gets another shown name.
enum RenamedPart {
    /// It was written anew: where it lies, and its name in the package, nil of a document that is a file.
    case written(Place, part: Name?)
    /// It is called otherwise, in a folder of its package.
    case called(Name, Name, in: [Name])

    func step(in document: Place) -> Journal.Step {
        switch self {
        case .written(let place, let part): .move(place, part.map(document.part) ?? document)
        case .called(let old, let new, let way): .add(document.part(way).part(old), document.part(way).part(new))
        }
    }
}

/// A draft whose document gets another name, and what it began from when that is done.
struct FollowedDraft {
    let draft: Draft
    let base: BaseStamp?

    func record(at address: Address, as stored: Name) -> DraftRecord {
        var record = DraftRecord(DraftPlace(draft: draft, address: address, base: .stored(stored)))
        record.stamp = base
        return record
    }

    func follow() { draft.begin(from: base) }
}

/// A document that gives way to another one.
public struct ReplacedDocument: Sendable {
    public let stored: Name
    public let kind: KindID
    /// What was being written to it. It goes in the same step, or a crash between the two would show it again.
    public let draft: Draft?
    public init(stored: Name, kind: KindID, draft: Draft? = nil) {
        self.stored = stored
        self.kind = kind
        self.draft = draft
    }
}

/// What goes when a draft becomes a plain file.
public struct OutdatedDocument: Sendable {
    /// The document that it was a draft of, and where that is.
    public let stored: Name
    public let address: Address
    /// What has the new name: a document, or a plain file whose item is called otherwise.
    public let replacing: ReplacedDocument?
    public let removing: Name?
    public init(stored: Name, at address: Address, replacing: ReplacedDocument?, removing: Name?) {
        (self.stored, self.address, self.replacing, self.removing) = (stored, address, replacing, removing)
    }
}
