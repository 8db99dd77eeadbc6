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
        let item = AwayItem(number: nextNumber(), kind: kind, stored: stored)
        var plan = Plan()
        plan.know(address.folder, at: address.path)
        plan.know(staging, at: [], of: .staging)
        plan.steps = [.move(.item(stored, in: address.path), .staged(item.staged))] + Self.ending(draft)
        try carryOut(plan)
        return item
    }

    /// The step that makes an end of a draft.
    static func ending(_ draft: Draft?) -> [Journal.Step] { draft.map { [.remove(.staged(stagedName($0.number)))] } ?? [] }

    /// Removes a document for good, where it lies.
    public func remove(_ stored: Name, from address: Address) throws(Errno) { try removeTree(stored, in: address.folder.descriptor) }

    /// Removes for good what was put away.
    public func drop(_ item: AwayItem) { try? removeTree(item.staged, in: staging.descriptor) }

    /// Gives a document another shown name, in the same folder or in another one. Returns its stored name then,
    /// and what it replaced. `removing` is a plain file in the new folder that gives way.
    public func rename(
        _ stored: Name, _ kind: KindID, from old: Address, to new: Address, replacing: Replaced?, removing: Name? = nil
    ) throws(SaveFault) -> (stored: Name, away: AwayItem?) {
        let existing: ExistingParts, writings: [PartWriting]
        do throws(DocumentFault) {
            existing = try parts(of: .stored(stored), kind, in: old.folder)
            writings = try kind.kind.rename(existing.sources, storedName: stored.bytes, to: new.shown.bytes, options: container.reader.options)
        } catch {
            if case .unreadable(let number) = error { throw .failed(number.map(Errno.init) ?? .inputOutput) }
            throw .unfit(ItemReader.sentence(of: error))
        }
        do throws(Errno) { return try carryOutRename(stored, kind, existing, writings, from: old, to: new, replacing, removing) }
        catch { throw .failed(error) }
    }

    private func carryOutRename(
        _ stored: Name, _ kind: KindID, _ existing: ExistingParts, _ writings: [PartWriting], from old: Address, to new: Address,
        _ replacing: Replaced?, _ removing: Name?
    ) throws(Errno) -> (stored: Name, away: AwayItem?) {
        let number = nextNumber()
        let away = replacing.map { AwayItem(number: nextNumber(), kind: $0.kind, stored: $0.stored) }
        var written: [(place: Place, part: Name?)] = []
        defer { for (place, _) in written { try? removeTree(place.name, in: staging.descriptor) } }
        for (index, writing) in writings.enumerated() {
            guard case .bytes(let bytes) = writing else { continue }
            let name = Self.stagedName(number, index == 0 ? ".part0" : ".part1")
            let place = Place.staged(name)
            written.append((place, kind.kind.partNames.flatMap { $0.indices.contains(index) ? Name($0[index]) : nil }))
            try stageRenamed(bytes, as: name, like: existing.files.indices.contains(index) ? existing.files[index] : nil, or: existing.files.first ?? nil)
        }
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
                plan.steps += from == to ? [.move(place, to)] : [.add(place, to), .remove(from)]
            } else {
                if from != to { plan.steps.append(.add(from, to)) }
                for (place, part) in written { if let part { plan.steps.append(.move(place, to.part(part))) } }
            }
            plan.steps += Self.ending(replacing?.draft)
            if let removing { plan.steps.append(.remove(.item(removing, in: new.path))) }
            do throws(Errno) {
                try carryOut(plan)
                return (name, away)
            } catch {
                guard error == .exists, attempt < 10_000 else { throw error }
                attempt += 1
            }
        }
    }

    private func stageRenamed(_ bytes: [UInt8], as name: Name, like old: OpenFile?, or other: OpenFile?) throws(Errno) {
        let file = try stageFile(name)
        try file.write(bytes, at: 0)
        if let status = try (old ?? other)?.descriptor.status() { try dress(file, like: status, old) }
        try file.synchronize()
    }

    private func nameAfterRename(_ stored: Name, _ kind: KindID, from old: Address, to new: Address, _ attempt: Int) throws(Errno) -> Name {
        if !kind.kind.storedNameFollowsShown, attempt == 0 { return stored }
        let name = try newStoredName(kind, for: new.shown, attempt)
        return name
    }

    /// Makes a plain file with the shown content of a document, which goes away. A plain file of that name is replaced.
    public func turnPlain(_ opened: ItemReader.Opened, _ stored: Name, from old: Address, to new: Address, replacing: Replaced?) throws(Errno) -> (AwayItem, AwayItem?) {
        guard let document = opened.item.document else { throw .invalid }
        let away = AwayItem(number: nextNumber(), kind: document.kind, stored: stored)
        let replaced = replacing.map { AwayItem(number: nextNumber(), kind: $0.kind, stored: $0.stored) }
        let name = Self.stagedName(away.number, ".plain")
        defer { try? removeTree(name, in: staging.descriptor) }
        let file = try stageFile(name)
        switch opened.reading.content {
        case .bytes(let bytes): try file.write(bytes, at: 0)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let source = opened.parts[part] else { throw .inputOutput }
            try source.descriptor.copyAll(from: offset, count: length, to: file, at: 0)
        }
        try dress(file, like: opened.item.status, opened.parts.first ?? nil)
        try file.synchronize()
        var plan = Plan()
        plan.know(old.folder, at: old.path)
        plan.know(new.folder, at: new.path)
        plan.know(staging, at: [], of: .staging)
        if let replaced { plan.steps.append(.move(.item(replaced.stored, in: new.path), .staged(replaced.staged))) }
        plan.steps += [.move(.staged(name), .item(new.shown, in: new.path)), .move(.item(stored, in: old.path), .staged(away.staged))]
        plan.steps += Self.ending(replacing?.draft)
        try carryOut(plan)
        return (away, replaced)
    }

    /// Makes a draft that is no document a plain file: what was written stays what it is. Its name must be free.
    /// `puttingAway` is the document that it was a draft of, which goes in the same step.
    @discardableResult
    public func release(
        _ draft: Draft, asPlain name: Name, at address: Address, replacing: Bool = false,
        puttingAway old: (stored: Name, folder: OpenFile, path: [Name])? = nil
    ) throws(Errno) -> AwayItem? {
        var plan = Plan(number: draft.number)
        plan.know(address.folder, at: address.path)
        if let old { plan.know(old.folder, at: old.path) }
        let away = old.map { AwayItem(number: nextNumber(), kind: draft.kind, stored: $0.stored) }
        var goes: [Journal.Step] = []
        if let old, let away { goes = [.move(.item(old.stored, in: old.path), .staged(away.staged))] }
        plan.know(staging, at: [], of: .staging)
        let target = Place.item(name, in: address.path)
        let own = Place.staged(Self.stagedName(draft.number))
        if draft.room == 0, draft.kind.kind.partNames == nil {
            plan.steps = [replacing ? .move(own, target) : .add(own, target)] + goes
            try carryOut(plan)
        } else {
            let copy = Self.stagedName(draft.number, ".plain")
            let status = try draft.file.descriptor.status()
            do throws(Errno) {
                let file = try stageFile(copy)
                try draft.file.descriptor.copyAll(from: draft.room, count: max(0, status.size - draft.room), to: file, at: 0)
                try dress(file, like: status, nil)
                plan.steps = [replacing ? .move(.staged(copy), target) : .add(.staged(copy), target)] + goes + [.remove(own)]
                try carryOut(plan)
            } catch {
                try? removeTree(copy, in: staging.descriptor)
                throw error
            }
        }
        removeStaged(draft)
        return away
    }
}
