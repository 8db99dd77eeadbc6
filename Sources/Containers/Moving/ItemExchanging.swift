import Documents
import LinuxFiles
import Transactions

/// Two things that change places. What each is then follows from its name and its content, as when it is renamed.
final class ItemExchanging: Sendable {
    private let container: Container
    private let staging: Staging
    private let store: Store
    private let names: NameKeeping
    private let versions: VersionKeeping
    private let plans: PlanExecution
    private let drafts: StagedDrafts
    private let saving: DocumentSaving
    private let plain: PlainFileMaking
    private let renaming: DocumentRenaming

    init(
        container: Container, staging: Staging, store: Store, names: NameKeeping, versions: VersionKeeping,
        plans: PlanExecution,
        drafts: StagedDrafts, saving: DocumentSaving, plain: PlainFileMaking, renaming: DocumentRenaming
    ) {
        (self.container, self.staging, self.store, self.names, self.versions, self.plans) = (
            container, staging, store, names, versions, plans
        )
        (self.drafts, self.saving, self.plain, self.renaming) = (drafts, saving, plain, renaming)
    }

    /// Whether there are versions, names or drafts that follow when these change places.
    func haveFollowers(_ parties: [ExchangeParty]) throws(Errno) -> Bool {
        for party in parties {
            if try versions.hasVersions(party.address.path + [party.stored]) { return true }
            if try names.hasName(at: party.place) || plans.hasDrafts(at: party.place) { return true }
        }
        return false
    }

    /// Gives two items each other's place, and what is kept of them goes along. Nothing in them is written anew: what
    /// each is then is what it was, under another name.
    func exchangeAsTheyAre(_ first: ItemPlace, _ second: ItemPlace) throws(Errno) -> Outcome {
        let parties = [first, second].map { item in
            let address = Address(folder: item.folder, path: item.path, shown: item.stored)
            return ExchangeParty(stored: item.stored, item: .other, address: address, draft: nil, newKind: nil)
        }
        if try !haveFollowers(parties),
            try store.exchange(
                first.stored, in: first.folder.descriptor, with: second.stored, in: second.folder.descriptor)
        {
            return Outcome(stored: second.stored)
        }
        return try carryOutExchange((parties[0], .itself([], nil)), (parties[1], .itself([], nil)))
    }

    /// Gives two things each other's name. Under a name of its kind a document stays the one that it is. Content of another
    /// kind, or a plain file's, is saved into the document that has the name, and refused where it does not fit; where
    /// there is none, it becomes a new document if it fits, or else a plain file.
    func exchange(_ first: ExchangeParty, _ second: ExchangeParty) throws(SaveFault) -> Outcome {
        // What leaves a document takes its attributes along, before what comes into it brings others.
        if first.kind == nil, second.kind != nil {
            let outcome = try exchange(second, first)
            return Outcome(stored: outcome.exchanged?.1.stored, exchanged: outcome.exchanged.map { ($1, $0) })
        }
        let one = try arrival(of: first, at: second)
        defer { clear(one) }
        let other = try arrival(of: second, at: first)
        defer { clear(other) }
        do throws(Errno) { return try carryOutExchange((first, one), (second, other)) } catch { throw .failed(error) }
    }

    // MARK: What each becomes

    /// What becomes of one of the two, prepared in staging.
    private enum Arrival {
        /// It is what it was, with these parts written anew, and what is written of it.
        case itself([RenamedPart], FollowedDraft?)
        /// Its content becomes that of the other document, which stays where it is; or that of a new one.
        /// What is replaced is kept.
        case content(Draft, KindID, [Place?], called: [Name]?, kept: StagedVersion?, isNew: Bool)
        case plain(Name)
    }

    private func arrival(of party: ExchangeParty, at other: ExchangeParty) throws(SaveFault) -> Arrival {
        let name = other.address.shown
        if let kind = party.kind, kind.kind.keeps(shownName: name.bytes), !other.isInPackage {
            let renamed = try renaming.renamedParts(of: party.stored, kind, from: party.address, to: other.address)
            do throws(Errno) {
                let staged = try renaming.stage(renamed, kind, to: name, staging.nextNumber())
                return .itself(staged, try renaming.followed(party.draft, of: renamed, staged))
            } catch { throw .failed(error) }
        }
        if case .other = party.item { return .itself([], nil) }
        let base = other.kind.flatMap { $0.kind.takes(shownName: name.bytes) ? $0 : nil }
        if let kind = base ?? other.newKind {
            // A document that goes along under the other name is not there to be written to.
            let isNew = base?.kind.takes(shownName: party.address.shown.bytes) ?? true
            do throws(SaveFault) { return try content(of: party, as: kind, at: other, isNew: isNew) } catch {
                guard case .unfit = error, base == nil else { throw error }
            }
        }
        return try plainArrival(party)
    }

