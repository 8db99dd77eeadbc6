import Documents
import LinuxFiles
import PropertyLists
import Transactions

/// Versions that come back, and conflicts that end. In a document's lane.
final class VersionRestoring: Sendable {
    let container: Container
    let staging: Staging
    let versions: VersionKeeping
    let plans: PlanExecution
    let drafts: StagedDrafts
    let saving: DocumentSaving
    private let folderItems: FolderItemVersions

    init(
        container: Container, staging: Staging, versions: VersionKeeping,
        plans: PlanExecution, drafts: StagedDrafts, saving: DocumentSaving, folderItems: FolderItemVersions
    ) {
        self.folderItems = folderItems
        (self.container, self.staging, self.versions) = (container, staging, versions)
        (self.plans, self.drafts, self.saving) = (plans, drafts, saving)
    }

    /// Gives a document the content that it had. It keeps its name and all that is not content, and what it was until
    /// now becomes a version: so this can be undone by doing it again.
    func restore(_ id: VersionID, of document: DocumentPlace, shown: Name) throws(SaveFault) -> Outcome {
        if document.kind == .folder { return try done { () throws(Errno) in try folderItems.restore(id, of: document) } }
        return try bringBack(version(id, of: document), to: document, shown)
    }

    /// Ends a document's conflicts. What loses stays a version like others.
    func resolve(_ document: DocumentPlace, shown: Name, _ decision: ConflictDecision) throws(SaveFault) -> Outcome {
        let conflicts = try done { () throws(Errno) in try container.unresolvedConflicts(of: document) }
        switch decision {
        case .current:
            let ending = try ending(of: conflicts, of: document)
            defer { clear(ending) }
            if !ending.steps.isEmpty { try end(ending, of: document) }
            return Outcome(stored: document.stored, isUnchanged: ending.steps.isEmpty)
        case .version(let id):
            let version = try version(id, of: document), ending = try ending(of: conflicts, of: document)
            defer { clear(ending) }
            return try bringBack(version, to: document, shown, settling: ending.steps)
        case .both:
            // Each is a document of its own and no conflict any more in one step: who tries again goes on from there.
            for version in conflicts {
                let ending = try ending(of: [version], of: document)
                defer { clear(ending) }
                try makeDocument(of: version, document, shown, settling: ending.steps)
            }
            if !conflicts.isEmpty { versions.tellFollowers(of: document.stored, in: document.folder) }
            return Outcome(stored: document.stored, isUnchanged: conflicts.isEmpty)
        }
    }

    /// One conflict is decided about: it stays a version like others.
    func settle(_ id: VersionID, of document: DocumentPlace) throws(SaveFault) -> Outcome {
        let version = try version(id, of: document)
        guard version.isUnresolved else { return Outcome(stored: document.stored, isUnchanged: true) }
        let ending = try ending(of: [version], of: document)
        defer { clear(ending) }
        try end(ending, of: document)
        return Outcome(stored: document.stored)
    }

    private func bringBack(
        _ version: DocumentVersion, to document: DocumentPlace, _ shown: Name, settling steps: [Journal.Step] = []
    ) throws(SaveFault) -> Outcome {
        let opened = try understood { () throws(DocumentFault) in try container.open(version, of: document) }
        let existing = try understood { () throws(DocumentFault) in try ExistingParts(of: .stored(document.stored), document.kind, in: document.folder, staging.folder) }
        return try withStaged(opened, document.kind, like: existing.status) { (draft) throws(SaveFault) in
            let writings = try restoring(draft, opened, existing, document, shown)
            let others = try self.others(of: opened, document.kind, instead: existing)
            return try put(draft, writings, existing, of: document, shown, over: .stored(document.stored), others, steps)
        }
    }

    private func makeDocument(of version: DocumentVersion, _ document: DocumentPlace, _ shown: Name, settling steps: [Journal.Step]) throws(SaveFault) {
        let opened = try understood { () throws(DocumentFault) in try container.open(version, of: document) }
        container.note(opened.reading, of: document.kind)
        let wanted = ShownName.make(stem: ShownName.split(shown).stem, fileExtension: opened.reading.fileExtension)
        // The other document has that name: what is shown of the new one is kept nowhere else than in what its item is called.
        let kind = document.kind.kind
        let name = kind.storedNameFollowsShown ? ShownName.unused(wanted) { isTaken($0, by: kind, in: document.folder) } : wanted
        _ = try withStaged(opened, document.kind) { (draft) throws(SaveFault) in
            let writings = try understood { () throws(DocumentFault) in
                try document.kind.kind.write(
                    content: try draft.source(), shownName: name.bytes, over: nil, spelling: container.spelling(of: document.kind))
            }
            return try put(draft, writings, nil, of: document, name, over: nil, others(of: opened, document.kind), steps)
        }
    }

