import Documents
import Glibc
import LinuxFiles
import PropertyLists

// How the parts of a document that was written come to their place.
extension Workshop {
    /// The parts of the document that a save replaces, open.
    struct ExistingParts {
        let files: [OpenFile?]
        let sources: [(any ByteSource)?]
        /// The package's folder, or the one that the file is in, and the names of the parts in it.
        let folder: OpenFile
        let names: [Name?]
    }

    func parts(of base: Base, _ kind: KindID, in folder: OpenFile) throws(DocumentFault) -> ExistingParts {
        let (home, name) = home(of: base, in: folder)
        do throws(Errno) {
            guard let partNames = kind.kind.partNames else {
                let file = OpenFile(try home.descriptor.open(name, [.read, .nonBlocking]))
                return ExistingParts(files: [file], sources: [try Self.source(file)], folder: home, names: [name])
            }
            let package = OpenFile(try home.descriptor.open(name, [.path, .folder]))
            var files: [OpenFile?] = []
            for part in partNames { files.append(try Self.optional(part, in: package)) }
            let sources = try files.map { (file) throws(Errno) in try file.map { (file) throws(Errno) in try Self.source(file) } }
            return ExistingParts(files: files, sources: sources, folder: package, names: partNames.map(Name.init))
        } catch { throw .unreadable(error.rawValue) }
    }

    private static func source(_ file: OpenFile) throws(Errno) -> any ByteSource {
        let status = try file.descriptor.status()
        guard status.type == .regular else { throw .invalid }
        return FileSource(file, byteCount: status.size)
    }

