import Documents
import LinuxFiles
import PropertyLists
import Transactions

/// A draft becomes a document: what is to be in its files is written into staging, and put in their place by a plan.
final class DocumentSaving: Sendable {
    let container: Container
    let staging: Staging
    let journal: Journal
    let policy: VersionPolicy
    let attributes: FileAttributes
    let names: NameKeeping
    let versions: VersionKeeping
    let plans: PlanExecution
    let drafts: StagedDrafts
    let flat: FlatSaving

    init(
        container: Container, staging: Staging, journal: Journal, policy: VersionPolicy, attributes: FileAttributes,
        names: NameKeeping, versions: VersionKeeping, plans: PlanExecution, drafts: StagedDrafts, flat: FlatSaving
    ) {
        self.flat = flat
        (self.container, self.staging, self.journal, self.policy, self.attributes) = (container, staging, journal, policy, attributes)
        (self.names, self.versions, self.plans, self.drafts) = (names, versions, plans, drafts)
    }

    /// Puts a draft in its place as a document, wholly or not at all. Returns the stored name it has then.
    /// After that the draft's file may be the document's own, and must not be written any more.
    /// `removing` are plain files, in the documents, that go when the document is there: what it was made of.
    /// `ending` is another draft of the document, which is of no account any more.
    func save(
        _ draft: Draft, at address: Address, over base: Base?, removing: [(path: [Name], name: Name)] = [], ending: Draft? = nil,
        durably: Bool = false
    ) throws(SaveFault) -> Outcome {
        try Self.whileTakenAway { (fault: SaveFault) in
            guard case .failed(let errno) = fault else { return false }
            return [.noSuchEntry, .accessDenied, .stale].contains(errno) && base != nil
        } _: { () throws(SaveFault) in
            try saveOnce(draft, at: address, over: base, removing: removing, ending: ending, durably: durably)
        }
    }

    /// Does it again where somebody else took the document away in the middle of it, or replaced it, and may put it back and take it away again. What was taken
    /// out of the container cannot be reached any more.
    private static func whileTakenAway<Value, Problem: Error>(
        _ isTakenAway: (Problem) -> Bool, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        for _ in 1...mostTries {
            do throws(Problem) { return try body() } catch { guard isTakenAway(error) else { throw error } }
        }
        return try body()
    }

    private static let mostTries = 8

    private func saveOnce(
        _ draft: Draft, at address: Address, over base: Base?, removing: [(path: [Name], name: Name)], ending: Draft?, durably: Bool
    ) throws(SaveFault) -> Outcome {
        let existing: ExistingParts?, writings: [PartWriting], written: FileStatus
        var coming: FlatSaving.Coming?
        var base = isGone(base, in: address.folder) ? nil : base, ending = ending.map { [Place.staged(Name.staged($0.number))] } ?? []
        if case .away(let item) = base, isMadeAnew(item, at: address) {
            if draft.base == nil { draft.begin(from: drafts.state(of: .away(item), draft.kind, in: address.folder)) }
            base = .stored(item.stored)
            ending.append(.staged(item.staged))
        }
        do throws(Errno) { written = try draft.file.descriptor.status() } catch { throw .failed(error) }
        do throws(DocumentFault) {
            existing = try base.map { (base) throws(DocumentFault) in try ExistingParts(of: base, draft.kind, in: address.folder, staging.folder) }
            writings = try draft.kind.kind.write(
                content: draft.source(in: written), shownName: address.shown.bytes, over: existing?.sources,
                spelling: container.spelling(of: draft.kind))
            if draft.kind.kind.flat != nil { coming = try flat.coming(draft, written, over: existing) }
        } catch {
            switch error {
            case .unfit(let reason), .foreign(let reason), .damaged(let reason):
                draft.settle(reason)
                throw .unfit(reason)
            case .unreadable(let number): throw .failed(number.map(Errno.init) ?? .inputOutput)
            }
        }
        let places = removing.map { Place.item($0.name, in: $0.path) } + ending
        do throws(Errno) {
            let clash = try existing.map { (existing) throws(Errno) in try self.clash(of: draft, with: existing, base) } ?? Clash.none
            if clash == .lost, let existing, let base {
                do throws(Errno) { return try putAside(draft, writings, existing, coming, at: address, base, removing: places) } catch {
                    // What had been deleted cannot come back where somebody else made a new one: then this one is new as well.
                    guard error == .exists, case .away = base else { throw error }
                }
            }
            return try put(
                draft, written, writings, existing, coming, at: address, over: base, removing: places, durably: durably || base != nil, conflict: clash == .won)
        } catch {
            flat.discard(coming)
            throw .failed(error)
        }
    }

