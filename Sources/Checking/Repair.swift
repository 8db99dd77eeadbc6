import Containers
import Documents
import LinuxFiles
import Transactions

/// A repair being carried out: as the container's one writer, and so that it can be taken back.
public final class Repair {
    /// Makes a PNG of the image in a range of a file, or says why that cannot be done.
    public typealias Thumbnailer = (OpenFile, Int64, Int64) -> MadeThumbnail

    public enum MadeThumbnail: Sendable {
        case image([UInt8])
        case none(String)
    }

    public struct Outcome: Sendable {
        public var done: [RepairPlan.Step] = []
        /// What could not be done, and why.
        public var left: [(step: RepairPlan.Step, reason: String)] = []
        /// The folder by which it is taken back, in `.valise/undo`; nil where nothing was done.
        public var undo: Name?
        /// Before the last step, because somebody wanted that.
        public var isStopped = false
    }

    private let container: Container
    private var undo: UndoFolder?
    private var lastNumber = 0
    private var workshop: Workshop?
    private var outcome = Outcome()

    private init(_ container: Container) { self.container = container }

    /// Throws where somebody else writes in the container, and where nothing can be written at all.
    public static func carryOut(
        _ plan: RepairPlan, in container: Container, thumbnailer: Thumbnailer, progress: (Int) -> Void = { _ in }, isStopped: () -> Bool = { false }
    ) throws(Failure) -> Outcome {
        let repair = Repair(container)
        for (index, step) in plan.steps.enumerated() {
            progress(index)
            // Between two steps all is in order.
            if isStopped() {
                repair.outcome.isStopped = true
                repair.outcome.left += plan.steps[index...].map { ($0, "it was stopped before") }
                break
            }
            // A lock that is none has to go before it can be taken: while it was there, nobody could have it.
            if repair.workshop == nil, !step.isOfState { repair.workshop = try Workshop.open(in: container, purpose: "being repaired") }
            do throws(Errno) {
                if let reason = try repair.carryOut(step, thumbnailer) { repair.outcome.left.append((step, reason)) } else { repair.outcome.done.append(step) }
            } catch { repair.outcome.left.append((step, "\(error)")) }
        }
        progress(plan.steps.count)
        repair.outcome.undo = repair.undo?.name
        return repair.outcome
    }

    /// Why the step was not carried out; nil where it was.
    private func carryOut(_ step: RepairPlan.Step, _ thumbnailer: Thumbnailer) throws(Errno) -> String? {
        switch step {
        case .setAside(let place): return try setAside(place)
        case .finishJournal: return try finishJournal()
        case .makeThumbnail(let place): return try makeThumbnail(place, thumbnailer)
        }
    }

    private func undoFolder() throws(Errno) -> UndoFolder {
        if let undo { return undo }
        let new = try UndoFolder(in: container)
        undo = new
        return new
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func setAside(_ place: [Name]) throws(Errno) -> String? {
        guard let name = place.last else { throw .invalid }
        let undo = try undoFolder(), number = nextNumber()
        let folder = try container.ownPlace(place.dropLast())
        try undo.write(.aside(number, place))
        // Nobody else has that number.
        try folder.descriptor.rename(name, to: undo.folder.descriptor, as: UndoFolder.numbered(number))
        return nil
    }

    // MARK: The journal

    /// The journal as it was is kept for people to read; its changes are not taken back, as no mount takes them back.
    private func finishJournal() throws(Errno) -> String? {
        let undo = try undoFolder()
        let old = try container.ownPlace([container.state.name, Container.journalName]).descriptor.open(Journal.fileName, [.read, .nonBlocking])
        let copy = try undo.folder.descriptor.open(Journal.fileName, [.readWrite, .create, .truncate], mode: 0o600)
        try old.copyAll(from: 0, count: try old.status().size, to: copy, at: 0)
        try copy.synchronize()
        guard let workshop else { throw .invalid }
        do throws(Failure) {
            let waiting = try workshop.recover()
            guard let first = waiting.first else { return nil }
            return "the draft of “\(first.shown)” still cannot be saved: \(first.reason)"
        } catch { return error.sentence }
    }

    // MARK: Thumbnails

    private func makeThumbnail(_ place: [Name], _ thumbnailer: Thumbnailer) throws(Errno) -> String? {
        guard let stored = place.last, let workshop else { throw .invalid }
        let folder = try container.ownPlace(place.dropLast())
        let reader = ItemReader(options: ShowingOptions(), kinds: container.kinds)
        guard let kind = reader.candidate(for: stored, isFolder: true), let metadata = kind.thumbnailPart, let photo = try? reader.open(stored, as: kind, in: folder.descriptor),
            case .range(0, let offset, let length) = photo.reading.content, let image = photo.parts[0]
        else { return "it is no photo any more" }
        let png: [UInt8]
        switch thumbnailer(image, offset, length) {
        case .image(let made): png = made
        case .none(let reason): return reason
        }
        guard let staged = try workshop.stageThumbnail(png, for: photo) else { return "its \(metadata) is not understood" }
        var isPut = false
        defer { if !isPut { workshop.discard(staged) } }
        try noteThumbnail(staged, place + [metadata], in: try folder.descriptor.open(stored, [.path, .folder]), workshop)
        try workshop.commit(.putThumbnail(staged, into: stored, in: folder), unfit: .invalid)
        isPut = true
        return nil
    }

    /// Keeps what the thumbnail's file takes the place of, and writes down what is about to happen.
    private func noteThumbnail(_ staged: StagedThumbnail, _ place: [Name], in package: borrowing Descriptor, _ workshop: Workshop) throws(Errno) {
        guard let name = place.last else { throw .invalid }
        let inode = try container.ownPlace([container.state.name, Staging.folderName]).descriptor.status(of: staged.name).identity.number
        let undo = try undoFolder()
        guard try package.exists(name) else { return try undo.write(.added(place, inode: inode)) }
        let number = nextNumber(), kept = UndoFolder.numbered(number)
        try undo.write(.replaced(number, place, inode: inode))
        if try !workshop.store.secondName(of: name, in: package, to: undo.folder.descriptor, as: kept) {
            let old = try package.open(name, [.read, .nonBlocking])
            let status = try old.status()
            let copy = try undo.folder.descriptor.open(kept, [.readWrite, .create, .exclusive], mode: 0o600)
            try old.copyAll(from: 0, count: status.size, to: copy, at: 0)
            try FileAttributes(store: workshop.store).dress(copy, like: status, [OpenFile(old)])
            try copy.synchronize()
        }
    }
}

extension RepairPlan.Step {
    /// It mends `.valise` itself, without which there is no lock to take.
    fileprivate var isOfState: Bool {
        guard case .setAside(let place) = self else { return false }
        return place.count == 2 || place.dropFirst().first == Container.journalName
    }
}

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
            case .orphanedStaging, .unplaced, .leftSocket, .orphanedVersions, .oddVersion: aside.append(.setAside(finding.path))
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
