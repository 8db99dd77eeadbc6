import Documents
import LinuxFiles
import Transactions

/// What was a document or was to be one becomes a plain file.
final class PlainFileMaking: Sendable {
    private let staging: Staging
    private let attributes: FileAttributes
    private let names: NameKeeping
    private let records: DeletedRecords
    private let plans: PlanExecution
    private let drafts: StagedDrafts

    init(
        staging: Staging, attributes: FileAttributes, names: NameKeeping, records: DeletedRecords, plans: PlanExecution, drafts: StagedDrafts
    ) {
        (self.staging, self.attributes, self.names, self.records) = (staging, attributes, names, records)
        (self.plans, self.drafts) = (plans, drafts)
    }

    /// Makes a plain file with the shown content of a document, which goes away. A plain file of that name is replaced;
    /// `removing` is one that is shown under it and whose item is called otherwise.
    func turnPlain(
        _ opened: ItemReader.Opened, _ stored: Name, from old: Address, to new: Address, as plainName: Name, replacing: ReplacedDocument?, removing: Name? = nil
    ) throws(Errno) -> Outcome {
        guard let document = opened.item.document else { throw .invalid }
        let away = AwayItem(number: staging.nextNumber(), kind: document.kind, stored: stored, path: old.path)
        let replaced = replacing.map { AwayItem(number: staging.nextNumber(), kind: $0.kind, stored: $0.stored, path: new.path) }
        let name = Name.staged(away.number, ".plain")
        defer { try? staging.remove(name) }
        var plan = Plan()
        plan.know(old.folder, at: old.path)
        plan.know(new.folder, at: new.path)
        plan.know(staging.folder, at: [], of: .staging)
        if let replaced { plan.steps.append(.move(.item(replaced.stored, in: new.path), .staged(replaced.staged))) }
        plan.steps += [.move(.staged(name), .item(plainName, in: new.path)), .move(.item(stored, in: old.path), .staged(away.staged))]
        if let replaced { try names.forgetName(at: .item(replaced.stored, in: new.path), &plan) }
        try names.forgetName(at: .item(stored, in: old.path), &plan)
        plan.steps += Plan.ending(draft: replacing?.draft?.number)
        if let removing { plan.steps.append(.remove(.item(removing, in: new.path))) }
        let former = try records.note(away, from: old)
        try records.forgetting([away, replaced]) { () throws(Errno) in
            if let replaced { try records.note(replaced, from: new) }
            try stagePlain(opened, as: name, like: OpenFile(old.folder.descriptor.open(stored, .path)), former: former)
            try plans.carryOut(plan)
        }
        return Outcome(stored: plainName, away: away, replaced: replaced)
    }

    /// The shown content of a document as a file of its own, with the attributes of its item, and which one it was.
    func stagePlain(_ opened: ItemReader.Opened, as name: Name, like item: OpenFile, former: DeletedItem? = nil) throws(Errno) {
        let file = try staging.makeFile(name)
        FormerDocument.note(former, on: file)
        switch opened.reading.content {
        case .bytes(let bytes): try file.write(bytes, at: 0)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let source = opened.parts[part] else { throw .inputOutput }
            try source.descriptor.copyAll(from: offset, count: length, to: file, at: 0)
        case .flat: try opened.shownContent.copyAll(to: file, at: 0)
        case .elsewhere: throw .unreachable
        }
        try attributes.dress(file, like: opened.item.status, [item])
        try file.synchronize()
    }

    /// Makes a draft that is no document a plain file: what was written stays what it is. Its name must be free, or what has it is outdated: all that
    /// goes is gone in the same step.
    @discardableResult
    func release(_ draft: Draft, asPlain name: Name, at address: Address, over outdated: OutdatedDocument? = nil) throws(Errno) -> Outcome {
        var plan = Plan(number: draft.number)
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        let target = Place.item(name, in: address.path), own = Place.staged(Name.staged(draft.number))
        var goes: [Journal.Step] = [], forgetting: [Journal.Step] = [], away: AwayItem?, replaced: AwayItem?, item: OpenFile?
        if let outdated {
            item = OpenFile(try outdated.address.folder.descriptor.open(outdated.stored, .path))
            plan.know(outdated.address.folder, at: outdated.address.path)
            let old = AwayItem(number: staging.nextNumber(), kind: draft.kind, stored: outdated.stored, path: outdated.address.path)
            goes = [.move(.item(old.stored, in: outdated.address.path), .staged(old.staged))]
            away = old
            if let document = outdated.replacing {
                let other = AwayItem(number: staging.nextNumber(), kind: document.kind, stored: document.stored, path: address.path)
                goes += [.move(.item(other.stored, in: address.path), .staged(other.staged))] + Plan.ending(draft: document.draft?.number)
                replaced = other
            }
            if let removing = outdated.removing { goes.append(.remove(.item(removing, in: address.path))) }
            try names.forgetName(at: .item(old.stored, in: outdated.address.path), &plan)
            if let replaced { try names.forgetName(at: .item(replaced.stored, in: address.path), &plan) }
            forgetting = plan.steps
        }
        let former = try away.flatMap { (away) throws(Errno) in try records.note(away, from: outdated?.address ?? address) }
        try records.forgetting([away, replaced]) { () throws(Errno) in
            if let replaced { try records.note(replaced, from: address) }
            if draft.contentStart == 0, draft.kind.draftPart == nil {
                FormerDocument.note(former, on: draft.file.descriptor)
                if item != nil { try attributes.dress(draft.file.descriptor, like: try draft.file.descriptor.status(), [item, draft.file]) }
                plan.steps = [outdated == nil ? .add(own, target) : .move(own, target)] + forgetting + goes
                return try plans.carryOut(plan)
            }
            let copy = Name.staged(draft.number, ".plain")
            do throws(Errno) {
                try stagePlain(draft, as: copy, like: item, former: former)
                plan.steps = [outdated == nil ? .add(.staged(copy), target) : .move(.staged(copy), target)] + forgetting + goes + [.remove(own)]
                try plans.carryOut(plan)
            } catch {
                try? staging.remove(copy)
                throw error
            }
        }
        drafts.removeStaged(draft)
        return Outcome(stored: name, away: away, replaced: replaced)
    }

    /// What is written in a draft as a file of its own, with the attributes of the item that it is a draft of.
    func stagePlain(_ draft: Draft, as name: Name, like item: OpenFile?, former: DeletedItem? = nil, durably: Bool = false) throws(Errno) {
        let status = try draft.file.descriptor.status()
        let file = try staging.makeFile(name)
        FormerDocument.note(former, on: file)
        try draft.file.descriptor.copyAll(from: draft.contentStart, count: max(0, status.size - draft.contentStart), to: file, at: 0)
        try attributes.dress(file, like: status, [item, draft.file])
        if durably { try file.synchronize() }
    }
}
