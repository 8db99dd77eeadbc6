import Documents
import Glibc
import LinuxFiles
import PropertyLists

/// Where a document belongs: its folder, open and by its names, and the name it is shown under there.
public struct Address: Sendable {
    public let folder: OpenFile
    /// The folder's names, from the documents on: for the journal.
    public let path: [Name]
    public let shown: Name

    public init(folder: OpenFile, path: [Name], shown: Name) {
        self.folder = folder
        self.path = path
        self.shown = shown
    }
}

/// The document that a save replaces: in its place, or put away a moment ago.
public enum Base: Sendable {
    case stored(Name)
    case away(AwayItem)
}

extension Base {
    /// The stored name that it has, or had.
    public var stored: Name {
        switch self {
        case .stored(let name): name
        case .away(let item): item.stored
        }
    }
}

/// A document whose name is gone and which is remembered for a while, in case the name comes back.
public struct AwayItem: Sendable {
    public let number: UInt64
    public let kind: KindID
    /// Its stored name, which it gets back, and the folder's names that it was in.
    public let stored: Name
    let path: [Name]

    var staged: Name { Self.staged(number) }
    static func staged(_ number: UInt64) -> Name { Workshop.stagedName(number, ".away") }
}

/// Why something was not saved.
public enum SaveFault: Error, Sendable {
    /// The content is not what the name says.
    case unfit(String)
    case failed(Errno)
}

extension Workshop {
    // MARK: Drafts

    /// A draft of a new document, empty. `base` is one that had this name a moment ago.
    /// `owner` is whose it is to be, where this process may give files away (root).
    public func newDraft(
        _ kind: KindID, at address: Address, mode: UInt32, base: Base? = nil, from stamp: BaseStamp? = nil,
        owner: (user: UInt32, group: UInt32)? = nil
    ) throws(Errno) -> Draft {
        let draft = try stage(kind, mode: mode, changed: true)
        draft.begin(from: stamp ?? base.flatMap { state(of: $0, kind, in: address.folder) })
        do throws(Errno) {
            if let owner { try give(draft, to: owner.user, owner.group) }
            try record(draft, at: address, base: base)
        } catch {
            discard(draft)
            throw error
        }
        return draft
    }

    /// A draft of an existing document: with its content, or empty where that is to be written anew.
    /// `stamp` is what somebody began from who writes it anew; otherwise it begins from what is there.
    public func draft(
        of opened: ItemReader.Opened, at address: Address, stored: Name, keepingContent: Bool, from stamp: BaseStamp? = nil
    ) throws(Errno) -> Draft {
        guard let document = opened.item.document else { throw .invalid }
        let draft = try stage(document.kind, mode: opened.item.status.permissions, changed: !keepingContent)
        if policy.keeps { draft.begin(from: keepingContent ? BaseStamp(opened.content) : stamp ?? BaseStamp(opened.content)) }
        do throws(Errno) {
            try adoptOwner(of: opened.item.status, draft)
            if keepingContent { try copyContent(of: opened, to: draft) }
            // What is cut when it is opened is changed, whether anything is written then or not.
            if keepingContent { try draft.file.descriptor.setTimes(accessed: .at(opened.item.status.accessed), modified: .at(opened.item.status.modified)) }
            try record(draft, at: address, base: .stored(stored))
        } catch {
            discard(draft)
            throw error
        }
        return draft
    }

    /// A draft made of a plain file's content: what was written under another name and then given a document's.
    /// The journal does not hear of it: until it is saved, the plain file is there and has everything.
    public func draft(_ kind: KindID, ofContent file: borrowing Descriptor, startingAt start: Int64 = 0, from stamp: BaseStamp? = nil) throws(Errno) -> Draft {
        let status = try file.status()
        return try draft(kind, like: status, from: stamp) { (draft) throws(Errno) in
            try file.copyAll(from: start, count: max(0, status.size - start), to: draft.file.descriptor, at: draft.room)
            try Self.give(try Self.userAttributes(of: file), to: draft.file.descriptor)
        }
    }

    /// The same of a document's content, for one of another kind.
    func draft(_ kind: KindID, of opened: ItemReader.Opened) throws(Errno) -> Draft {
        try draft(kind, like: opened.item.status) { (draft) throws(Errno) in try copyContent(of: opened, to: draft) }
    }

    private func draft(_ kind: KindID, like status: FileStatus, from stamp: BaseStamp? = nil, _ fill: (Draft) throws(Errno) -> Void) throws(Errno) -> Draft {
        let draft = try stage(kind, mode: status.permissions, changed: true)
        draft.begin(from: stamp)
        do throws(Errno) {
            try adoptOwner(of: status, draft)
            try fill(draft)
            try draft.file.descriptor.setTimes(accessed: .at(status.accessed), modified: .at(status.modified))
        } catch {
            discard(draft)
            throw error
        }
        return draft
    }

