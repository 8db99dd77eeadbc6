import Documents
import LinuxFiles

// Documents that get another name, another place, or none.
extension Workshop {
    /// A document that gives way to another one.
    public struct Replaced: Sendable {
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

    /// Takes a document out of its place. It is gone from the container, and can come back until it is dropped.
    /// `ending` is a draft of it, which goes with it.
    public func putAway(_ stored: Name, _ kind: KindID, from address: Address, ending draft: Draft? = nil) throws(Errno) -> AwayItem {
        let item = AwayItem(number: nextNumber(), kind: kind, stored: stored, path: address.path)
        var plan = Plan()
        plan.know(address.folder, at: address.path)
        plan.know(staging, at: [], of: .staging)
        plan.steps = [.move(.item(stored, in: address.path), .staged(item.staged))]
        try forgetName(at: .item(stored, in: address.path), &plan)
        plan.steps += Self.ending(draft)
        try carryOut(plan)
        return item
    }

    /// The step that makes an end of a draft.
    static func ending(_ draft: Draft?) -> [Journal.Step] { draft.map { [.remove(.staged(stagedName($0.number)))] } ?? [] }

    /// Removes a document for good, where it lies.
    public func remove(_ stored: Name, from address: Address) throws(Errno) {
        try removeTree(stored, in: address.folder.descriptor)
        forgetName(of: stored, in: address.path)
        forgetVersions(of: stored, in: address.path)
    }

    /// Removes for good what was put away.
    public func drop(_ item: AwayItem) {
        try? removeTree(item.staged, in: staging.descriptor)
        forgetVersions(of: item.stored, in: item.path)
    }

    public func isThere(_ item: AwayItem) -> Bool { (try? staging.descriptor.exists(item.staged)) == true }

    /// Gives a document another shown name, in the same folder or in another one. Returns its stored name then,
    /// and what it replaced. `removing` is a plain file in the new folder that gives way; `draft` one of the
    /// document that could not be saved, and goes along. So do the copies of it that a sync tool has left beside it.
    public func rename(
        _ stored: Name, _ kind: KindID, from old: Address, to new: Address, replacing: Replaced?, removing: Name? = nil, draft: Draft? = nil,
        copies: [Name] = []
    ) throws(SaveFault) -> (stored: Name, away: AwayItem?) {
        let renamed = try renamedParts(of: stored, kind, from: old, to: new)
        do throws(Errno) {
            let staged = try stage(renamed, kind, nextNumber())
            defer { clear(staged) }
            return try carryOutRename(stored, kind, staged, from: old, to: new, replacing, removing, draft, copies)
        } catch { throw .failed(error) }
    }

    /// The parts of a document as they are under another shown name, and what they were made of.
    typealias RenamedParts = (existing: ExistingParts, writings: [PartWriting])

    func renamedParts(of stored: Name, _ kind: KindID, from old: Address, to new: Address) throws(SaveFault) -> RenamedParts {
        func read() throws(DocumentFault) -> RenamedParts {
            let existing = try parts(of: .stored(stored), kind, in: old.folder)
            return (existing, try kind.kind.rename(existing.sources, storedName: stored.bytes, to: new.shown.bytes, options: container.reader.options))
        }
        // A package that is replaced meanwhile has lost some of its parts: then the new one is looked at.
        if let parts = try? read() { return parts }
        do throws(DocumentFault) { return try read() } catch {
            if case .unreadable(let number) = error { throw .failed(number.map(Errno.init) ?? .inputOutput) }
            throw .unfit(ItemReader.sentence(of: error))
        }
    }

    /// A part that was written anew: where it lies, and its name in the package.
    typealias StagedPart = (place: Place, part: Name?)