    private func isTaken(_ shown: Name, by kind: any DocumentKind, in folder: OpenFile) -> Bool {
        let stored = Name(kind.storedName(forShown: shown.bytes, at: UnixMicroseconds(rawValue: 0), attempt: 0))
        return [shown, stored].contains { name in name.map { (try? folder.descriptor.exists($0)) != false } ?? true }
    }

    private func put(
        _ draft: Draft, _ writings: [PartWriting], _ existing: ExistingParts?, of document: DocumentPlace, _ shown: Name, over base: Base?,
        _ others: OtherParts, _ steps: [Journal.Step]
    ) throws(SaveFault) -> Outcome {
        let address = Address(folder: document.folder, path: document.path, shown: shown)
        let written = try done { () throws(Errno) in try draft.file.descriptor.status() }
        let coming = try document.kind.kind.flat.map { (_) throws(SaveFault) in
            try understood { () throws(DocumentFault) in try saving.flat.coming(draft, written, over: existing) }
        }
        do throws(Errno) {
            return try saving.put(
                draft, written, writings, existing, coming, at: address, over: base, others, settling: steps, removing: [], durably: true, conflict: false)
        } catch {
            saving.flat.discard(coming)
            throw .failed(error)
        }
    }

    /// What is in a version's package beside what is written comes along, and what is there now goes for it.
    private func others(of opened: ItemReader.Opened, _ kind: KindID, instead existing: ExistingParts? = nil) throws(SaveFault) -> OtherParts {
        try done { () throws(Errno) in
            guard let form = kind.form, form.flat == nil else { return OtherParts(going: existing?.others.map { [$0] } ?? []) }
            var others = OtherParts()
            if let existing { others.going = try OtherParts.ways(form, in: existing.folder) }
            guard let package = opened.package else { return others }
            do throws(Errno) {
                for way in try OtherParts.ways(form, in: package) {
                    guard let part = way.last else { continue }
                    let name = Name.staged(staging.nextNumber(), ".other")
                    others.coming.append((name, way))
                    try versions.secondTree(of: part, in: package.folder(at: way.dropLast()), as: name, in: staging.folder)
                    try ItemTree.synchronize(name, in: staging.folder)
                }
            } catch {
                for (name, _) in others.coming { try? staging.remove(name) }
                throw error
            }
            return others
        }
    }

    private func version(_ id: VersionID, of document: DocumentPlace) throws(SaveFault) -> DocumentVersion {
        let versions = try done { () throws(Errno) in try container.versions(of: document) }
        guard let version = versions.first(where: { $0.id == id }) else { throw .failed(.noSuchEntry) }
        return version
    }

    /// Runs `body` with a draft of a version's content, which is gone if it fails. The journal does not hear of it before.
    /// `present`: what the document is like that it comes back to, whose it is and who may read it. That counts where the version was theirs
    /// as well, or everybody's to read.
    private func withStaged(
        _ opened: ItemReader.Opened, _ kind: KindID, like present: FileStatus? = nil, _ body: (Draft) throws(SaveFault) -> Outcome
    ) throws(SaveFault) -> Outcome {
        let then = opened.item.status
        // Whoever exchanges names while it is restored does not get what another one's document was.
        let isTheirs = present.map { $0.owner == then.owner || then.permissions & 0o004 != 0 } ?? false, status = isTheirs ? present ?? then : then
        let draft = try done { () throws(Errno) in try drafts.stage(kind, mode: status.permissions, changed: true) }
        do throws(SaveFault) {
            try done { () throws(Errno) in
                try drafts.adoptOwner(of: status, draft)
                try drafts.copyContent(of: opened, to: draft)
            }
            return try body(draft)
        } catch {
            drafts.discard(draft)
            throw error
        }
    }

