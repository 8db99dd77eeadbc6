import Hashes

// What is in a container on one device, as it was looked at, and what was known to be the same here and in the facts when they were last brought
// together. Values: who looks and who writes them down is somebody else.

/// One file, folder or package on a disk, for as long as it lives: its inode and the time when that was made, for numbers come back.
public struct LocalID: Hashable, Comparable, Sendable {
    public let inode: UInt64
    public let made: Int64
    public init(inode: UInt64, made: Int64) { (self.inode, self.made) = (inode, made) }
    public static func < (left: LocalID, right: LocalID) -> Bool { (left.inode, left.made) < (right.inode, right.made) }
}

/// By what one sees that a file is the same still.
public struct LocalStamp: Hashable, Sendable {
    public let size: UInt64
    /// In nanoseconds, as for `changed`.
    public let modified: Int64
    public let changed: Int64
    /// It changed so shortly before it was looked at that another change may bear the same time; or a program is writing there. What is read of it
    /// may be half of something, and what is there in the next moment something else, which no stamp shows.
    public let isFresh: Bool

    public init(size: UInt64, modified: Int64, changed: Int64, isFresh: Bool = false) {
        (self.size, self.modified, self.changed, self.isFresh) = (size, modified, changed, isFresh)
    }
}

/// Something in the container's documents, as it is now.
public struct LocalEntry: Hashable, Sendable {
    public var id: LocalID
    /// Nil: the top.
    public var folder: LocalID?
    public var name: [UInt8]
    public var kind: Location.Kind
    public var stamp: LocalStamp
    /// Of what it holds with this stamp; nil where nobody has read that. That of a folder is of no bytes.
    public var digest: Digest?
    /// What a save found in its place that was not what it began with, and put beside it: nobody has decided between the two.
    public var beside: Set<Digest> = []
    /// Of a file; nil where its store has no permissions.
    public var mode: UInt16?

    public init(_ id: LocalID, in folder: LocalID?, _ name: [UInt8], _ kind: Location.Kind, _ stamp: LocalStamp, digest: Digest?) {
        (self.id, self.folder, self.name, self.kind, self.stamp, self.digest) = (id, folder, name, kind, stamp, digest)
    }
}

/// What an item was here and what the facts said of it, when the two were the same.
public struct Synced: Hashable, Sendable {
    public var entry: LocalID
    public var folder: ItemID?
    public var name: [UInt8]
    public var kind: Location.Kind
    public var stamp: LocalStamp
    public var digest: Digest
    /// The versions that the content here stands for: what replaces it replaces these.
    public var leaves: Set<FactID>
    /// Since when it is not found, in seconds. What comes back soon is the same document.
    public var missing: Int64?
    /// Where this device is about to move it. Whoever finds it there after a crash knows that nobody else did, and that it is not what was there before.
    public var going: Destination?
    /// What this device is about to put in its place. Whoever finds something else there after a crash knows that it may have been written over that.
    public var coming: Coming?
    /// Nil where nobody has said any, or its store has none.
    public var permissions: Permissions?

    public struct Destination: Hashable, Sendable {
        public let folder: ItemID?
        public let name: [UInt8]
        public init(folder: ItemID?, name: [UInt8]) { (self.folder, self.name) = (folder, name) }
    }

    /// What its store made of the permissions that were said.
    public struct Permissions: Hashable, Sendable {
        public let here: UInt16, said: UInt16?
        /// What this device is about to set. What is found after a crash is that, or what was there.
        public let setting: UInt16?
        public init(here: UInt16, said: UInt16?, setting: UInt16? = nil) { (self.here, self.said, self.setting) = (here, said, setting) }
    }

    /// A content, and the versions that it stands for.
    public struct Coming: Hashable, Sendable {
        public let digest: Digest
        public let leaves: Set<FactID>
        public init(_ digest: Digest, leaves: Set<FactID>) { (self.digest, self.leaves) = (digest, leaves) }
    }

    /// The folder that it goes to may have turned out to be one with another.
    func isGoing(to folder: ItemID?, which: (ItemID) -> ItemID, isName: ([UInt8]) -> Bool) -> Bool {
        going.map { $0.folder.map(which) == folder && isName($0.name) } ?? false
    }