    /// A draft of a document whose name is gone: for those who still have it open, and saved by nobody.
    public func scratch(_ kind: KindID) throws(Errno) -> Draft {
        let name = Self.stagedName(nextNumber())
        let file = OpenFile(try staging.descriptor.open(name, [.readWrite, .create, .exclusive], mode: 0o600))
        try staging.descriptor.unlink(name)
        return Draft(number: 0, kind: kind, file: file, room: 0, changed: false)
    }

    /// Writes down what a draft is a draft of.
    public func record(_ draft: Draft, at address: Address, base: Base?) throws(Errno) {
        try journal.append(.draft(DraftRecord(DraftPlace(draft: draft, address: address, base: base))))
    }

    /// A draft whose bytes are on the store is found there after a power cut.
    public func synchronizePlace(of draft: Draft) throws(Errno) {
        try journal.synchronize()
        if draft.kind.kind.partNames != nil {
            try staging.descriptor.open(Self.stagedName(draft.number), [.read, .folder]).synchronize()
        }
        try staging.descriptor.reopened([.read, .folder]).synchronize()
        draft.noteSynchronized()
    }

    /// A document that was saved is on the store, and found there after a power cut; one that is gone by now need not be.
    public func synchronize(_ stored: Name, _ kind: KindID, in folder: OpenFile) throws(Errno) {
        // What was moved out of the container since it was opened cannot be reached: what has its name now is looked at.
        for _ in 1...Self.mostTries {
            do throws(Errno) { return try synchronizeNow(stored, kind, in: folder) } catch { guard error == .accessDenied else { throw error } }
        }
        try synchronizeNow(stored, kind, in: folder)
    }

    private func synchronizeNow(_ stored: Name, _ kind: KindID, in folder: OpenFile) throws(Errno) {
        do throws(Errno) {
            if let parts = kind.kind.partNames {
                let package = OpenFile(try folder.descriptor.open(stored, [.read, .folder]))
                for part in parts { try Self.optional(part, in: package)?.descriptor.synchronize() }
                try package.descriptor.synchronize()
            } else {
                try folder.descriptor.open(stored, [.read, .nonBlocking]).synchronize()
            }
            try folder.descriptor.reopened([.read, .folder]).synchronize()
        } catch { if error != .noSuchEntry { throw error } }
    }

    /// Writes down whether all that was written to a draft is in it.
    public func noteWholeness(of draft: Draft) { journal.conclude(draft.isIncomplete ? .incomplete(draft.number) : .complete(draft.number)) }

    /// Throws a draft away.
    public func discard(_ draft: Draft) {
        removeStaged(draft)
        journal.conclude(.ended(draft.number))
    }

    func stage(_ kind: KindID, mode: UInt32, changed: Bool) throws(Errno) -> Draft {
        let number = nextNumber()
        let name = Self.stagedName(number)
        let flags: OpenFlags = [.readWrite, .create, .exclusive]
        let file: OpenFile
        do throws(Errno) {
            if let part = kind.kind.partNames?.first.flatMap(Name.init) {
                try staging.descriptor.makeFolder(name, mode: Self.packageMode(for: mode))
                file = OpenFile(try staging.descriptor.open(name, [.path, .folder]).open(part, flags, mode: mode & 0o666 | 0o600))
            } else {
                file = OpenFile(try staging.descriptor.open(name, flags, mode: mode & 0o666 | 0o600))
            }
            if mode & 0o666 != mode & 0o666 | 0o600 { try store.setPermissions(mode & 0o666, of: file.descriptor) }
        } catch {
            if error != .exists { try? removeTree(name, in: staging.descriptor) }
            throw error
        }
        return Draft(number: number, kind: kind, file: file, room: kind.kind.room ?? 0, changed: changed)
    }

    /// A folder may be entered by whoever may read what is in it.
    public static func packageMode(for mode: UInt32) -> UInt32 {
        let readable = mode & 0o444
        return 0o700 | readable | readable >> 2 | mode & 0o222
    }

    func adoptOwner(of status: FileStatus, _ draft: Draft) throws(Errno) {
        try give(draft, to: status.owner, status.group)
        if try draft.file.descriptor.status().permissions != status.permissions & 0o666 {
            try store.setPermissions(status.permissions & 0o666, of: draft.file.descriptor)
        }
    }

