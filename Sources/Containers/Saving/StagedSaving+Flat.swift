import Documents
import LinuxFiles
import Transactions

// What comes over a package that is shown as one flat file: such a package is replaced whole, as a save of the flat file
// does it. Its parts have no order in which it is the old one until the last of them is there.
extension StagedSaving {
    /// The old folder goes, and the new one comes. The old one is the version, as it is; parts that an app has not touched
    /// are second names in the new one.
    func replaceWhole(
        _ coming: Coming, _ author: Author, _ existing: Existing, _ flat: FlatPackage, _ old: FileStatus,
        isConflict: Bool, _ target: ItemPlace, _ plan: inout Plan
    ) throws(Errno) -> Outcome {
        let away = Name.staged(staging.nextNumber(), ".version")
        let version = DocumentVersion(
            existing.parts.provenance(of: flat.folder, flat.status), isConflict: isConflict, location: .kept(away))
        let staged = StagedVersion(staged: away, version: version, path: target.path + [existing.shown])
        let isKept = policy.keeps || isConflict
        let step = isKept ? try versions.keepingStep(staged, of: target.stored, in: target.path) : nil
        let new = OpenFile(try coming.folder.descriptor.open(coming.name, [.read, .folder]))
        if author.isDressed { try keepOwner(of: new, old) } else {
            let flags: OpenFlags = [.read, .folder]
            let before = OpenFile(try target.folder.descriptor.openUntraced(target.stored, flags))
            try keepCopies(of: before, in: new)
            try dressFolder(new, like: before)
        }
        try ItemTree.synchronize(coming.name, in: coming.folder)
        plan.steps = coming.first
        plan.steps += [.move(target.place, .staged(away)), .add(.staged(coming.own), target.place)]
        if let step { plan.steps.append(step) } else { plan.discarded.append(away) }
        try plans.carryOut(plan)
        if isConflict { versions.tellConflict(of: target.path + [existing.shown]) }
        return Outcome(stored: target.stored, current: isConflict ? .mine : nil, kept: step == nil ? nil : version.id)
    }

    private func keepOwner(of folder: OpenFile, _ old: FileStatus) throws(Errno) {
        var status = try folder.descriptor.status()
        guard status.owner != old.owner || status.group != old.group else { return }
        (status.owner, status.group) = (old.owner, old.group)
        try attributes.dress(folder.descriptor, like: status, [])
    }

    /// Copies of parts that a sync tool has left stay until a person has decided about them. The app knows nothing of
    /// them.
    private func keepCopies(of old: OpenFile, in new: OpenFile) throws(Errno) {
        for name in try Container.names(in: old.descriptor) where Container.copiedItem(by: name) != nil {
            guard try !new.descriptor.exists(name), try old.descriptor.status(of: name).type == .regular
            else { continue }
            let file = OpenFile(try old.descriptor.openUntraced(name, [.read, .nonBlocking]))
            _ = try versions.secondName(for: name, file, in: old, as: name, in: new)
        }
    }

    /// What an app writes has the permissions, owner and attributes of what it replaces, in each folder of the package.
    private func dressFolder(_ new: OpenFile, like old: OpenFile, depth: Int = 0) throws(Errno) {
        guard depth < ItemTree.deepest else { throw .nameTooLong }
        for name in try Container.names(in: new.descriptor) {
            guard let there = try old.descriptor.statusIfThere(name) else { continue }
            let come = try new.descriptor.status(of: name)
            guard come.type == there.type, come.identity != there.identity else { continue }
            switch come.type {
            case .regular:
                let file = OpenFile(try old.descriptor.openUntraced(name, [.read, .nonBlocking]))
                try dress(name, in: new, like: there, file, false)
            case .folder:
                let inner = OpenFile(try new.descriptor.open(name, [.read, .folder]))
                let other = OpenFile(try old.descriptor.openUntraced(name, [.read, .folder]))
                try dressFolder(inner, like: other, depth: depth + 1)
            default: break
            }
        }
        let now = try new.descriptor.status()
        var status = try old.descriptor.status()
        (status.accessed, status.modified) = (now.accessed, now.modified)
        try attributes.dress(new.descriptor, like: status, [old])
    }
}