    private func content(of party: ExchangeParty, as kind: KindID, at other: ExchangeParty, isNew: Bool) throws(SaveFault) -> Arrival {
        // A package is not made on the way: two flat files change places, and a flat file and something else do not.
        guard kind.kind.flat == nil else { throw .failed(.notSupported) }
        let draft: Draft
        do throws(Errno) { draft = try contentDraft(of: party, kind) } catch { throw .failed(error) }
        do throws(SaveFault) {
            let existing: ExistingParts?, writings: [PartWriting]
            do throws(DocumentFault) {
                existing = isNew ? nil : try ExistingParts(of: .stored(other.stored), kind, in: other.address.folder, staging.folder)
                writings = try kind.kind.write(
                    content: try draft.source(), shownName: other.address.shown.bytes, over: existing?.sources,
                    spelling: container.spelling(of: kind))
            } catch {
                if case .unreadable(let number) = error { throw .failed(number.map(Errno.init) ?? .inputOutput) }
                throw .unfit(ItemReader.sentence(of: error))
            }
            do throws(Errno) {
                if isNew, party.kind != nil {
                    // What was given to what is written stays, as where it becomes a plain file.
                    let item = try FileAttributes.userAttributes(of: party.address.folder.descriptor.open(party.stored, .path))
                    try draft.file.descriptor.setExtendedAttributes(item.merging(try FileAttributes.userAttributes(of: draft.file.descriptor)) { $1 })
                }
                let status = try draft.file.descriptor.status()
                let staged = try saving.stageParts(writings, of: draft, like: status, existing, durably: true).places
                let kept = try existing.flatMap { (existing) throws(Errno) in
                    try versions.stageVersion(of: existing, kind, at: other.address.path + [other.address.shown], conflict: false)
                }
                return .content(draft, kind, staged, called: kind.form.map { existing?.names ?? $0.names(shown: other.address.shown) }, kept: kept, isNew: isNew)
            } catch { throw .failed(error) }
        } catch {
            throwAway(draft)
            throw error
        }
    }

    /// A draft of what is shown of one of them. The journal does not hear of it.
    private func contentDraft(of party: ExchangeParty, _ kind: KindID) throws(Errno) -> Draft {
        switch party.item {
        case .file(let file): return try drafts.draft(kind, ofContent: file.descriptor)
        case .document(let old):
            if let shown = party.draft { return try drafts.draft(kind, ofContent: shown.file.descriptor, startingAt: shown.contentStart) }
            return try drafts.draft(kind, of: try opened(party, old))
        case .other: throw .invalid
        }
    }

    private func opened(_ party: ExchangeParty, _ kind: KindID) throws(Errno) -> ItemReader.Opened {
        do throws(DocumentFault) { return try container.reader.open(party.stored, as: kind, in: party.address.folder.descriptor) } catch {
            if let errno = error.errno { throw errno }
            throw .stale
        }
    }

    private func plainArrival(_ party: ExchangeParty) throws(SaveFault) -> Arrival {
        guard let kind = party.kind else { return .itself([], nil) }
        let name = Name.staged(staging.nextNumber(), ".plain")
        do throws(Errno) {
            let item = OpenFile(try party.address.folder.descriptor.open(party.stored, .path))
            if let draft = party.draft { try plain.stagePlain(draft, as: name, like: item, durably: true) } else { try plain.stagePlain(try opened(party, kind), as: name, like: item) }
            return .plain(name)
        } catch {
            try? staging.remove(name)
            throw .failed(error)
        }
    }

    /// Takes away what was prepared and is still there.
    private func clear(_ arrival: Arrival) {
        switch arrival {
        case .itself(let parts, _): renaming.clear(parts)
        case .content(let draft, _, _, _, let kept, _):
            throwAway(draft)
            if let kept { try? staging.remove(kept.staged) }
        case .plain(let name): try? staging.remove(name)
        }
    }

