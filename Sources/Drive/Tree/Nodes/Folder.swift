import LinuxFiles

/// What is known of one folder of the tree. Reached under the tree's lock only.
struct Folder {
    /// Nodes by the name that is shown, and by the one in the container.
    var byShown = NameIndex<EntryNumber>()
    var byStored = NameIndex<EntryNumber>()
    /// The shown ones without the case of their letters, where the store makes no difference there.
    var byFolded: NameIndex<EntryNumber>?
    /// Those whose stored names have more than ASCII, by these in NFC. Made when a name was asked for in another form than it is shown in.
    var byForm: NameIndex<EntryNumber>?
    /// Whether it makes none; nil while nobody had to know.
    var isCaseless: Bool?
    /// When its entries were read: nil if they were not yet.
    var read: FolderStamp?
    /// Whether there are copies as sync tools leave them: what these are depends on other entries.
    var hasCopies = false
    /// What is known of it was found name by name, and nobody has read all of it.
    var isPartial = false
    /// Some of the folder's names are known, and perhaps not all.
    var isKnown: Bool { read != nil || byShown.count > 0 }
    /// It was watched when it was read, and every change since then was noticed or will be.
    var isFollowed = false
    /// Nothing has to be read of it but what was noticed since.
    var isFollowable: Bool { isFollowed && read != nil }
    /// Counts the readings and every change, so that a listing knows whether it is still right.
    var edition: UInt64 = 1
    /// The edition that the kernel was given to keep.
    var cachedEdition: UInt64 = 0
    /// What its photos' thumbnails are called, once somebody asked.
    var thumbnailNames: ThumbnailNames?
    /// An open place, while there is one.
    var place: OpenFile?
}

/// The state of a folder on the disk in which its entries were read.
struct FolderStamp: Hashable, Sendable {
    let identity: FileIdentity
    let modified: Timestamp
    let changed: Timestamp
    /// The folder had been changed so shortly before that a later change may bear the same time.
    let unsettled: Bool

    init(_ status: FileStatus) {
        identity = status.identity
        modified = status.modified
        changed = status.changed
        unsettled = status.isUnsettled
    }

    /// After a change of our own. One of somebody else's may come in the same second.
    init(settled status: FileStatus) {
        identity = status.identity
        modified = status.modified
        changed = status.changed
        unsettled = status.hasWholeSeconds && status.isUnsettled
    }

    func isStill(_ status: FileStatus) -> Bool {
        !unsettled && identity == status.identity && modified == status.modified && changed == status.changed
    }
}
