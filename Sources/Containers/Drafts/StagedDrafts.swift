import Documents
import Glibc
import LinuxFiles
import PropertyLists
import Transactions

/// Drafts in staging: made, written down in the journal, and thrown away.
final class StagedDrafts: Sendable {
    private let staging: Staging
    private let store: Store
    private let policy: VersionPolicy
    private let journal: Journal

    init(staging: Staging, store: Store, policy: VersionPolicy, journal: Journal) {
        (self.staging, self.store, self.policy, self.journal) = (staging, store, policy, journal)
    }

    /// A draft of a new document, empty. `base` is one that had this name a moment ago.
    /// `owner` is whose it is to be, where this process may give files away (root). With it, what is shown of it.
    func newDraft(
        _ kind: KindID, at address: Address, mode: UInt32, base: Base? = nil, from stamp: BaseStamp? = nil,
        owner: (user: UInt32, group: UInt32)? = nil
    ) throws(Errno) -> (draft: Draft, status: FileStatus) {
        let draft = try stage(kind, mode: mode, changed: true)
        draft.begin(from: stamp ?? base.flatMap { state(of: $0, kind, in: address.folder) })
        do throws(Errno) {
            let (found, made) = try draft.file.descriptor.statusAndBirth()
            draft.noteMade(NodeBirth(found, made: made))
            var status = draft.shown(found)
            if let owner, try give(draft, status, to: owner.user, owner.group) { status = try draft.status() }
            try record(draft, at: address, base: base)
            return (draft, status)
        } catch {
            discard(draft)
            throw error
        }
    }