    /// Somebody else removed the document while it was being written: then this is a new one.
    private func isGone(_ base: Base?, in folder: OpenFile) -> Bool {
        if case .stored(let name) = base { (try? folder.descriptor.exists(name)) == false } else { false }
    }

    /// Somebody else made the document anew after it was put away: then what was to come back is written to that one, and
    /// both are the sides of a conflict. Without versions they would not both be kept, and stay two.
    private func isMadeAnew(_ item: AwayItem, at address: Address) -> Bool {
        guard policy.keeps, let document = try? container.reader.open(item.stored, as: item.kind, in: address.folder.descriptor).item.document else { return false }
        // Another document of the drive's may have got the item's name since, and is called otherwise.
        return (try? container.name(of: document, stored: item.stored, in: address.path)) == address.shown
    }

    /// Puts the parts of a saved draft in their place. `before`: what its file was until then; `settling` is what happens with it, or not at all; `removing` is
    /// what goes when the document is there.
    func put(
        _ draft: Draft, _ before: FileStatus, _ writings: [PartWriting], _ existing: ExistingParts?, _ coming: FlatSaving.Coming? = nil,
        at address: Address, over base: Base?, _ others: OtherParts = OtherParts(),
        settling: [Journal.Step] = [], removing: [Place], durably: Bool, conflict: Bool
    ) throws(Errno) -> Outcome {
        if let coming {
            return try flat.put(
                draft, before, coming, existing, at: address, over: base, settling: settling, removing: removing, durably: durably, conflict: conflict)
        }
        var plan = Plan(number: draft.number)
        // Content that was parsed leaves the draft behind: it goes with the same plan, or a crash between the two
        // would save it once more.
        var removing = removing
        if draft.kind.kind.contentStart == nil { removing.append(.staged(Name.staged(draft.number))) }
        // A package that was put away comes back itself; of a file, the content comes back in a new one.
        if case .away(let item) = base, !draft.kind.isPackage { removing.append(.staged(item.staged)) }
        let last = settling + removing.map(Journal.Step.remove)
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        var kept: StagedVersion?
        do throws(Errno) {
            // Of a draft that is on the store already, the document must be too.
            let staged = try stageParts(writings, of: draft, like: before, existing, durably: durably || draft.isSynchronized)
            for (place, birth) in staged.births { plan.know(.this(birth), at: place) }
            if !draft.kind.isPackage, let birth = draft.birth { plan.know(.this(birth), at: .staged(Name.staged(draft.number))) }
            if let existing, conflict || !changesNothing(draft, writings, existing, over: base) {
                // Of a plain file with other names, what is there goes on under those.
                let goesOn = draft.kind == .plain && (existing.status?.links ?? 1) > 1
                kept = try versions.stageVersion(of: existing, draft.kind, at: address.path + [address.shown], conflict: conflict, goesOn: goesOn)
            }
            let stored = try place(staged.places, draft, existing, others, kept, at: address, over: base, last, &plan)
            // From here on it is the document, whatever fails.
            draft.settle(nil)
            // Of a package that was there, the draft's own folder is left, empty. All else that it had is in its place, or went with the plan.
            if draft.kind.isPackage, existing != nil { drafts.removeStaged(draft) }
            if conflict, kept != nil { versions.tellConflict(of: address.path + [address.shown]) }
            return Outcome(stored: stored, current: conflict ? .mine : nil, kept: kept?.version.id)
        } catch {
            // What was written around the content comes off again: it is a draft as it was before.
            try? draft.file.descriptor.truncate(to: before.size)
            draft.unseal()
            try? draft.file.descriptor.setTimes(accessed: .at(before.accessed), modified: .at(before.modified))
            journal.conclude(.unsealed(draft.number))
            for index in writings.indices { try? staging.remove(partName(index, of: draft)) }
            if let kept { try? staging.remove(kept.staged) }
            for (name, _) in others.coming { try? staging.remove(name) }
            throw error
        }
    }