    /// Whether it is missing for so long that it does not come back.
    func isGivenUp(at time: Int64, _ rules: Rules) -> Bool {
        !rules.contains(.patience) || missing.map { time >= $0.addingReportingOverflow(Planner.patience).partialValue } ?? false
    }

    public init(_ entry: LocalEntry, in folder: ItemID?, named name: [UInt8]? = nil, digest: Digest, leaves: Set<FactID>) {
        (self.entry, self.folder, self.name, kind) = (entry.id, folder, name ?? entry.name, entry.kind)
        (stamp, self.digest, self.leaves) = (entry.stamp, digest, leaves)
    }
}

/// All that a device has.
public struct LocalItems: Sendable {
    public var entries: [LocalID: LocalEntry]
    public var synced: [ItemID: Synced]
    /// Contents that are whole on this device, wherever they lie.
    public var contents: Set<Digest>
    /// Conflicts that lie beside their documents, by item.
    public var conflicts: [ItemID: Set<FactID>]
    /// Conflicts that lay beside their documents until somebody here decided about them: nobody has said so yet.
    public var decided: [ItemID: Set<FactID>]
    /// What lies among the deleted: somebody deleted it here, and that is decided. By its file, because a program may have made the document anew
    /// meanwhile, and that is another one.
    public var deleted: Set<LocalID>
    /// Which item each file was that went among the deleted, by somebody here or because others had deleted it. One that is there again is that item.
    public var gone: [LocalID: ItemID]
    /// Steps that could not be done a while ago, until they are to be tried again.
    public var stuck: Set<Step>
    /// Folders that could not be listed, nil for the top: what was in them is there perhaps.
    public var unlisted: Set<LocalID?> = []
    public var vanishing = VanishingLimit()
    /// Somebody was asked, and what is gone is meant to be deleted.
    public var isVanishingMeant = false
    /// How many documents may be older than what was written down of them.
    public var older = VanishingLimit()
    /// What somebody said of those that he was asked about, until they are no more. Any other is what its user makes
    /// of it.
    public var olderAre: [LocalID: OlderDocument] = [:]
    /// Numbers of files come back soon, and the store does not say when a file was made.
    public var numbersComeBack = false
    /// Those of them that lie where no program writes, too: what came, or was kept.
    public var aside: Set<Digest> = []
    /// Of plain files of so many bytes at most conflicts are kept beside them here, of links none, of documents all.
    public var mostKept: UInt64 = .max
    /// What the store can have.
    public var store = StoreNames()
    /// What items are called here for whose names it cannot have. It was written down before anything was called so.
    public var names: [ItemID: Set<LocalName>] = [:]
    /// Kinds that a person or container added here.
    public var kinds: Set<AddedKind> = []
    /// In seconds, by a clock that does not go back.
    public var time: Int64

    public init(
        _ entries: [LocalID: LocalEntry], synced: [ItemID: Synced], contents: Set<Digest>, conflicts: [ItemID: Set<FactID>] = [:], decided: [ItemID: Set<FactID>] = [:],
        deleted: Set<LocalID> = [], gone: [LocalID: ItemID] = [:], stuck: Set<Step> = [], time: Int64
    ) {
        (self.entries, self.synced, self.contents, self.conflicts, self.decided) = (entries, synced, contents, conflicts, decided)
        (self.deleted, self.gone, self.stuck, self.time) = (deleted, gone, stuck, time)
    }
}

/// What is to become of a document that a backup put back, perhaps.
public struct OlderDocument: Hashable, Sendable {
    /// When somebody was asked. With another one it is another question.
    public let stamp: LocalStamp
    public let answer: Answer

    public enum Answer: Hashable, Sendable {
        /// It is an edit of what is newer.
        case meant
        /// What is newer comes again; what nobody has heard of is in conflict with it.
        case mistaken
    }

    public init(_ stamp: LocalStamp, is answer: Answer) { (self.stamp, self.answer) = (stamp, answer) }
}

extension LocalItems {
    /// Whether a conflict can lie beside an item of this kind here.
    func keeps(_ version: Version?, of kind: Location.Kind) -> Bool {
        switch kind {
        case .document, .folder: true
        case .plain: version?.body.map { $0.size <= mostKept } ?? true
        case .link: false
        }
    }
}

extension Digest {
    /// What every folder's version says that it holds: no bytes.
    public static let folder = SHA256.digest(of: [])
}