    /// The draft and, of a package, the folder belong to somebody. Staging itself is for this process alone.
    private func give(_ draft: Draft, to user: UInt32, _ group: UInt32) throws(Errno) {
        guard geteuid() == 0 else { return }
        let now = try draft.file.descriptor.status()
        guard now.owner != user || now.group != group else { return }
        try store.setOwner(user, group: group, of: draft.file.descriptor)
        guard draft.kind.kind.partNames != nil else { return }
        try store.setOwner(user, group: group, of: try staging.descriptor.open(Self.stagedName(draft.number), [.path, .folder]))
    }

    func copyContent(of opened: ItemReader.Opened, to draft: Draft) throws(Errno) {
        switch opened.reading.content {
        case .bytes(let bytes): try draft.file.descriptor.write(bytes, at: draft.room)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let source = opened.parts[part] else { throw .inputOutput }
            if offset == draft.room {
                // The same layout: the store may share the blocks instead of copying them.
                do throws(Errno) {
                    try draft.file.descriptor.shareContent(of: source.descriptor)
                    return try draft.file.descriptor.truncate(to: offset + length)
                } catch { guard [.notSupported, .crossDevice, .invalid, .notImplemented, Errno(rawValue: ENOTTY)].contains(error) else { throw error } }
            }
            try source.descriptor.copyAll(from: offset, count: length, to: draft.file.descriptor, at: draft.room)
        }
    }

    func removeStaged(_ draft: Draft) {
        try? removeTree(Self.stagedName(draft.number), in: staging.descriptor)
    }

    // MARK: Saving

    /// Puts a draft in its place as a document, wholly or not at all. Returns the stored name it has then.
    /// After that the draft's file may be the document's own, and must not be written any more.
    /// `removing` are plain files, in the documents, that go when the document is there: what it was made of.
    /// `ending` is another draft of the document, which is of no account any more.
    public func save(
        _ draft: Draft, at address: Address, over base: Base?, removing: [(path: [Name], name: Name)] = [], ending: Draft? = nil,
        durably: Bool = false
    ) throws(SaveFault) -> Name {
        for _ in 1...Self.mostTries {
            do throws(SaveFault) { return try saveOnce(draft, at: address, over: base, removing: removing, ending: ending, durably: durably) } catch {
                // Somebody else took the document away in the middle of it, and may put it back and take it away again. What was taken
                // out of the container cannot be reached any more.
                guard case .failed(let errno) = error, [.noSuchEntry, .accessDenied].contains(errno), base != nil else { throw error }
            }
        }
        return try saveOnce(draft, at: address, over: base, removing: removing, ending: ending, durably: durably)
    }

    private static let mostTries = 8

    private func saveOnce(
        _ draft: Draft, at address: Address, over base: Base?, removing: [(path: [Name], name: Name)], ending: Draft?, durably: Bool
    ) throws(SaveFault) -> Name {
        let existing: ExistingParts?, writings: [PartWriting]
        var base = isGone(base, in: address.folder) ? nil : base, ending = ending.map { [Place.staged(Self.stagedName($0.number))] } ?? []
        if case .away(let item) = base, isMadeAnew(item, at: address) {
            if draft.base == nil { draft.begin(from: state(of: .away(item), draft.kind, in: address.folder)) }
            base = .stored(item.stored)
            ending.append(.staged(item.staged))
        }
        do throws(DocumentFault) {
            existing = try base.map { (base) throws(DocumentFault) in try parts(of: base, draft.kind, in: address.folder) }
            writings = try draft.kind.kind.write(
                content: try Self.content(of: draft), shownName: address.shown.bytes, over: existing?.sources,
                spelling: container.spelling(of: draft.kind))
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
                do throws(Errno) { return try putAside(draft, writings, existing, at: address, base, removing: places) } catch {
                    // What had been deleted cannot come back where somebody else made a new one: then this one is new as well.
                    guard error == .exists, case .away = base else { throw error }
                }
            }
            return try put(
                draft, writings, existing, at: address, over: base, removing: places, durably: durably || base != nil, conflict: clash == .won)
        } catch { throw .failed(error) }
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

    /// The state of the document that a draft is to replace.
    private func state(of base: Base, _ kind: KindID, in folder: OpenFile) -> BaseStamp? {
        guard policy.keeps, let content = try? parts(of: base, kind, in: folder).files.first ?? nil else { return nil }
        return (try? content.descriptor.status()).map(BaseStamp.init)
    }

    static func content(of draft: Draft) throws(DocumentFault) -> any ByteSource {
        do throws(Errno) { return try draft.content() } catch { throw .unreadable(error.rawValue) }
    }
}
