import Documents
import LinuxFiles

/// Items that apps have written whole, as they are to be stored: put in their place as what a drive saves is, with a version of
/// what they replace, and wholly or not at all.
final class StagedSaving: Sendable {
    private let container: Container
    private let staging: Staging
    private let policy: VersionPolicy
    private let attributes: FileAttributes
    private let versions: VersionKeeping
    private let plans: PlanExecution
    private let deleted: DeletedKeeping

    init(
        container: Container, staging: Staging, policy: VersionPolicy, attributes: FileAttributes, versions: VersionKeeping,
        plans: PlanExecution, deleted: DeletedKeeping
    ) {
        (self.container, self.staging, self.policy) = (container, staging, policy)
        (self.attributes, self.versions, self.plans, self.deleted) = (attributes, versions, plans, deleted)
    }

    private struct Target {
        let folder: OpenFile
        let path: [Name]
        let stored: Name
        var place: Place { .item(stored, in: path) }
    }

    /// In the item's lane. What was handed over is gone from there afterwards, also where it could not be saved.
    func save(_ item: StagedItem, at path: [Name]) throws(SaveFault) -> StagedOutcome {
        guard let stored = path.last, !Hidden.isState(path[0]) else { throw .failed(.invalid) }
        let own = Name.staged(staging.nextNumber(), ".handed")
        do throws(Errno) {
            try take(item, as: own)
            defer { try? staging.remove(own) }
            return try place(own, item, Target(folder: container.documents.folder(at: path.dropLast()), path: path.dropLast(), stored: stored))
        } catch { throw .failed(error) }
    }

    /// From here on it lies where things are that a plan moves.
    private func take(_ item: StagedItem, as name: Name) throws(Errno) {
        let handed: OpenFile
        do throws(StateFault) {
            guard let own = try container.state.opened(), let folder = try container.state.folder(Container.handedName, in: own) else { throw StateFault.failed(.noSuchEntry) }
            handed = folder
        } catch { throw error.errno }
        try handed.descriptor.rename(item.name, to: staging.folder.descriptor, as: name)
    }

    private func place(_ own: Name, _ item: StagedItem, _ target: Target) throws(Errno) -> StagedOutcome {
        let new = try staging.folder.descriptor.status(of: own)
        guard new.type == .regular || new.type == .folder else { throw .invalid }
        let old: FileStatus?
        do throws(Errno) { old = try target.folder.descriptor.status(of: target.stored) } catch {
            guard error == .noSuchEntry else { throw error }
            old = nil
        }
        var plan = Plan()
        plan.know(target.folder, at: target.path)
        plan.know(staging.folder, at: [], of: .staging)
        guard let old else {
            try synchronize(own, in: staging.folder)
            plan.steps = [.add(.staged(own), target.place)]
            try plans.carryOut(plan)
            return .saved
        }
        guard old.type == new.type else { throw old.type == .folder ? .isDirectory : .notDirectory }
        // The same file once more: nothing was changed.
        if new.type == .regular, old.identity == new.identity { return .saved }
        let existing = try existingDocument(target, old)
        let clash: Bool
        if let existing { clash = try self.clash(of: item, own, with: existing) } else { clash = try isUnseen(target, old, by: item, own) }
        // Nobody would ever see it again.
        guard !clash || (policy.keeps && existing != nil) else { throw .stale }
        var kept: StagedVersion?, held: DeletedItem?
        do throws(Errno) {
            // Of a plain file there are no versions. What the app has never read may be anybody's.
            if existing == nil, item.base == nil, old.type == .regular {
                held = try deleted.hold(plain: target.stored, in: Address(folder: target.folder, path: target.path, shown: target.stored))
            }
            kept = try existing.flatMap { (existing) throws(Errno) in
                try versions.stageVersion(of: existing.parts.files, called: existing.parts.names, in: existing.parts.folder, existing.kind, at: target.path + [existing.shown], conflict: clash)
            }
            if let kept, let step = try versions.keepingStep(kept, of: target.stored, in: target.path) { plan.steps.append(step) }
            if new.type == .regular { try replaceFile(own, target, old, &plan) } else { try replacePackage(own, target, existing?.kind, kept, &plan) }
            try plans.carryOut(plan)
        } catch {
            if let kept { try? staging.remove(kept.staged) }
            if let held { try? deleted.purge(held) }
            throw error
        }
        if clash, let existing { versions.tellConflict(of: target.path + [existing.shown]) }
        return clash ? .conflict : .saved
    }

    private struct Existing {
        let kind: KindID
        let shown: Name
        let parts: ExistingParts
    }

    /// nil where what is there is no document: of a plain file no versions are kept.
    private func existingDocument(_ target: Target, _ status: FileStatus) throws(Errno) -> Existing? {
        guard let kind = container.reader.candidate(for: target.stored, isFolder: status.type == .folder) else { return nil }
        do throws(DocumentFault) {
            let document = try container.reader.open(target.stored, as: kind, in: target.folder.descriptor).item.document
            let shown = document.flatMap { try? container.name(of: $0, stored: target.stored, in: target.path) } ?? target.stored
            return Existing(kind: kind, shown: shown, parts: try ExistingParts(of: .stored(target.stored), kind, in: target.folder, staging.folder))
        } catch {
            // What cannot be read may be a document, and would be lost.
            if case .unreadable(let number?) = error { throw Errno(rawValue: number) }
            return nil
        }
    }

