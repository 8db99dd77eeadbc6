import Documents
import LinuxFiles
import Transactions

/// Items that apps have written whole, as they are to be stored: put in their place as what a drive saves is, with a version of
/// what they replace, and wholly or not at all.
final class StagedSaving: Sendable {
    let container: Container
    let staging: Staging
    let policy: VersionPolicy
    /// Plain files have versions.
    let keepsFiles: Bool
    let attributes: FileAttributes
    let versions: VersionKeeping
    let plans: PlanExecution
    private let deleted: DeletedKeeping

    init(
        container: Container, staging: Staging, policy: VersionPolicy, keepsFiles: Bool, attributes: FileAttributes,
        versions: VersionKeeping, plans: PlanExecution, deleted: DeletedKeeping
    ) {
        (self.container, self.staging, self.policy, self.keepsFiles) = (container, staging, policy, keepsFiles)
        (self.attributes, self.versions, self.plans, self.deleted) = (attributes, versions, plans, deleted)
    }

    /// In the item's lane. What was handed over is gone from there afterwards, also where it could not be saved.
    func save(_ item: StagedItem, at path: [Name]) throws(SaveFault) -> Outcome {
        guard let stored = path.last, !Hidden.isState(path[0]) else { throw .failed(.invalid) }
        do throws(Errno) {
            let target = ItemPlace(folder: try container.documents.folder(at: path.dropLast()), path: path.dropLast(), stored: stored)
            return try place(item.name, .program(base: item.base, isOpen: item.isOpen), target)
        } catch { throw .failed(error) }
    }

    /// The same of what another computer has, which knew what is there: where that is something else, it is refused
    /// (EAGAIN).
    func adopt(_ name: Name, _ adoption: Adoption, at target: ItemPlace) throws(Errno) -> Outcome {
        try place(name, .computer(adoption.provenance, expecting: adoption.expected), target)
    }

    /// Who has written it.
    enum Author {
        /// On this computer. `base` is what was there when it began; nil where that does not matter. `isOpen`: another
        /// program has what is there open, and may write to it still.
        case program(base: BaseStamp?, isOpen: Bool = false)
        /// Programs that filled a package on the drive: permissions, times and attributes are what they set.
        case programs(since: BaseStamp?)
        /// Another one, which says itself what it may replace.
        case computer(Provenance, expecting: Adoption.Expectation)

        var base: BaseStamp? {
            switch self {
            case .program(let base, _), .programs(let base): base
            case .computer: nil
            }
        }
        /// It has the attributes that it is to have.
        var isDressed: Bool { if case .programs = self { true } else { false } }
        /// What it replaces may be something that its author has never seen.
        var isUnaware: Bool { if case .program(nil, _) = self { true } else { false } }
        var isOpen: Bool { if case .program(_, true) = self { true } else { false } }
        var provenance: Provenance? { if case .computer(let provenance, _) = self { provenance } else { nil } }
        var expected: Adoption.Expectation { if case .computer(_, let expected) = self { expected } else { .anything } }
    }

    private func place(_ name: Name, _ author: Author, _ target: ItemPlace) throws(Errno) -> Outcome {
        let own = staging.nextHandedOver()
        try take(name, as: own)
        defer { try? staging.remove(own) }
        return try place(Coming(staged: own, in: staging.folder), author, target)
    }

    /// What comes into an item's place.
    struct Coming {
        /// Where it lies now, and where the plan finds it: in staging, after its first steps.
        let folder: OpenFile, name: Name, own: Name
        var first: [Journal.Step] = []

        init(staged own: Name, in staging: OpenFile) { (folder, name, self.own) = (staging, own, own) }

        /// A package that grew in the folder into which it comes: the plan itself takes it from there.
        init(grown name: Name, beside target: ItemPlace, as own: Name) {
            (folder, self.name, self.own) = (target.folder, name, own)
            first = [.add(.item(name, in: target.path), .staged(own))]
        }

        /// Where it is as long as the plan has done nothing.
        var place: Place { first.first?.places[0] ?? .staged(own) }
    }

    func place(_ coming: Coming, _ author: Author, _ target: ItemPlace) throws(Errno) -> Outcome {
        for _ in 1...Self.mostTries {
            if let outcome = try placeOnce(coming, author, target) { return outcome }
            // What another computer knew is not there any more.
            if author.provenance != nil { throw .tryAgain }
        }
        throw .stale
    }

    /// From here on it lies where things are that a plan moves.
    func take(_ item: Name, as name: Name) throws(Errno) {
        let handed: OpenFile
        do throws(StateFault) {
            guard let own = try container.state.opened(), let folder = try container.state.folder(Container.handedName, in: own) else { throw StateFault.failed(.noSuchEntry) }
            handed = folder
        } catch { throw error.errno }
        try handed.descriptor.rename(item, to: staging.folder.descriptor, as: name)
    }