    /// A draft of an existing document: with its content, or empty where that is to be written anew.
    /// `stamp` is what somebody began from who writes it anew, or has read something else of it; otherwise it begins from what is there.
    func draft(
        of opened: ItemReader.Opened, at address: Address, stored: Name, keepingContent: Bool, from stamp: BaseStamp? = nil
    ) throws(Errno) -> Draft {
        guard let document = opened.item.document else { throw .invalid }
        let draft = try stage(document.kind, mode: opened.item.status.permissions, changed: !keepingContent)
        if policy.keeps { draft.begin(from: stamp ?? BaseStamp(opened.content)) }
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
    func draft(_ kind: KindID, ofContent file: borrowing Descriptor, startingAt start: Int64 = 0, from stamp: BaseStamp? = nil) throws(Errno) -> Draft {
        let status = try file.status()
        return try draft(kind, like: status, from: stamp) { (draft) throws(Errno) in
            try file.copyAll(from: start, count: max(0, status.size - start), to: draft.file.descriptor, at: draft.contentStart)
            try draft.file.descriptor.setExtendedAttributes(FileAttributes.userAttributes(of: file))
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
    func scratch(_ kind: KindID) throws(Errno) -> Draft {
        let name = Name.staged(staging.nextNumber())
        let file = OpenFile(try staging.folder.descriptor.open(name, [.readWrite, .create, .exclusive], mode: 0o600))
        try staging.folder.descriptor.unlink(name)
        return Draft(number: 0, kind: kind, file: file, contentStart: 0, changed: false)
    }

    /// Writes down what a draft is a draft of.
    func record(_ draft: Draft, at address: Address, base: Base?) throws(Errno) {
        try journal.append(.draft(DraftRecord(DraftPlace(draft: draft, address: address, base: base))))
    }

    /// A draft whose bytes are on the store is found there after a power cut.
    func synchronizePlace(of draft: Draft) throws(Errno) {
        try journal.synchronize()
        if draft.kind.draftPart != nil {
            for folder in try folders(of: draft).reversed() { try folder.descriptor.reopened([.read, .folder]).synchronize() }
        }
        try staging.folder.descriptor.reopened([.read, .folder]).synchronize()
        draft.noteSynchronized()
    }

    /// Writes down whether all that was written to a draft is in it.
    func noteWholeness(of draft: Draft) { journal.conclude(draft.isIncomplete ? .incomplete(draft.number) : .complete(draft.number)) }

    /// Throws a draft away.
    func discard(_ draft: Draft) {
        removeStaged(draft)
        journal.conclude(.ended(draft.number))
    }

    func stage(_ kind: KindID, mode: UInt32, changed: Bool) throws(Errno) -> Draft {
        let number = staging.nextNumber()
        let name = Name.staged(number)
        let file: OpenFile
        do throws(Errno) {
            if let part = kind.draftPart {
                var folder = staging.folder
                for name in [name] + kind.draftFolders {
                    try folder.descriptor.makeFolder(name, mode: Draft.packageMode(for: mode))
                    folder = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
                }
                file = OpenFile(try Self.make(part, in: folder.descriptor, mode: mode & 0o666 | 0o600))
            } else {
                file = OpenFile(try Self.make(name, in: staging.folder.descriptor, mode: mode & 0o666 | 0o600))
            }
            if mode & 0o666 != mode & 0o666 | 0o600 { try store.setPermissions(mode & 0o666, of: file.descriptor) }
        } catch {
            if error != .exists { try? staging.remove(name) }
            throw error
        }
        return Draft(number: number, kind: kind, file: file, contentStart: kind.kind.contentStart ?? 0, changed: changed)
    }

    /// What the drive reads of it to save it leaves its access time as it is.
    private static func make(_ name: Name, in folder: borrowing Descriptor, mode: UInt32) throws(Errno) -> Descriptor {
        let flags: OpenFlags = [.readWrite, .create, .exclusive]
        do throws(Errno) { return try folder.open(name, flags.union(.untraced), mode: mode) } catch { guard error == .notPermitted else { throw error } }
        // The store gives all files to another user. It has made the file before it said so.
        try? folder.unlink(name)
        return try folder.open(name, flags, mode: mode)
    }

    func adoptOwner(of status: FileStatus, _ draft: Draft) throws(Errno) {
        var now = try draft.file.descriptor.status()
        if try give(draft, now, to: status.owner, status.group) { now = try draft.file.descriptor.status() }
        if now.permissions != status.permissions & 0o666 {
            try store.setPermissions(status.permissions & 0o666, of: draft.file.descriptor)
        }
    }

    /// What a new package is in has been given other permissions, or somebody else's: so has its folder, which is the document's when it is saved.
    func followAttributes(of draft: Draft) throws(Errno) {
        // What nobody will save has no folder.
        guard draft.kind.draftPart != nil, let folders = try? folders(of: draft) else { return }
        let status = try draft.file.descriptor.status(), permissions = Draft.packageMode(for: status.permissions)
        for place in folders {
            let folder = try place.descriptor.reopened([.read, .folder]), now = try folder.status()
            if geteuid() == 0, now.owner != status.owner || now.group != status.group {
                try store.setOwner(status.owner, group: status.group, of: folder)
            }
            if now.permissions != permissions { try store.setPermissions(permissions, of: folder) }
        }
    }

    /// The package that a draft is in, and the folders in it that lead to the draft.
    private func folders(of draft: Draft) throws(Errno) -> [OpenFile] {
        var folders: [OpenFile] = []
        for name in [Name.staged(draft.number)] + draft.kind.draftFolders {
            folders.append(OpenFile(try (folders.last ?? staging.folder).descriptor.open(name, [.path, .folder])))
        }
        return folders
    }

    /// The draft, which is `now` somebody's, and, of a package, the folder belong to somebody. Whether they were anybody else's.
    /// Staging itself is for this process alone.
    private func give(_ draft: Draft, _ now: FileStatus, to user: UInt32, _ group: UInt32) throws(Errno) -> Bool {
        guard now.owner != user || now.group != group, geteuid() == 0 else { return false }
        try store.setOwner(user, group: group, of: draft.file.descriptor)
        guard draft.kind.draftPart != nil else { return true }
        for folder in try folders(of: draft) { try store.setOwner(user, group: group, of: folder.descriptor) }
        return true
    }

    func copyContent(of opened: ItemReader.Opened, to draft: Draft) throws(Errno) {
        switch opened.reading.content {
        case .bytes(let bytes): try draft.file.descriptor.write(bytes, at: draft.contentStart)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let source = opened.parts[part] else { throw .inputOutput }
            if offset == draft.contentStart {
                // The same layout: the store may share the blocks instead of copying them.
                do throws(Errno) {
                    try draft.file.descriptor.shareContent(of: source.descriptor)
                    return try draft.file.descriptor.truncate(to: offset + length)
                } catch { guard [.notSupported, .crossDevice, .invalid, .notImplemented, Errno(rawValue: ENOTTY)].contains(error) else { throw error } }
            }
            try source.descriptor.copyAll(from: offset, count: length, to: draft.file.descriptor, at: draft.contentStart)
        case .flat: try opened.shownContent.copyAll(to: draft.file.descriptor, at: draft.contentStart)
        case .elsewhere: throw .unreachable
        }
    }

    func removeStaged(_ draft: Draft) {
        try? staging.remove(Name.staged(draft.number))
    }

    /// The state of the document that a draft is to replace.
    func state(of base: Base, _ kind: KindID, in folder: OpenFile) -> BaseStamp? {
        guard policy.keeps else { return nil }
        return (try? ExistingParts(of: base, kind, in: folder, staging.folder))?.status.map(BaseStamp.init)
    }
}