    /// The parts with a version's content. It may have had another extension then: the content is understood under that one.
    private func restoring(
        _ draft: Draft, _ opened: ItemReader.Opened, _ existing: ExistingParts, _ document: DocumentPlace, _ shown: Name
    ) throws(SaveFault) -> [PartWriting] {
        let kind = document.kind.kind
        let content = try done { () throws(Errno) in try draft.content() }
        let then = ShownName.make(stem: ShownName.split(shown).stem, fileExtension: opened.reading.fileExtension)
        let isParsed = kind.contentStart == nil && then != shown
        return try understood { () throws(DocumentFault) in
            let writings = try kind.write(
                content: content, shownName: (isParsed ? then : shown).bytes, over: existing.sources, spelling: container.spelling(of: document.kind))
            guard isParsed, case .bytes(let bytes)? = writings.first else { return writings }
            return try kind.rename([Bytes(bytes)], storedName: document.stored.bytes, to: shown.bytes, options: container.reader.options)
        }
    }

    private func done<Value>(_ body: () throws(Errno) -> Value) throws(SaveFault) -> Value {
        do throws(Errno) { return try body() } catch { throw .failed(error) }
    }

    private func understood<Value>(_ body: () throws(DocumentFault) -> Value) throws(SaveFault) -> Value {
        do throws(DocumentFault) { return try body() } catch {
            if let errno = error.errno { throw .failed(errno) }
            throw .unfit(ItemReader.sentence(of: error))
        }
    }

    // MARK: The end of a conflict

    /// The steps with which conflicts end, and what they find in staging.
    private struct Ending {
        var steps: [Journal.Step] = []
        var staged: [Name] = []
    }

    /// The document stays what it is.
    private func end(_ ending: Ending, of document: DocumentPlace) throws(SaveFault) {
        try done { () throws(Errno) in try plans.carryOut(plan(document, ending.steps)) }
        versions.tellFollowers(of: document.stored, in: document.folder)
    }

    private func clear(_ ending: Ending) { for name in ending.staged { try? staging.remove(name) } }

    private func plan(_ document: DocumentPlace, _ steps: [Journal.Step]) -> Plan {
        var plan = Plan(steps: steps)
        plan.know(document.folder, at: document.path)
        plan.know(staging.folder, at: [], of: .staging)
        return plan
    }

    private func ending(of conflicts: [DocumentVersion], of document: DocumentPlace) throws(SaveFault) -> Ending {
        var ending = Ending()
        do throws(Errno) {
            let path = document.path + [document.stored], home = try versions.makeVersionFolder(path)
            var taken = try versions.takenIDs(in: home), last: [Journal.Step] = []
            for version in conflicts {
                guard let entry = version.isKept ? version.resolved.entry : versions.freeEntry(for: version.resolved, among: &taken) else { throw .nameTooLong }
                let target = Place(top: .versions, path: path, name: entry)
                switch version.location {
                case .current: break
                case .kept(let old): ending.steps.append(.add(Place(top: .versions, path: path, name: old), target))
                case .beside(let name): ending.steps.append(.add(.item(name, in: document.path), target))
                case .inside(let parts):
                    let name = Name.staged(staging.nextNumber(), ".version")
                    ending.staged.append(name)
                    try stage(parts, of: document, as: name)
                    ending.steps.append(.add(.staged(name), target))
                    let package = Place.item(document.stored, in: document.path)
                    for part in parts.compactMap(\.self) {
                        let gone = Place.staged(Name.staged(staging.nextNumber(), ".gone"))
                        ending.steps.append(.move(package.part(part), gone))
                        last.append(.remove(gone))
                    }
                }
            }
            ending.steps += last
            return ending
        } catch {
            clear(ending)
            throw .failed(error)
        }
    }

    /// A version of a package of which only some parts were left beside the document's own.
    private func stage(_ parts: [Name?], of document: DocumentPlace, as name: Name) throws(Errno) {
        try staging.folder.descriptor.makeFolder(name, mode: 0o755)
        let target = OpenFile(try staging.folder.descriptor.open(name, [.path, .folder]))
        let package = OpenFile(try document.folder.descriptor.open(document.stored, [.path, .folder]))
        guard let form = document.kind.form else { throw .invalid }
        let names = try form.names(in: package.descriptor)
        for other in try form.otherNames(in: package.descriptor, besides: names) { try versions.secondTree(of: other, in: package, as: other, in: target) }
        for (part, own) in zip(parts, names) {
            let old = part ?? own
            guard try package.descriptor.exists(old) else { continue }
            let file = OpenFile(try package.descriptor.open(old, [.read, .nonBlocking]))
            guard try versions.secondName(for: old, file, in: package, as: own, in: target) else { throw .notSupported }
        }
    }
}