    /// How often somebody else may replace what is there in the middle of it.
    private static let mostTries = 8

    /// nil where somebody else did: nothing was done.
    private func placeOnce(_ coming: Coming, _ author: Author, _ target: ItemPlace) throws(Errno) -> Outcome? {
        let own = coming.own, new = try coming.folder.descriptor.status(of: coming.name)
        guard new.type == .regular || new.type == .folder || (new.type == .symbolicLink && author.provenance != nil) else { throw .invalid }
        let old = try target.folder.descriptor.statusIfThere(target.stored)
        if let provenance = author.provenance { try note(provenance, own, new, target) }
        var plan = Plan()
        plan.know(target.folder, at: target.path)
        plan.know(staging.folder, at: [], of: .staging)
        guard let old else {
            try ItemTree.synchronize(coming.name, in: coming.folder)
            plan.steps = [.add(coming.place, target.place)]
            try plans.carryOut(plan)
            return Outcome(stored: target.stored)
        }
        guard old.type == new.type else { throw old.type == .folder ? .isDirectory : .notDirectory }
        // The same file once more: nothing was changed.
        if new.type == .regular, old.identity == new.identity { return Outcome(stored: target.stored, isUnchanged: true) }
        let existing = try existing(target, old, author)
        let replaced = author.provenance == nil ? nil : try replacedContent(existing, old, at: target)
        guard try author.expected.holds(at: target, in: container) else { throw .tryAgain }
        if author.isDressed {
            // What is no document is nobody's to replace.
            guard existing != nil else { throw .exists }
            if try isSame(coming, as: target) { return try keepAsItIs(coming, target) }
        }
        let clash: Clash, isKept: Bool
        if let existing {
            var comparison = Comparison()
            clash = try self.clash(since: author.base, coming, with: existing, target, &comparison)
            isKept = try self.isKept(existing, clash, coming, by: author, at: target, &comparison)
        } else {
            (clash, isKept) = (try self.clash(since: author.base, coming, with: old, target), false)
        }
        guard clash != .refused else { throw .stale }
        // A folder in which programs work stays the folder that they have open.
        if let existing, !existing.isOwnPackage, let flat = existing.parts.flat, author.provenance == nil {
            return try replaceWhole(coming, author, existing, flat, old, isConflict: clash == .won, target, &plan)
        }
        var kept: StagedVersion?, held: DeletedItem?, entry: Place?
        do throws(Errno) {
            // What no version is kept of, and the app has never read, may be anybody's.
            let hasVersions = existing.map { $0.rule == nil } ?? false
            if !hasVersions, !isKept, author.isUnaware || author.provenance != nil, old.type == .regular {
                let address = Address(folder: target.folder, path: target.path, shown: target.stored)
                held = try deleted.hold(plain: target.stored, in: address, mustKeep: author.provenance != nil).deleted
            }
            if let existing, isKept { kept = try stageVersion(of: existing, clash, by: author, at: target) }
            var shelf: Shelf?
            if let kept,
                let step = try versions.keepingStep(
                    kept, of: target.stored, in: target.path, mustKeep: author.provenance != nil)
            {
                plan.steps.append(step)
                entry = step.target
                shelf = try self.shelf(for: kept, step, new.type, &plan)
            }
            let isForeign = author.provenance != nil
            plan.replace(old.identity, at: target.place)
            switch new.type {
            case .regular: try replaceFile(own, target, old, isForeign, &plan)
            case .folder: try replacePackage(coming, author, target, existing?.kind, shelf, isForeign, &plan)
            default: plan.steps.append(.move(.staged(own), target.place))
            }
            let folders = author.isDressed ? try attributesOfFolders(coming, existing?.kind) : []
            try plans.carryOut(plan)
            dressFolders(target, folders)
        } catch {
            if let kept { try? staging.remove(kept.staged) }
            if let held { _ = try? deleted.purge(held) }
            if error == .stale { return nil }
            throw error
        }
        if clash == .won, let existing { versions.tellConflict(of: target.path + [existing.shown]) }
        var outcome = Outcome(
            stored: target.stored, current: clash == .won ? .mine : nil, kept: kept?.version.id, deleted: held)
        if let replaced { tell(replaced, entry, existing, &outcome) }
        return outcome
    }

    private func replacedContent(_ existing: Existing?, _ old: FileStatus, at target: ItemPlace) throws(Errno)
        -> ReplacedContent
    {
        if let existing {
            return try existing.isOwnPackage
                ? ReplacedContent([], package: existing.parts.folder)
                : ReplacedContent(existing.parts.files.compactMap { $0 }, package: nil)
        }
        guard old.type == .regular else { return try ReplacedContent([], package: nil) }
        return try ReplacedContent(
            [OpenFile(target.folder.descriptor.openUntraced(target.stored, [.read, .nonBlocking]))], package: nil)
    }