    private func throwAway(_ draft: Draft) {
        for index in 0..<(draft.kind.form?.written.count ?? 1) { try? staging.remove(saving.partName(index, of: draft)) }
        drafts.discard(draft)
    }

    // MARK: The plan

    /// One of the two, what becomes of it, and where it is on the way.
    private struct Way {
        let party: ExchangeParty
        let arrival: Arrival
        /// Where it belongs then.
        var target: Place
        let swap: Place
        /// Where its versions are on the way, if it has any and takes them along.
        var versionsSwap: Place?
        /// The same of the names of what is in it.
        var namesSwap: Place?
        /// The other one's content comes into it.
        let stays: Bool
        var moves: Bool { !stays && target != party.place }
    }

    private func carryOutExchange(_ first: (ExchangeParty, Arrival), _ second: (ExchangeParty, Arrival)) throws(Errno)
        -> Outcome
    {
        // What waits in a folder keeps its versions, wherever the folder goes.
        for party in [first.0, second.0] where party.kind == nil { try versions.letGo(below: party.place) }
        let number = staging.nextNumber()
        var taken: [Place] = []
        let vacant = [(first, second), (second, first)].filter { !Self.fills($0.1.1) }.map(\.0.0.place)
        func way(
            _ one: (ExchangeParty, Arrival), _ other: (ExchangeParty, Arrival), _ suffix: StaticString, _ versionsSuffix: StaticString, _ namesSuffix: StaticString
        ) throws(Errno) -> Way {
            let target = try target(of: one.1, one.0, at: other.0) { (place) throws(Errno) -> Bool in
                // Its own name may be what the other one is called from now on.
                if taken.contains(place) { return false }
                if place == one.0.place || vacant.contains(place) { return true }
                return try !other.0.address.folder.descriptor.exists(place.name)
            }
            taken.append(target)
            var way = Way(
                party: one.0, arrival: one.1, target: target, swap: .staged(Name.staged(number, suffix)), stays: Self.fills(other.1))
            if case .itself = one.1, way.moves, try versions.hasVersions(one.0.place.path + [one.0.place.name]) {
                way.versionsSwap = .staged(Name.staged(number, versionsSuffix))
            }
            if one.0.kind == nil, way.moves, try names.hasName(at: one.0.place) { way.namesSwap = .staged(Name.staged(number, namesSuffix)) }
            return way
        }
        let ways = [
            try way(first, second, ".one", ".oneversions", ".onenames"), try way(second, first, ".other", ".otherversions", ".othernames"),
        ]
        var plan = Plan()
        for way in ways { plan.know(way.party.address.folder, at: way.party.address.path) }
        plan.know(staging.folder, at: [], of: .staging)
        plan.exchanges = true
        plan.steps = ways.filter(\.moves).map { .move($0.party.place, $0.swap) }
        plan.steps += ways.compactMap { way in way.versionsSwap.map { .move(way.party.place.ofVersions, $0) } }
        for way in ways where way.namesSwap == nil && !way.stays { try names.forgetName(at: way.party.place, &plan) }
        for way in ways {
            guard let swap = way.namesSwap else { continue }
            plan.steps.append(.move(way.party.place.ofNames, swap))
            plan.forgotten.insert(way.party.place)
        }
        plan.exchangingSteps = plan.steps.count
        for way in ways {
            if let swap = way.versionsSwap {
                let isVacated = ways.contains { $0.versionsSwap != nil && $0.party.place == way.target }
                if !isVacated { try versions.clearWay(to: way.target, &plan) }
                _ = try versions.makeVersionFolder(way.target.path)
                plan.steps.append(.add(swap, way.target.ofVersions))
            }
            if case .content(_, _, _, _, let kept?, _) = way.arrival, let step = try versions.keepingStep(kept, of: way.target.name, in: way.target.path) {
                plan.steps.append(step)
            }
            plan.steps += Self.steps(of: way)
        }
        for (way, other) in [(ways[0], second.0), (ways[1], first.0)] { try keepName(of: way, other.address.shown, &plan) }
        var followed: [FollowedDraft] = []
        for (way, other) in [(ways[0], second.0), (ways[1], first.0)] {
            if case .itself(_, let draft) = way.arrival {
                guard let draft else { continue }
                plan.drafts.append(draft.record(at: other.address, as: way.target.name))
                followed.append(draft)
            } else {
                if way.moves { plan.steps.append(.remove(way.swap)) }
                plan.steps += Plan.ending(draft: way.party.draft?.number)
            }
        }
        try plans.carryOut(plan)
        for draft in followed { draft.follow() }
        return Outcome(stored: ways[0].target.name, exchanged: (Self.result(ways[0]), Self.result(ways[1])))
    }