    func stage(_ renamed: RenamedParts, _ kind: KindID, _ number: UInt64) throws(Errno) -> [StagedPart] {
        var staged: [StagedPart] = []
        do throws(Errno) {
            for (index, writing) in renamed.writings.enumerated() {
                guard case .bytes(let bytes) = writing else { continue }
                let name = Self.stagedName(number, index == 0 ? ".part0" : ".part1"), files = renamed.existing.files
                staged.append((.staged(name), kind.kind.partNames.flatMap { $0.indices.contains(index) ? Name($0[index]) : nil }))
                try stageRenamed(bytes, as: name, like: files.indices.contains(index) ? files[index] : nil, or: files.first ?? nil)
            }
            return staged
        } catch {
            clear(staged)
            throw error
        }
    }

    func clear(_ staged: [StagedPart]) {
        for (place, _) in staged { try? removeTree(place.name, in: staging.descriptor) }
    }

    private func carryOutRename(
        _ stored: Name, _ kind: KindID, _ written: [StagedPart], from old: Address, to new: Address,
        _ replacing: Replaced?, _ removing: Name?, _ draft: Draft?, _ copies: [Name]
    ) throws(Errno) -> (stored: Name, away: AwayItem?) {
        let away = replacing.map { AwayItem(number: nextNumber(), kind: $0.kind, stored: $0.stored, path: new.path) }
        let history = try stageHistory(of: replacing, for: kind, renaming: stored, old, new)
        defer { if let history { try? removeTree(history.staged, in: staging.descriptor) } }
        var attempt = 0
        while true {
            let name = try nameAfterRename(stored, kind, from: old, to: new, attempt)
            var plan = Plan()
            plan.know(old.folder, at: old.path)
            plan.know(new.folder, at: new.path)
            plan.know(staging, at: [], of: .staging)
            if let away { plan.steps.append(.move(.item(away.stored, in: new.path), .staged(away.staged))) }
            let from = Place.item(stored, in: old.path), to = Place.item(name, in: new.path)
            if kind.kind.partNames == nil, let (place, _) = written.first {
                plan.steps.append(from == to ? .move(place, to) : .add(place, to))
            } else {
                if from != to { plan.steps.append(.add(from, to)) }
                for (place, part) in written { if let part { plan.steps.append(.move(place, to.part(part))) } }
            }
            try follow(from: from, to: to, replaced: replacing?.stored, history, &plan)
            if from != to { plan.steps += try following(copies, of: stored, from: old, to: new, as: name) }
            try keepName(new.shown, kind, at: to, &plan)
            for place in [from, away.map { Place.item($0.stored, in: new.path) }] { if let place, place != to { try forgetName(at: place, &plan) } }
            // Last, because these cannot be taken back.
            if kind.kind.partNames == nil, !written.isEmpty, from != to { plan.steps.append(.remove(from)) }
            plan.steps += Self.ending(replacing?.draft)
            if let removing { plan.steps.append(.remove(.item(removing, in: new.path))) }
            if let draft { plan.drafts = [DraftRecord(DraftPlace(draft: draft, address: new, base: .stored(name)))] }
            do throws(Errno) {
                try carryOut(plan)
                return (name, away)
            } catch {
                guard error == .exists, attempt < 10_000 else { throw error }
                attempt += 1
            }
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
    /// shown under it, `removing` a plain file whose item is called otherwise, `drafts` those in a folder, where they are then.
    public func move(
        _ stored: Name, from old: Address, to new: Address, as name: Name, replacing: Replaced? = nil, removing: Name? = nil,
        drafts: [DraftPlace] = []
    ) throws(Errno) -> AwayItem? {
        let away = replacing.map { AwayItem(number: nextNumber(), kind: $0.kind, stored: $0.stored, path: new.path) }
        var plan = Plan(drafts: drafts.map(DraftRecord.init))
        plan.know(old.folder, at: old.path)
        plan.know(new.folder, at: new.path)
        plan.know(staging, at: [], of: .staging)
        if let away { plan.steps.append(.move(.item(away.stored, in: new.path), .staged(away.staged))) }
        plan.steps.append(.move(.item(stored, in: old.path), .item(name, in: new.path)))
        try follow(from: .item(stored, in: old.path), to: .item(name, in: new.path), &plan)
        if let away { try forgetName(at: .item(away.stored, in: new.path), &plan) }
        try followNames(from: .item(stored, in: old.path), to: .item(name, in: new.path), &plan)
        plan.steps += Self.ending(replacing?.draft)
        if let removing { plan.steps.append(.remove(.item(removing, in: new.path))) }
        try carryOut(plan)
        return away
    }

    /// Gives a new document that is a draft only another name, and takes away what has it: a document, or a plain file.
    public func rename(_ place: DraftPlace, replacing: Replaced?, removing: Name? = nil) throws(Errno) -> AwayItem? {
        let isBase = if case .stored = place.base { true } else { false }
        let away = isBase ? nil : replacing.map { AwayItem(number: nextNumber(), kind: $0.kind, stored: $0.stored, path: place.address.path) }
        var plan = Plan(drafts: [DraftRecord(place)])
        plan.know(place.address.folder, at: place.address.path)
        plan.know(staging, at: [], of: .staging)
        if let away {
            plan.steps.append(.move(.item(away.stored, in: place.address.path), .staged(away.staged)))
            try forgetName(at: .item(away.stored, in: place.address.path), &plan)
        }
        plan.steps += Self.ending(replacing?.draft)
        if let removing { plan.steps.append(.remove(.item(removing, in: place.address.path))) }
        if plan.steps.isEmpty { try record(place.draft, at: place.address, base: place.base) } else { try carryOut(plan) }
        return away
    }

    private func stageRenamed(_ bytes: [UInt8], as name: Name, like old: OpenFile?, or other: OpenFile?) throws(Errno) {
        let file = try stageFile(name)
        try file.write(bytes, at: 0)
        if let status = try (old ?? other)?.descriptor.status() { try dress(file, like: status, [old]) }
        try file.synchronize()
    }

    private func nameAfterRename(_ stored: Name, _ kind: KindID, from old: Address, to new: Address, _ attempt: Int) throws(Errno) -> Name {
        if !kind.kind.storedNameFollowsShown, attempt == 0 { return stored }
        let name = try newStoredName(kind, for: new.shown, attempt)
        return name
    }

    /// Makes a plain file with the shown content of a document, which goes away. A plain file of that name is replaced;
    /// `removing` is one that is shown under it and whose item is called otherwise.
    public func turnPlain(
        _ opened: ItemReader.Opened, _ stored: Name, from old: Address, to new: Address, as plainName: Name, replacing: Replaced?, removing: Name? = nil
    ) throws(Errno) -> (AwayItem, AwayItem?) {
        guard let document = opened.item.document else { throw .invalid }
        let away = AwayItem(number: nextNumber(), kind: document.kind, stored: stored, path: old.path)
        let replaced = replacing.map { AwayItem(number: nextNumber(), kind: $0.kind, stored: $0.stored, path: new.path) }
        let name = Self.stagedName(away.number, ".plain")
        defer { try? removeTree(name, in: staging.descriptor) }
        try stagePlain(opened, as: name, like: OpenFile(old.folder.descriptor.open(stored, .path)))
        var plan = Plan()
        plan.know(old.folder, at: old.path)
        plan.know(new.folder, at: new.path)
        plan.know(staging, at: [], of: .staging)
        if let replaced { plan.steps.append(.move(.item(replaced.stored, in: new.path), .staged(replaced.staged))) }
        plan.steps += [.move(.staged(name), .item(plainName, in: new.path)), .move(.item(stored, in: old.path), .staged(away.staged))]
        if let replaced { try forgetName(at: .item(replaced.stored, in: new.path), &plan) }
        try forgetName(at: .item(stored, in: old.path), &plan)
        plan.steps += Self.ending(replacing?.draft)
        if let removing { plan.steps.append(.remove(.item(removing, in: new.path))) }
        try carryOut(plan)
        return (away, replaced)
    }

    /// The shown content of a document as a file of its own, with the attributes of its item.
    func stagePlain(_ opened: ItemReader.Opened, as name: Name, like item: OpenFile) throws(Errno) {
        let file = try stageFile(name)
        switch opened.reading.content {
        case .bytes(let bytes): try file.write(bytes, at: 0)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let source = opened.parts[part] else { throw .inputOutput }
            try source.descriptor.copyAll(from: offset, count: length, to: file, at: 0)
        }
        try dress(file, like: opened.item.status, [item])
        try file.synchronize()
    }

    /// Makes a draft that is no document a plain file: what was written stays what it is. Its name must be free.
    @discardableResult
    public func release(_ draft: Draft, asPlain name: Name, at address: Address) throws(Errno) -> AwayItem? {
        try release(draft, asPlain: name, at: address, over: nil).0
    }

    /// What goes when a draft becomes a plain file.
    public struct Outdated: Sendable {
        /// The document that it was a draft of, and where that is.
        public let stored: Name
        public let address: Address
        /// What has the new name: a document, or a plain file whose item is called otherwise.
        public let replacing: Replaced?
        public let removing: Name?
        public init(stored: Name, at address: Address, replacing: Replaced?, removing: Name?) {
            (self.stored, self.address, self.replacing, self.removing) = (stored, address, replacing, removing)
        }
    }

    /// The same, over what has the name: all that goes is gone in the same step.
    public func release(_ draft: Draft, asPlain name: Name, at address: Address, over outdated: Outdated?) throws(Errno) -> (AwayItem?, AwayItem?) {
        var plan = Plan(number: draft.number)
        plan.know(address.folder, at: address.path)
        plan.know(staging, at: [], of: .staging)
        let target = Place.item(name, in: address.path), own = Place.staged(Self.stagedName(draft.number))
        var goes: [Journal.Step] = [], names: [Journal.Step] = [], away: AwayItem?, replaced: AwayItem?, item: OpenFile?
        if let outdated {
            item = OpenFile(try outdated.address.folder.descriptor.open(outdated.stored, .path))
            plan.know(outdated.address.folder, at: outdated.address.path)
            let old = AwayItem(number: nextNumber(), kind: draft.kind, stored: outdated.stored, path: outdated.address.path)
            goes = [.move(.item(old.stored, in: outdated.address.path), .staged(old.staged))]
            away = old
            if let document = outdated.replacing {
                let other = AwayItem(number: nextNumber(), kind: document.kind, stored: document.stored, path: address.path)
                goes += [.move(.item(other.stored, in: address.path), .staged(other.staged))] + Self.ending(document.draft)
                replaced = other
            }
            if let removing = outdated.removing { goes.append(.remove(.item(removing, in: address.path))) }
            try forgetName(at: .item(old.stored, in: outdated.address.path), &plan)
            if let replaced { try forgetName(at: .item(replaced.stored, in: address.path), &plan) }
            names = plan.steps
        }
        if draft.room == 0, draft.kind.kind.partNames == nil {
            if item != nil { try dress(draft.file.descriptor, like: try draft.file.descriptor.status(), [item, draft.file]) }
            plan.steps = [outdated == nil ? .add(own, target) : .move(own, target)] + names + goes
            try carryOut(plan)
        } else {
            let copy = Self.stagedName(draft.number, ".plain")
            do throws(Errno) {
                try stagePlain(draft, as: copy, like: item)
                plan.steps = [outdated == nil ? .add(.staged(copy), target) : .move(.staged(copy), target)] + names + goes + [.remove(own)]
                try carryOut(plan)
            } catch {
                try? removeTree(copy, in: staging.descriptor)
                throw error
            }
        }
        removeStaged(draft)
        return (away, replaced)
    }

    /// What is written in a draft as a file of its own, with the attributes of the item that it is a draft of.
    func stagePlain(_ draft: Draft, as name: Name, like item: OpenFile?, durably: Bool = false) throws(Errno) {
        let status = try draft.file.descriptor.status()
        let file = try stageFile(name)
        try draft.file.descriptor.copyAll(from: draft.room, count: max(0, status.size - draft.room), to: file, at: 0)
        try dress(file, like: status, [item, draft.file])
        if durably { try file.synchronize() }
    }
}