    /// What another computer's content has replaced, and what became of it. A version that nobody has seen is a
    /// conflict. All of it is kept already: where this cannot be looked at or told, it is a version like others.
    private func tell(_ replaced: ReplacedContent, _ entry: Place?, _ existing: Existing?, _ outcome: inout Outcome) {
        guard let entry, let existing, let version = DocumentVersion(entry: entry.name),
            let home = try? versions.makeVersionFolder(entry.path)
        else {
            guard (try? replaced.hasChanged(nil)) == true, let item = outcome.deleted else { return }
            return outcome.replacedState = try? deleted.state(of: item)
        }
        outcome.kept = version.id
        guard (try? replaced.hasChanged((entry.name, home))) == true else {
            // An empty file is kept only as long as somebody may be writing to it.
            if !existing.kind.isPackage, existing.parts.status?.size == 0,
                (try? versions.discard(version: entry.name, in: home)) != nil
            {
                outcome.kept = nil
            }
            return
        }
        guard let conflict = version.unresolved.entry,
            (try? home.descriptor.rename(entry.name, to: home.descriptor, as: conflict)) != nil
        else { return }
        outcome.current = .mine
        outcome.replacedState = try? ItemState(of: conflict, in: home, isPackage: true)
        versions.tellConflict(of: entry.path.dropLast() + [existing.shown])
    }

    /// Where it comes from goes along with the content.
    private func note(_ provenance: Provenance, _ own: Name, _ new: FileStatus, _ target: ItemPlace) throws(Errno) {
        let kind = container.reader.candidate(for: target.stored, isFolder: new.type == .folder), content: Descriptor
        if new.type == .folder {
            guard let kind, kind.isPackage else { return }
            do throws(Errno) {
                let home = try kind.home(in: OpenFile(staging.folder.descriptor.open(own, [.path, .folder])))
                content = try home.descriptor.open(kind.contentName(in: home.descriptor) ?? own, [.read, .nonBlocking])
            } catch {
                guard error == .noSuchEntry else { throw error }
                return
            }
        } else {
            guard new.type == .regular else { return }
            content = try staging.folder.descriptor.open(own, [.read, .nonBlocking])
        }
        provenance.keep(in: content, set: try content.status().modified)
    }

    // MARK: A file

    private func replaceFile(_ own: Name, _ target: ItemPlace, _ old: FileStatus, _ isForeign: Bool, _ plan: inout Plan) throws(Errno) {
        try dress(own, in: staging.folder, like: old, OpenFile(target.folder.descriptor.openUntraced(target.stored, [.read, .nonBlocking])), isForeign)
        try ItemTree.synchronize(own, in: staging.folder)
        plan.steps.append(.move(.staged(own), target.place))
    }

    /// It is still whose it was, and says when it was written. What comes from another computer may be used as it may be
    /// there.
    func dress(
        _ name: Name, in folder: OpenFile, like old: FileStatus, _ holder: OpenFile, _ isForeign: Bool
    ) throws(Errno) {
        let file = OpenFile(try folder.descriptor.open(name, [.read, .nonBlocking]))
        var status = old
        let new = try file.descriptor.status()
        (status.accessed, status.modified) = (new.accessed, new.modified)
        // What would run a file as another user does not come along.
        if isForeign { status.mode = new.mode & ~0o6000 }
        try attributes.dress(file.descriptor, like: status, isForeign ? [holder, file] : [holder])
    }

    // MARK: A package

    /// Part by part, what did not change stays where it is. The content comes last: until then the document is the old one.
    private func replacePackage(
        _ coming: Coming, _ author: Author, _ target: ItemPlace, _ kind: KindID?, _ shelf: Shelf?, _ isForeign: Bool, _ plan: inout Plan
    ) throws(Errno) {
        let item = target.place, own = coming.own
        let new = OpenFile(try coming.folder.descriptor.open(coming.name, [.path, .folder]))
        let old = OpenFile(try target.folder.descriptor.open(target.stored, [.path, .folder]))
        plan.know(new, at: [own], of: .staging)
        if !coming.first.isEmpty { plan.know(new, at: target.path + [coming.name]) }
        plan.steps += coming.first
        plan.know(old, at: target.path + [target.stored])
        let parts = Parts(new: new, old: old, own: .staged(own), item: item)
        try replaceParts(parts, author, kind?.form, shelf, isForeign, first: plan.steps.count, &plan)
        try ItemTree.synchronize(coming.name, in: coming.folder)
        plan.steps.append(.remove(.staged(own)))
    }