    /// What arrives is called as the other one was, and takes the names of what is in it along.
    private func keepName(of way: Way, _ shown: Name, _ plan: inout Plan) throws(Errno) {
        if let swap = way.namesSwap {
            try names.forgetName(at: way.target, &plan)
            plan.nameFolders.append(way.target.path)
            plan.steps.append(.add(swap, way.target.ofNames))
        } else {
            switch way.arrival {
            case .itself: if let kind = way.party.kind { try names.keepName(shown, kind, at: way.target, &plan) }
            case .content(_, let kind, _, _, _, isNew: true): try names.keepName(shown, kind, at: way.target, &plan)
            case .content, .plain: break
            }
        }
    }

    /// Whether what arrives comes into the document that is there.
    private static func fills(_ arrival: Arrival) -> Bool { if case .content(_, _, _, _, _, isNew: false) = arrival { true } else { false } }

    private static func result(_ way: Way) -> ExchangeResult {
        switch way.arrival {
        case .itself: ExchangeResult(stored: way.target.name, kind: way.party.kind)
        case .content(_, let kind, _, _, _, _): ExchangeResult(stored: way.target.name, kind: kind)
        case .plain: ExchangeResult(stored: way.target.name, kind: nil)
        }
    }

    /// Where one of them belongs under the name of the other.
    private func target(of arrival: Arrival, _ party: ExchangeParty, at other: ExchangeParty, isFree: (Place) throws(Errno) -> Bool) throws(Errno) -> Place {
        var kind: KindID?
        var own: Name?
        switch arrival {
        case .content(_, _, _, _, _, isNew: false): return other.place
        case .content(_, let new, _, _, _, _): kind = new
        case .itself:
            kind = party.kind
            if let kind, !kind.kind.storedNameFollowsShown { own = party.stored }
        case .plain: break
        }
        return try NewItemName.trying(kind, for: other.address.shown, first: own) { (name) throws(Errno) in
            let place = Place.item(name, in: other.address.path)
            if try isFree(place) { return place }
            // A plain file has no other name than this one.
            throw kind == nil ? .stale : .exists
        }
    }

    /// The steps with which it arrives.
    private static func steps(of way: Way) -> [Journal.Step] {
        switch way.arrival {
        case .itself(let parts, _):
            return (way.moves ? [.add(way.swap, way.target)] : [])
                + parts.map { $0.step(in: way.target) }
        case .plain(let name): return [.add(.staged(name), way.target)]
        case .content(let draft, _, let staged, let names, _, let isNew):
            return Plan.placing(staged, called: names, in: isNew ? .staged(Name.staged(draft.number)) : way.target, as: way.target)
        }
    }
}

/// One of two that change places.
public struct ExchangeParty: Sendable {
    public enum Item: Sendable {
        case document(KindID)
        /// A plain file that can become a document.
        case file(OpenFile)
        /// A folder, or whatever else has no content that could be a document's.
        case other
    }

    public let stored: Name
    public let item: Item
    /// Where it is, and as what it is shown.
    public let address: Address
    /// What is shown of it instead of its content, because it could not be saved.
    public let draft: Draft?
    /// The kind that a new file of its name becomes.
    public let newKind: KindID?
    /// Whether nothing is a document there, whatever it is called.
    public let isInPackage: Bool

    public init(stored: Name, item: Item, address: Address, draft: Draft?, newKind: KindID?, isInPackage: Bool = false) {
        (self.stored, self.item, self.address, self.draft, self.newKind) = (stored, item, address, draft, newKind)
        self.isInPackage = isInPackage
    }

    var place: Place { .item(stored, in: address.path) }
    var kind: KindID? { if case .document(let kind) = item { kind } else { nil } }
}

/// What one of them is under the name of the other: a document of a kind, or none.
public struct ExchangeResult: Sendable {
    public let stored: Name
    public let kind: KindID?
}
