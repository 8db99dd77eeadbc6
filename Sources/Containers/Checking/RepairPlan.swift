import LinuxFiles

/// What a repair would do, before it does it.
///
/// Only what Valise made itself, or can make again, is touched. A document that cannot be read is left as it is.
public struct RepairPlan: Sendable {
    public enum Step: Hashable, Sendable {
        /// Moved out of its place into the undo folder.
        case setAside([Name])
        /// What a drive that ended early had under way is finished, as the next mount would.
        case finishJournal
        /// The photo gets a thumbnail of its image.
        case makeThumbnail([Name])
    }

    public let steps: [Step]
    /// What there is no step for.
    public let left: [CheckFinding]

    public init(for check: ContainerCheck) {
        var aside: [Step] = [], thumbnails: [Step] = [], left: [CheckFinding] = []
        var finishes = false
        for finding in check.findings {
            switch finding.kind {
            // The folder of undos cannot be moved into itself, nor Valise's own into one that is in it.
            case .oddState where finding.path.count > 1 && finding.path.last != UndoFolder.undoName && !finding.needsSomebody: aside.append(.setAside(finding.path))
            case .orphanedStaging, .leftSocket, .orphanedVersions, .oddVersion: aside.append(.setAside(finding.path))
            case .unfinishedJournal, .unreadableJournal, .unsavedDraft: finishes = true
            case .missingThumbnail, .staleThumbnail: thumbnails.append(.makeThumbnail(finding.path))
            default: left.append(finding)
            }
        }
        // What nobody speaks of goes first: finishing clears staging of it.
        steps = aside + (finishes ? [.finishJournal] : []) + thumbnails
        self.left = left
    }
}