    /// Whether somebody else changed it since the app read it, to something else than what the app has.
    private func clash(of item: StagedItem, _ own: Name, with existing: Existing) throws(Errno) -> Bool {
        guard let base = item.base, let content = existing.parts.files.first ?? nil, try BaseStamp(content.descriptor.status()) != base else { return false }
        guard let part = existing.kind.kind.partNames?.first.flatMap(Name.init) else {
            return try !staging.folder.descriptor.open(own, [.read, .nonBlocking]).hasSameContent(as: content.descriptor)
        }
        let package = try staging.folder.descriptor.open(own, [.path, .folder])
        do throws(Errno) { return try !package.open(part, [.read, .nonBlocking]).hasSameContent(as: content.descriptor) } catch {
            guard error == .noSuchEntry else { throw error }
            return true
        }
    }

    /// The same of a file of which no versions are kept.
    private func isUnseen(_ target: Target, _ old: FileStatus, by item: StagedItem, _ own: Name) throws(Errno) -> Bool {
        guard let base = item.base, old.type == .regular, BaseStamp(old) != base else { return false }
        let there = try target.folder.descriptor.open(target.stored, [.read, .nonBlocking])
        return try !staging.folder.descriptor.open(own, [.read, .nonBlocking]).hasSameContent(as: there)
    }

    // MARK: A file

    private func replaceFile(_ own: Name, _ target: Target, _ old: FileStatus, _ plan: inout Plan) throws(Errno) {
        try dress(own, in: staging.folder, like: old, OpenFile(target.folder.descriptor.open(target.stored, [.read, .nonBlocking])))
        try synchronize(own, in: staging.folder)
        plan.steps.append(.move(.staged(own), target.place))
    }

    /// It is still whose it was, and says when it was written.
    private func dress(_ name: Name, in folder: OpenFile, like old: FileStatus, _ holder: OpenFile) throws(Errno) {
        let file = try folder.descriptor.open(name, [.read, .nonBlocking])
        var status = old
        let new = try file.status()
        (status.accessed, status.modified) = (new.accessed, new.modified)
        try attributes.dress(file, like: status, [holder])
    }

    // MARK: A package

    /// Part by part, what did not change stays where it is. The content comes last: until then the document is the old one.
    private func replacePackage(_ own: Name, _ target: Target, _ kind: KindID?, _ kept: StagedVersion?, _ plan: inout Plan) throws(Errno) {
        let item = target.place
        let new = OpenFile(try staging.folder.descriptor.open(own, [.path, .folder]))
        let old = OpenFile(try target.folder.descriptor.open(target.stored, [.path, .folder]))
        plan.know(new, at: [own], of: .staging)
        plan.know(old, at: target.path + [target.stored])
        var last: [Journal.Step] = [.remove(.staged(own))]
        func away(_ part: Name) -> Journal.Step {
            let gone = Place.staged(Name.staged(staging.nextNumber(), ".gone"))
            last.append(.remove(gone))
            return .move(item.part(part), gone)
        }
        let first = plan.steps.count
        for part in try names(in: new, contentLast: kind) {
            let come = try new.descriptor.status(of: part)
            guard try old.descriptor.exists(part) else {
                plan.steps.append(.add(Place.staged(own).part(part), item.part(part)))
                continue
            }
            let there = try old.descriptor.status(of: part)
            if come.identity == there.identity { continue }
            guard come.type == .regular, there.type == .regular else {
                plan.steps += [away(part), .add(Place.staged(own).part(part), item.part(part))]
                continue
            }
            try dress(part, in: new, like: there, OpenFile(old.descriptor.open(part, [.read, .nonBlocking])))
            plan.steps.append(.move(Place.staged(own).part(part), item.part(part)))
        }
        // What the app does not have any more. Copies that a sync tool has left are nobody's until somebody has decided about them.
        for part in try names(in: old, contentLast: nil) where try !new.descriptor.exists(part) && Container.copiedItem(by: part) == nil {
            try keep(part, of: old, in: kept)
            plan.steps.insert(away(part), at: first)
        }
        try synchronize(own, in: staging.folder)
        plan.steps += last
    }

    private func names(in folder: OpenFile, contentLast kind: KindID?) throws(Errno) -> [Name] {
        var entries = try FolderReader(folder.descriptor), names: [Name] = []
        while let entry = try entries.next() { names.append(entry.name) }
        let content = kind?.kind.partNames?.first.flatMap(Name.init)
        return names.filter { $0 != content }.sorted() + names.filter { $0 == content }
    }

    /// A file that no kind speaks of goes along with the version.
    private func keep(_ part: Name, of old: OpenFile, in kept: StagedVersion?) throws(Errno) {
        guard let kept, let file = try? old.descriptor.open(part, [.read, .nonBlocking]), try file.status().type == .regular else { return }
        let version = OpenFile(try staging.folder.descriptor.open(kept.staged, [.path, .folder]))
        do throws(Errno) { _ = try versions.secondName(for: part, OpenFile(file), in: old, as: part, in: version) } catch { if error != .exists { throw error } }
    }

    private static let deepest = 256

    /// On the store before it replaces anything.
    private func synchronize(_ name: Name, in folder: OpenFile, depth: Int = 0) throws(Errno) {
        guard depth < Self.deepest else { throw .nameTooLong }
        switch try folder.descriptor.status(of: name).type {
        case .regular: try folder.descriptor.open(name, [.read, .nonBlocking]).synchronize()
        case .folder:
            let inner = OpenFile(try folder.descriptor.open(name, [.read, .folder]))
            var entries = try FolderReader(inner.descriptor)
            while let entry = try entries.next() { try synchronize(entry.name, in: inner, depth: depth + 1) }
            try inner.descriptor.synchronize()
        default: break
        }
    }
}
