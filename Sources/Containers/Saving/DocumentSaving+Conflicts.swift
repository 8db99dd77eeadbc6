import Documents
import LinuxFiles
import PropertyLists

// Two that changed a document at once: one of them becomes what the document is, the other one a version that
// somebody has to decide about. The newer one wins, wherever that is asked.
extension DocumentSaving {
    /// How a draft stands to what is there when it is saved.
    enum Clash {
        /// Nobody changed the document meanwhile.
        case none
        case won, lost
    }

    func clash(of draft: Draft, with existing: ExistingParts, _ base: Base?) throws(Errno) -> Clash {
        guard policy.keeps, let stamp = draft.base, let base, let content = existing.files.first ?? nil else { return .none }
        let now = try content.descriptor.status()
        guard BaseStamp(now) != stamp, try !isSame(draft, existing, base) else { return .none }
        return try VersionID(draft.file.descriptor.status().modified) >= VersionID(now.modified) ? .won : .lost
    }

    /// Both may have written the same.
    private func isSame(_ draft: Draft, _ existing: ExistingParts, _ base: Base) throws(Errno) -> Bool {
        guard let reading = try? draft.kind.kind.read(existing.sources, storedName: base.stored.bytes, options: container.reader.options),
            try reading.length == draft.length()
        else { return false }
        switch reading.content {
        case .bytes(let bytes): return try draft.file.descriptor.read(at: draft.room, count: bytes.count) == bytes
        case .range(let part, let offset, let length):
            guard existing.files.indices.contains(part), let file = existing.files[part] else { return false }
            return try file.descriptor.hasSameBytes(at: offset, as: draft.file.descriptor, at: draft.room, count: length)
        }
    }

    /// Makes a draft a version beside a document that is newer than it.
    func putAside(
        _ draft: Draft, _ writings: [PartWriting], _ existing: ExistingParts, at address: Address, _ base: Base, removing: [Place]
    ) throws(Errno) -> Name {
        let before = try draft.file.descriptor.status()
        let own = Place.staged(Name.staged(draft.number))
        var plan = Plan(number: draft.number), last = removing
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        let stored = base.stored
        if case .away(let item) = base { plan.steps.append(.add(.staged(item.staged), .item(stored, in: address.path))) }
        do throws(Errno) {
            let staged = try stageParts(writings, of: draft, like: before, existing, durably: true)
            var whole = own
            if let parts = draft.kind.kind.partNames?.compactMap(Name.init) {
                let package = OpenFile(try staging.folder.descriptor.open(own.name, [.path, .folder]))
                for (index, part) in parts.enumerated() {
                    if let place = staged[index] {
                        if place != own.part(part) { plan.steps.append(.move(place, own.part(part))) }
                    } else if let file = existing.files[index], let name = existing.names[index] {
                        try link(name, file, in: existing.folder, as: part, in: package)
                    }
                }
            } else if let place = staged.first ?? nil {
                whole = place
                if place != own { last.append(own) }
            }
            let version = DocumentVersion(
                id: VersionID(SaveMoment.ofWriting(before)), computer: HostName.current, isConflict: true, isResolved: false, location: .kept(own.name))
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
        draft.putAside()
        draft.settle(nil)
        drafts.removeStaged(draft)
        versions.tellConflict(of: address.path + [address.shown])
        return stored
    }

    private func link(_ name: Name, _ file: OpenFile, in folder: OpenFile, as part: Name, in package: OpenFile) throws(Errno) {
        do throws(Errno) {
            // What an interrupted try left.
            try package.descriptor.removeTree(part)
            guard try versions.secondName(for: name, file, in: folder, as: part, in: package) else { throw .notSupported }
        } catch { if error != .notSupported { throw error } }
    }
}