    /// What an app has written is copied over itself, a text is saved as it was, or what was put away comes back with the content that it had: no version
    /// is made of that.
    private func changesNothing(_ draft: Draft, _ writings: [PartWriting], _ existing: ExistingParts, over base: Base?) -> Bool {
        var isByContent = if case .away? = base { true } else { false }
        if writings.count == 1, let file = existing.files.first ?? nil {
            switch writings[0] {
            case .keep: break
            case .bytes(let bytes):
                if (try? file.descriptor.status().size) == Int64(bytes.count), (try? file.descriptor.read(at: 0, count: bytes.count)) == bytes { return true }
            case .around: isByContent = isByContent || !draft.kind.isPackage
            }
        }
        guard isByContent, let base, let there = existing.shownContent(of: draft.kind, called: base.stored, container.reader.options) else { return false }
        return (try? there.isSame(as: ShownContent(of: draft))) == true
    }

    func partName(_ index: Int, of draft: Draft) -> Name {
        Name("\(draft.number).part\(index)") ?? Name.staged(draft.number)
    }

    /// Where each of a document's parts lies in staging, nil for one that stays; and which files they are, where that is known.
    struct PartsInStaging {
        var places: [Place?] = []
        var births: [(place: Place, birth: NodeBirth)] = []
    }

    /// Writes the parts that change into staging.
    func stageParts(
        _ writings: [PartWriting], of draft: Draft, like status: FileStatus, _ existing: ExistingParts?, durably: Bool
    ) throws(Errno) -> PartsInStaging {
        if draft.kind.isPackage {
            // What is shown as a package's attributes are its folder's. Those that its content had are not shown.
            let package = if let existing { existing.folder } else { OpenFile(try staging.folder.descriptor.open(Name.staged(draft.number), [.path, .folder])) }
            var old: [[UInt8]: [UInt8]] = [:]
            if let content = existing?.files.first ?? nil { old = try FileAttributes.userAttributes(of: content.descriptor) }
            for (name, value) in try FileAttributes.userAttributes(of: draft.file.descriptor) where old[name] != value {
                try package.descriptor.setExtendedAttribute(name, to: value)
            }
        }
        var staged = PartsInStaging()
        for (index, writing) in writings.enumerated() {
            let old = existing.flatMap { $0.files.indices.contains(index) ? $0.files[index] : nil }
            func finish(_ file: borrowing Descriptor) throws(Errno) {
                if index == 0 { Provenance.note(of: status, in: file) }
                if durably { try file.synchronize() }
            }
            switch writing {
            case .keep: staged.places.append(nil)
            case .bytes(let bytes):
                let name = partName(index, of: draft)
                let file = try staging.makeFile(name, mode: status.permissions & 0o666 | 0o600)
                try file.write(bytes, at: 0)
                let (now, made) = try file.statusAndBirth()
                if let birth = NodeBirth(now, made: made) { staged.births.append((.staged(name), birth)) }
                try attributes.dress(file, like: status, index == 0 && draft.mayHaveAttributes ? [old, draft.file] : [old], now: now)
                try finish(file)
                staged.places.append(.staged(name))
            case .around(let head, let tail):
                if !tail.isEmpty {
                    let length = max(0, status.size - draft.contentStart)
                    try journal.append(.sealed(draft.number, length))
                    draft.seal(at: length)
                }
                if !head.isEmpty { try draft.file.descriptor.write(head, at: 0) }
                if !tail.isEmpty { try draft.file.descriptor.write(tail, at: max(status.size, Int64(head.count))) }
                let isAsWritten = head.isEmpty && tail.isEmpty
                try attributes.dress(draft: draft.file.descriptor, like: status, over: old, now: isAsWritten ? status : nil)
                try finish(draft.file.descriptor)
                let name = Name.staged(draft.number)
                let package = Place.staged(name).part(draft.kind.draftFolders)
                staged.places.append(draft.kind.draftPart.map(package.part) ?? .staged(name))
            }
        }
        return staged
    }

    /// Where the parts come together: in the document that is there, in the one that was put away, or in the draft's own item.
    private static func home(_ draft: Draft, at address: Address, over base: Base?) -> Place {
        switch base {
        case .stored(let stored): .item(stored, in: address.path)
        case .away(let item) where draft.kind.isPackage: .staged(item.staged)
        case .away, nil: .staged(Name.staged(draft.number))
        }
    }