    /// What comes and what is there, in the package or in a folder of it that leads to the content, and where they are.
    private struct Parts {
        let new: OpenFile, old: OpenFile
        let own: Place, item: Place
        var depth = 0

        func inside(_ name: Name) throws(Errno) -> Parts {
            func open(_ folder: OpenFile) throws(Errno) -> OpenFile { OpenFile(try folder.descriptor.open(name, [.path, .folder])) }
            return Parts(new: try open(new), old: try open(old), own: own.part(name), item: item.part(name), depth: depth + 1)
        }
    }

    /// `first`: behind these steps goes what goes.
    private func replaceParts(
        _ parts: Parts, _ author: Author, _ form: PackageForm?, _ shelf: Shelf?, _ isForeign: Bool, first: Int, _ plan: inout Plan
    ) throws(Errno) {
        let (new, old, item, own) = (parts.new, parts.old, parts.item, parts.own)
        func away(_ part: Name) throws(Errno) -> Journal.Step {
            // A version has all of a folder that leads to the content.
            if let shelf, parts.depth == 0, try !shelf.folder.descriptor.exists(part) { return .move(item.part(part), shelf.place.part(part)) }
            // It stays until the plan has ended: whoever carries that on sees by it that what has its name now came after it.
            let gone = Name.staged(staging.nextNumber(), ".gone")
            plan.discarded.append(gone)
            return .move(item.part(part), .staged(gone))
        }
        func isContent(_ part: Name) -> Bool { form?.leadsToContent(part, atDepth: parts.depth) == true }
        for part in try names(in: new, last: isContent) {
            let come = try new.descriptor.status(of: part)
            guard try old.descriptor.exists(part) else {
                plan.steps.append(.add(own.part(part), item.part(part)))
                continue
            }
            let there = try old.descriptor.status(of: part)
            if come.identity == there.identity { continue }
            if come.type == .folder, there.type == .folder, isContent(part) {
                try replaceParts(parts.inside(part), author, form, shelf, isForeign, first: first, &plan)
                continue
            }
            if try ItemTree.isUntouched(part, in: new.descriptor, of: part, in: old.descriptor) { continue }
            guard come.type == .regular, there.type == .regular else {
                plan.steps += [try away(part), .add(own.part(part), item.part(part))]
                continue
            }
            if parts.depth == 0 { try keep(part, of: old, in: shelf) }
            plan.replace(there.identity, at: item.part(part))
            if !author.isDressed { try dress(part, in: new, like: there, OpenFile(old.descriptor.open(part, [.read, .nonBlocking])), isForeign) }
            plan.steps.append(.move(own.part(part), item.part(part)))
        }
        // What the app does not have any more. Copies that a sync tool has left are nobody's until somebody has decided about them.
        for part in try names(in: old) where try !new.descriptor.exists(part) && Container.copiedItem(by: part) == nil {
            // A content that is called otherwise now: there is always one.
            if isContent(part) { plan.steps.append(try away(part)) } else { plan.steps.insert(try away(part), at: first) }
        }
    }

    private func names(in folder: OpenFile, last isLast: (Name) -> Bool = { _ in false }) throws(Errno) -> [Name] {
        var entries = try FolderReader(folder.descriptor), names: [Name] = []
        while let entry = try entries.next() { names.append(entry.name) }
        return names.filter { !isLast($0) }.sorted() + names.filter(isLast).sorted()
    }

    /// The package that becomes a version: its folder, which is in staging till then, and where it is afterwards.
    private struct Shelf {
        let folder: OpenFile
        let place: Place
    }

    private func shelf(for kept: StagedVersion, _ step: Journal.Step, _ type: FileType, _ plan: inout Plan) throws(Errno) -> Shelf? {
        guard type == .folder, case .add(_, let place) = step else { return nil }
        let folder = OpenFile(try staging.folder.descriptor.open(kept.staged, [.path, .folder]))
        plan.know(folder, at: place.path + [place.name], of: place.top)
        return Shelf(folder: folder, place: place)
    }

    /// A file that is replaced and that no kind speaks of goes along with the version. Folders, and what is removed, are moved there.
    private func keep(_ part: Name, of old: OpenFile, in shelf: Shelf?) throws(Errno) {
        guard let shelf, try !shelf.folder.descriptor.exists(part), let file = try? old.descriptor.open(part, [.read, .nonBlocking]) else { return }
        // A save goes on where there is no room to keep what it replaces.
        do throws(Errno) { _ = try versions.secondName(for: part, OpenFile(file), in: old, as: part, in: shelf.folder) } catch { if !error.isFull { throw error } }
    }
}
