import LinuxFiles

/// A change as a list of renames and removals. One of them is atomic by itself; several are written into the journal first.
struct Plan {
    /// The draft that the plan makes an end of: the journal then knows of the one or of the other.
    var number: UInt64?
    var steps: [Journal.Step] = []
    /// Folders that are open already, so that they need not be looked for.
    var folders: [Key: OpenFile] = [:]

    struct Key: Hashable {
        let top: Place.Top
        let path: [Name]
    }

    mutating func know(_ folder: OpenFile, at path: [Name], of top: Place.Top = .documents) {
        folders[Key(top: top, path: path)] = folder
    }
}

extension Workshop {
    /// Carries out a plan, wholly or, as far as it can be undone, not at all.
    func carryOut(_ plan: Plan) throws(Errno) {
        let number = plan.steps.count > 1 ? plan.number ?? nextNumber() : nil
        if let number { try journal.append(.intent(number, plan.steps)) }
        var done: [Journal.Step] = []
        do throws(Errno) {
            for step in plan.steps {
                try perform(step, plan, again: false)
                done.append(step)
            }
        } catch {
            for step in done.reversed() { undo(step, plan) }
            if let number { try? journal.append(.ended(number)) }
            throw error
        }
        if let number { try journal.append(.ended(number)) }
    }

    /// Carries out what is left of a plan that was interrupted: a step whose source is gone was done,
    /// and so was one that moves something into staging where it is already.
    func finish(_ steps: [Journal.Step]) throws(Errno) {
        for step in steps {
            do throws(Errno) { try perform(step, Plan(), again: true) } catch {
                // Its folder or its source is gone: somebody else went on from there.
                guard [.noSuchEntry, .notDirectory, .exists].contains(error) else { throw error }
            }
        }
    }

    private func perform(_ step: Journal.Step, _ plan: Plan, again: Bool) throws(Errno) {
        switch step {
        case .move(let from, let to), .add(let from, let to):
            let source = try folder(of: from, plan), target = try folder(of: to, plan)
            if again, to.top == .staging, try target.descriptor.exists(to.name) { return }
            var flags: RenameFlags = []
            if case .add = step { flags = .exclusive }
            try source.descriptor.rename(from.name, to: target.descriptor, as: to.name, flags)
        case .remove(let place):
            try folder(of: place, plan).descriptor.unlink(place.name)
        }
    }

    /// Takes a step back where nothing was lost by it. What replaced something stays: the new content is whole.
    private func undo(_ step: Journal.Step, _ plan: Plan) {
        guard case .add(let from, let to) = step, let source = try? folder(of: from, plan), let target = try? folder(of: to, plan) else { return }
        try? target.descriptor.rename(to.name, to: source.descriptor, as: from.name, .exclusive)
    }

    private func folder(of place: Place, _ plan: Plan) throws(Errno) -> OpenFile {
        if let known = plan.folders[Plan.Key(top: place.top, path: place.path)] { return known }
        var folder = place.top == .staging ? staging : container.documents
        for name in place.path { folder = OpenFile(try folder.descriptor.open(name, [.path, .folder])) }
        return folder
    }

    /// Removes a file, or a folder with all that is in it. Symbolic links are removed, not followed.
    func removeTree(_ name: Name, in folder: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { return try folder.unlink(name) } catch {
            if error == .noSuchEntry { return }
            guard error == .isDirectory || error == .notPermitted else { throw error }
        }
        let inner = try folder.open(name, [.path, .folder])
        var entries = try FolderReader(inner)
        while let entry = try entries.next() { try removeTree(entry.name, in: inner) }
        try folder.removeFolder(name)
    }
}
