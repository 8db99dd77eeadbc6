import Documents
import LinuxFiles
import Transactions

// A draft's save against whatever else changed the document since the draft began: one of the two becomes what the document is, the
// other one a version that somebody has to decide about. What two computers changed at once is seen in Replication (`ItemVersions`).
extension DocumentSaving {
    func clash(of draft: Draft, with existing: ExistingParts, _ base: Base?) throws(Errno) -> Clash {
        guard let stamp = draft.base, let base, let now = existing.status else { return .none }
        return try Clash(
            .newerWins, since: stamp, now: now, keepsVersions: policy.keeps,
            written: { () throws(Errno) in try draft.file.descriptor.status().modified },
            isSame: { () throws(Errno) in
                guard let theirs = existing.shownContent(of: draft.kind, called: base.stored, container.reader.options) else { return false }
                return try ShownContent(of: draft).isSame(as: theirs)
            })
    }

    /// Makes a draft a version beside a document that is newer than it.
    func putAside(
        _ draft: Draft, _ writings: [PartWriting], _ existing: ExistingParts, _ coming: FlatSaving.Coming? = nil, at address: Address, _ base: Base,
        removing: [Place]
    ) throws(Errno) -> Outcome {
        let before = try draft.file.descriptor.status()
        if let coming { return try flat.putAside(draft, before, coming, existing, at: address, base, removing: removing) }
        let own = Place.staged(Name.staged(draft.number))
        var plan = Plan(number: draft.number), last = removing
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        let stored = base.stored, version = DocumentVersion(Provenance(ofWriting: before), isConflict: true, location: .kept(own.name))
        if case .away(let item) = base { plan.steps.append(.add(.staged(item.staged), .item(stored, in: address.path))) }
        do throws(Errno) {
            let staged = try stageParts(writings, of: draft, like: before, existing, durably: true).places
            var whole = own
            if draft.kind.isPackage {
                let package = OpenFile(try staging.folder.descriptor.open(own.name, [.path, .folder]))
                let inside = own.part(existing.way)
                for (index, part) in existing.names.enumerated() {
                    if let place = staged[index] {
                        if place != inside.part(part) { plan.steps.append(.move(place, inside.part(part))) }
                    } else if let file = existing.files[index] {
                        try link(part, file, in: existing.folder, in: package)
                    }
                }
                for part in existing.others {
                    if part == existing.way.first, let content = draft.kind.draftPart {
                        // The draft lies in it already.
                        let way = existing.way.dropFirst() + [content]
                        try versions.secondTree(of: part, in: existing.folder, in: package, keeping: way)
                        continue
                    }
                    try package.descriptor.removeTree(part)
                    try versions.secondTree(of: part, in: existing.folder, as: part, in: package)
                }
            } else if let place = staged.first ?? nil {
                whole = place
                if place != own { last.append(own) }
            }
            guard let step = try versions.keepingStep(StagedVersion(staged: whole.name, version: version, path: address.path + [address.shown]), of: stored, in: address.path) else { throw .noSpace }
            plan.steps += [step] + last.map(Journal.Step.remove)
            try plans.carryOut(plan)
        } catch {
            try? draft.file.descriptor.truncate(to: before.size)
            try? draft.file.descriptor.setTimes(accessed: .at(before.accessed), modified: .at(before.modified))
            journal.conclude(.unsealed(draft.number))
            for index in writings.indices { try? staging.remove(partName(index, of: draft)) }
            throw error
        }
        draft.settle(nil)
        drafts.removeStaged(draft)
        versions.tellConflict(of: address.path + [address.shown])
        versions.tellFollowers(of: stored, in: address.folder)
        return Outcome(stored: stored, current: .theirs, kept: version.id)
    }

    private func link(_ part: Name, _ file: OpenFile, in folder: OpenFile, in package: OpenFile) throws(Errno) {
        do throws(Errno) {
            // What an interrupted try left.
            try package.descriptor.removeTree(part)
            guard try versions.secondName(for: part, file, in: folder, as: part, in: package) else { throw .notSupported }
        } catch { if error != .notSupported { throw error } }
    }
}
