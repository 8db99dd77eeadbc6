import LinuxFiles

/// One thing that `valise check` found in a container.
public struct CheckFinding: Hashable, Sendable {
    /// The words are those of `--json`, and stay.
    public enum Kind: String, CaseIterable, Sendable {
        /// What only a document is called like cannot be read as one.
        case unreadableDocument = "unreadable-document"
        /// A package without the part that makes it a document.
        case missingPart = "missing-part"
        /// A part that is no regular file, and is never opened.
        case oddPart = "odd-part"
        /// A document or a file whose content is elsewhere: iCloud's stub of it, or a file without a block.
        case notDownloaded = "not-downloaded"
        /// A package that a sync tool made of another one, when both sides had changed it.
        case copiedPackage = "copied-package"
        /// iCloud Drive's own folder, without those of apps beside it.
        case missingApps = "missing-apps"
        /// Two names that are one on a Mac.
        case alikeNames = "alike-names"
        /// What a Mac has given another name, for the same reason.
        case formerName = "former-name"
        /// What a Mac keeps of files on stores that have no place for it.
        case appleDouble = "apple-double"
        /// A folder, or a file of Valise's own, that this user or nobody can read.
        case unreadable
        /// A text that apps cannot read, which read UTF-8 only. The drive shows its bytes.
        case otherEncoding = "other-encoding"
        /// A file without content that is a document all the same.
        case emptyDocument = "empty-document"
        /// A name that no file can have, or that is no text: the drive shows another one.
        case changedName = "changed-name"
        /// An image of a kind that not every system that has the app can show.
        case newerImage = "newer-image"
        case missingThumbnail = "missing-thumbnail"
        /// Older than the image, or no image itself.
        case staleThumbnail = "stale-thumbnail"
        /// Something in `.valise` that is of another type than Valise makes it.
        case oddState = "odd-state"
        /// Valise's folder of the container's owner, where root looks.
        case othersState = "others-state"
        /// What of an earlier drive could not be understood, put aside by a later one.
        case damagedState = "damaged-state"
        /// The place where a drive was asked that is gone.
        case leftSocket = "left-socket"
        /// In staging, and nothing in the journal speaks of it.
        case orphanedStaging = "orphaned-staging"
        /// In staging, and handed over by a program that ended before all of it was in its place.
        case unplaced
        /// A document with changes that are not saved.
        case unsavedDraft = "unsaved-draft"
        /// What a drive that ended early had under way.
        case unfinishedJournal = "unfinished-journal"
        case unreadableJournal = "unreadable-journal"
        /// Versions of a document that is gone.
        case orphanedVersions = "orphaned-versions"
        /// Something among the versions that is no version.
        case oddVersion = "odd-version"
        /// The key-value store, of which values are lost.
        case damagedSettings = "damaged-settings"
    }

    public let kind: Kind
    /// The path of what was found, from the container's folder on.
    public let path: [Name]
    public let reason: String
    /// What is in it may be needed: somebody has to look first.
    var needsSomebody = false
    /// This user may not look at it, which says nothing of how it is.
    public var isDenied = false

    /// Whether something is wrong, or only worth knowing.
    public var isDamage: Bool { !isDenied && kind.isDamage }
}

extension CheckFinding.Kind {
    var isDamage: Bool {
        switch self {
        case .copiedPackage, .missingApps, .alikeNames, .formerName, .appleDouble,
            .unsavedDraft, .emptyDocument, .changedName, .newerImage, .missingThumbnail, .staleThumbnail, .leftSocket, .unplaced, .orphanedVersions, .othersState, .damagedState: false
        default: true
        }
    }
}