    private func place(
        _ staged: [Place?], _ draft: Draft, _ existing: ExistingParts?, _ others: OtherParts, _ kept: StagedVersion?, at address: Address, over base: Base?,
        _ last: [Journal.Step], _ plan: inout Plan
    ) throws(Errno) -> Name {
        let home = Self.home(draft, at: address, over: base)
        if draft.kind.isPackage {
            let inside: OpenFile
            if let existing { inside = existing.folder } else { inside = OpenFile(try staging.folder.descriptor.open(Name.staged(draft.number), [.path, .folder])) }
            plan.know(inside, at: home.path + [home.name], of: home.top)
            if let existing, !existing.way.isEmpty {
                plan.know(existing.home, at: home.path + [home.name] + existing.way, of: home.top)
            }
        } else if staged.first == .some(nil) { throw .invalid }
        let parts = draft.kind.form.map { existing?.names ?? $0.names(shown: address.shown) }, way = draft.kind.draftFolders
        if case .stored(let stored) = base {
            plan.steps = try keeping(kept, of: stored, address)
            try existing?.note(at: home, isPackage: draft.kind.isPackage, &plan)
            others.exchange(in: home, &plan, number: staging.nextNumber)
            plan.steps += Plan.placing(staged, called: parts, by: way, in: home, as: home) + last
            try plans.carryOut(plan)
            return stored
        }
        // A new item has its name when it is whole.
        return try NewItemName.trying(draft.kind, for: address.shown, first: base?.stored) { (stored) throws(Errno) in
            // Names that are taken are the rule for " 1", " 2", …: no plan is made for them.
            if try address.folder.descriptor.exists(stored) { throw .exists }
            let target = Place.item(stored, in: address.path)
            (plan.smallFiles, plan.nameFolders, plan.forgotten, plan.discarded) = ([], [], [], [])
            plan.know(.nothing, at: target)
            plan.steps = try keeping(kept, of: stored, address)
            others.exchange(in: home, &plan, number: staging.nextNumber)
            plan.steps += Plan.placing(staged, called: parts, by: way, in: home, as: target)
            try names.keepName(address.shown, draft.kind, at: target, &plan)
            try followPlain(last, to: target, &plan)
            plan.steps += last
            try plans.carryOut(plan)
            return stored
        }
    }

    /// What a plain file was that becomes a new document, is what the document was.
    private func followPlain(_ last: [Journal.Step], to target: Place, _ plan: inout Plan) throws(Errno) {
        for case .remove(let place) in last where place.top == .documents {
            if try versions.hasVersions(place.path + [place.name]) { return try versions.follow(from: place, to: target, &plan) }
        }
    }

    private func keeping(_ kept: StagedVersion?, of stored: Name, _ address: Address) throws(Errno) -> [Journal.Step] {
        guard let kept, let step = try versions.keepingStep(kept, of: stored, in: address.path) else { return [] }
        return [step]
    }

    // MARK: On the store

    /// A document that was saved is on the store, and found there after a power cut; one that is gone by now need not be.
    func synchronize(_ stored: Name, _ kind: KindID, in folder: OpenFile) throws(Errno) {
        // What has its name now is looked at.
        try Self.whileTakenAway { (error: Errno) in error == .accessDenied } _: { () throws(Errno) in try synchronizeNow(stored, kind, in: folder) }
    }

    private func synchronizeNow(_ stored: Name, _ kind: KindID, in folder: OpenFile) throws(Errno) {
        do throws(Errno) {
            if kind.isPackage {
                let package = OpenFile(try folder.descriptor.open(stored, [.read, .folder])), home = try kind.home(in: package)
                for part in try kind.partNames(in: home.descriptor) {
                    try ExistingParts.optional(part, in: home)?.descriptor.synchronize()
                }
                if kind.hasDeepContent { try home.descriptor.reopened([.read, .folder]).synchronize() }
                try package.descriptor.synchronize()
            } else {
                try folder.descriptor.open(stored, [.read, .nonBlocking]).synchronize()
            }
            try folder.descriptor.reopened([.read, .folder]).synchronize()
        } catch { if error != .noSuchEntry { throw error } }
    }
}