    static func optional(_ part: String, in package: OpenFile) throws(Errno) -> OpenFile? {
        guard let name = Name(part) else { return nil }
        do throws(Errno) { return OpenFile(try package.descriptor.open(name, [.read, .nonBlocking])) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }

    private func home(of base: Base, in folder: OpenFile) -> (OpenFile, Name) {
        switch base {
        case .stored(let name): (folder, name)
        case .away(let item): (staging, item.staged)
        }
    }

    /// Puts the parts of a saved draft in their place. `settling` is what happens with it, or not at all; `removing` is
    /// what goes when the document is there.
    func put(
        _ draft: Draft, _ writings: [PartWriting], _ existing: ExistingParts?, at address: Address, over base: Base?,
        settling: [Journal.Step] = [], removing: [Place], durably: Bool, conflict: Bool
    ) throws(Errno) -> Name {
        let before = try draft.file.descriptor.status()
        var plan = Plan(number: draft.number)
        // Content that was parsed leaves the draft behind: it goes with the same plan, or a crash between the two
        // would save it once more.
        var removing = removing
        if draft.kind.kind.room == nil { removing.append(.staged(Self.stagedName(draft.number))) }
        // A package that was put away comes back itself; of a file, the content comes back in a new one.
        if case .away(let item) = base, draft.kind.kind.partNames == nil { removing.append(.staged(item.staged)) }
        let last = settling + removing.map(Journal.Step.remove)
        plan.know(address.folder, at: address.path)
        plan.know(staging, at: [], of: .staging)
        var kept: StagedVersion?
        do throws(Errno) {
            // Of a draft that is on the store already, the document must be too.
            let staged = try stageParts(writings, of: draft, like: before, existing, durably: durably || draft.isSynchronized)
            if let existing { kept = try stageVersion(of: existing.files, called: existing.names, in: existing.folder, draft.kind, conflict: conflict) }
            let stored: Name
            if let partNames = draft.kind.kind.partNames {
                stored = try putPackage(staged, partNames.compactMap(Name.init), draft, existing, kept, at: address, over: base, last, &plan)
            } else {
                stored = try putFile(staged, draft, kept, at: address, over: base, last, &plan)
            }
            // From here on it is the document, whatever fails.
            draft.settle(nil)
            removeStaged(draft)
            return stored
        } catch {
            // What was written around the content comes off again: it is a draft as it was before.
            try? draft.file.descriptor.truncate(to: before.size)
            try? draft.file.descriptor.setTimes(accessed: .at(before.accessed), modified: .at(before.modified))
            journal.conclude(.unsealed(draft.number))
            for index in writings.indices { try? removeTree(partName(index, of: draft), in: staging.descriptor) }
            if let kept { try? removeTree(kept.staged, in: staging.descriptor) }
            throw error
        }
    }

    func partName(_ index: Int, of draft: Draft) -> Name {
        Name("\(draft.number).part\(index)") ?? Self.stagedName(draft.number)
    }

    /// Writes the parts that change into staging: where each lies then, nil for one that stays.
    func stageParts(
        _ writings: [PartWriting], of draft: Draft, like status: FileStatus, _ existing: ExistingParts?, durably: Bool
    ) throws(Errno) -> [Place?] {
        if draft.kind.kind.partNames != nil {
            // What is shown as a package's attributes are its folder's. Those that its content had are not shown.
            let package = if let existing { existing.folder } else { OpenFile(try staging.descriptor.open(Self.stagedName(draft.number), [.path, .folder])) }
            var old: [[UInt8]: [UInt8]] = [:]
            if let content = existing?.files.first ?? nil { old = try Self.userAttributes(of: content.descriptor) }
            for (name, value) in try Self.userAttributes(of: draft.file.descriptor) where old[name] != value {
                try package.descriptor.setExtendedAttribute(name, to: value)
            }
        }
        var places: [Place?] = []
        for (index, writing) in writings.enumerated() {
            let old = existing.flatMap { $0.files.indices.contains(index) ? $0.files[index] : nil }
            switch writing {
            case .keep: places.append(nil)
            case .bytes(let bytes):
                let name = partName(index, of: draft)
                let file = try stageFile(name)
                try file.write(bytes, at: 0)
                try dress(file, like: status, index == 0 ? [old, draft.file] : [old])
                if durably { try file.synchronize() }
                places.append(.staged(name))
            case .around(let head, let tail):
                if !tail.isEmpty { try journal.append(.sealed(draft.number, max(0, status.size - draft.room))) }
                if !head.isEmpty { try draft.file.descriptor.write(head, at: 0) }
                if !tail.isEmpty { try draft.file.descriptor.write(tail, at: max(status.size, Int64(head.count))) }
                try dress(draft.file.descriptor, like: status, [old, draft.file])
                if durably { try draft.file.descriptor.synchronize() }
                let name = Self.stagedName(draft.number)
                let part = draft.kind.kind.partNames?.first.flatMap(Name.init)
                places.append(part.map { Place.staged(name).part($0) } ?? .staged(name))
            }
        }
        return places
    }

    /// Gives a new file what belongs to the document and not to its bytes: permissions, owner, times, and the
    /// extended attributes of the files that it takes the place of, the last one's first.
    func dress(_ file: borrowing Descriptor, like status: FileStatus, _ holders: [OpenFile?]) throws(Errno) {
        var attributes: [[UInt8]: [UInt8]] = [:]
        for holder in holders { if let holder { attributes.merge(try Self.userAttributes(of: holder.descriptor)) { $1 } } }
        var now = try file.status()
        if geteuid() == 0, now.owner != status.owner || now.group != status.group {
            try store.setOwner(status.owner, group: status.group, of: file)
            now = try file.status()
        }
        try Self.give(attributes, to: file)
        if now.permissions != status.permissions { try store.setPermissions(status.permissions, of: file) }
        try file.setTimes(accessed: .at(status.accessed), modified: .at(status.modified))
    }

    static func give(_ attributes: [[UInt8]: [UInt8]], to file: borrowing Descriptor) throws(Errno) {
        guard !attributes.isEmpty else { return }
        // Attributes are written like content: the permission for it is needed once more.
        let permissions = try file.status().permissions, isClosed = permissions & 0o200 == 0
        if isClosed { try file.setPermissions(permissions | 0o200) }
        for (name, value) in attributes { try file.setExtendedAttribute(name, to: value) }
        if isClosed { try file.setPermissions(permissions) }
    }

    static func userAttributes(of file: borrowing Descriptor) throws(Errno) -> [[UInt8]: [UInt8]] {
        do throws(Errno) {
            var found: [[UInt8]: [UInt8]] = [:]
            for name in try file.extendedAttributeNames() where name.starts(with: Array("user.".utf8)) {
                found[name] = try file.extendedAttribute(name)
            }
            return found
        } catch {
            guard error == .notSupported else { throw error }
            return [:]
        }
    }

    private func putFile(
        _ staged: [Place?], _ draft: Draft, _ kept: StagedVersion?, at address: Address, over base: Base?, _ last: [Journal.Step], _ plan: inout Plan
    ) throws(Errno) -> Name {
        guard let place = staged.first ?? nil else { throw .invalid }
        if case .stored(let stored) = base {
            plan.steps = try keeping(kept, of: stored, address) + [.move(place, .item(stored, in: address.path))] + last
            try carryOut(plan)
            return stored
        }
        return try add([], place, kept, draft.kind, at: address, over: base, last, &plan)
    }

    /// The content comes last: until then the document is the old one, whole.
    private func putPackage(
        _ staged: [Place?], _ parts: [Name], _ draft: Draft, _ existing: ExistingParts?, _ kept: StagedVersion?, at address: Address,
        over base: Base?, _ last: [Journal.Step], _ plan: inout Plan
    ) throws(Errno) -> Name {
        let package: Place =
            switch base {
            case .stored(let stored): .item(stored, in: address.path)
            case .away(let item): .staged(item.staged)
            case nil: .staged(Self.stagedName(draft.number))
            }
        let own = Place.staged(Self.stagedName(draft.number))
        let steps = zip(staged, parts).reversed().compactMap { place, part -> Journal.Step? in
            // The draft's own content is in its own package already.
            guard let place, !(base == nil && place == own.part(part)) else { return nil }
            return .move(place, package.part(part))
        }
        if let existing { plan.know(existing.folder, at: package.path + [package.name], of: package.top) }
        if case .stored(let stored) = base {
            plan.steps = try keeping(kept, of: stored, address) + steps + last
            try carryOut(plan)
            return stored
        }
        return try add(steps, package, kept, draft.kind, at: address, over: base, last, &plan)
    }

    /// Gives a new item, after the steps that make it whole, the name that the app would give it, or the next one that is free.
    private func add(
        _ steps: [Journal.Step], _ place: Place, _ kept: StagedVersion?, _ kind: KindID, at address: Address, over base: Base?,
        _ last: [Journal.Step], _ plan: inout Plan
    ) throws(Errno) -> Name {
        var remembered: Name?
        if case .away(let item) = base { remembered = item.stored }
        var attempt = 0
        while true {
            let stored: Name
            if let remembered { stored = remembered } else { stored = try newStoredName(kind, for: address.shown, attempt) }
            do throws(Errno) {
                // Names that are taken are the rule for " 1", " 2", …: no plan is made for them.
                if try address.folder.descriptor.exists(stored) { throw .exists }
                (plan.names, plan.nameless, plan.discarded) = ([], [], [])
                plan.steps = try keeping(kept, of: stored, address) + steps + [.add(place, .item(stored, in: address.path))]
                try keepName(address.shown, kind, at: .item(stored, in: address.path), &plan)
                plan.steps += last
                try carryOut(plan)
                return stored
            } catch {
                guard error == .exists, attempt < 10_000 else { throw error }
                if remembered == nil { attempt += 1 }
                remembered = nil
            }
        }
    }

    private func keeping(_ kept: StagedVersion?, of stored: Name, _ address: Address) throws(Errno) -> [Journal.Step] {
        guard let kept, let step = try keepingStep(kept, of: stored, in: address.path) else { return [] }
        return [step]
    }

    func newStoredName(_ kind: KindID, for shown: Name, _ attempt: Int) throws(Errno) -> Name {
        let now = Timestamp.now
        let time = UnixMicroseconds(rawValue: now.seconds &* 1_000_000 &+ Int64(now.nanoseconds / 1000))
        guard let name = Name(kind.kind.storedName(forShown: shown.bytes, at: time, attempt: attempt)) else { throw .nameTooLong }
        return name
    }
}

extension Base: Equatable {
    public static func == (left: Base, right: Base) -> Bool {
        switch (left, right) {
        case (.stored(let left), .stored(let right)): left == right
        case (.away(let left), .away(let right)): left.number == right.number
        default: false
        }
    }
}
