import Documents
import LinuxFiles
import Synchronization
import Transactions

/// Names that are kept, and go where their documents go: each in the same plan as its document.
final class NameKeeping: Sendable {
    private let container: Container
    /// Valise's own folder in the container.
    private let own: OpenFile
    private let staging: Staging
    /// Whether a name was ever kept here: almost nowhere.
    private let isUsed: Atomic<Bool>

    init(container: Container, own: OpenFile, staging: Staging, isUsed: Bool) {
        (self.container, self.own, self.staging) = (container, own, staging)
        self.isUsed = Atomic(isUsed)
    }

    var areKept: Bool { isUsed.load(ordering: .relaxed) }

    /// What comes to a place is a document that is shown under this name.
    func keepName(_ shown: Name, _ kind: KindID, at place: Place, _ plan: inout Plan) throws(Errno) {
        try forgetName(at: place, &plan)
        guard !kind.kind.tells(shownName: shown.bytes, storedName: place.name.bytes) else { return }
        let name = Plan.SmallFile(staged: Name.staged(staging.nextNumber(), ".name"), content: shown.bytes)
        plan.smallFiles.append(name)
        plan.nameFolders.append(place.path)
        plan.steps.append(.add(.staged(name.staged), place.ofNames))
    }

    /// What was at a place goes, or something else comes there.
    func forgetName(at place: Place, _ plan: inout Plan) throws(Errno) {
        guard !plan.forgotten.contains(place), try hasName(at: place) else { return }
        plan.forgotten.insert(place)
        let gone = Name.staged(staging.nextNumber(), Name.thinnedSuffix)
        plan.steps.append(.move(place.ofNames, .staged(gone)))
        plan.discarded.append(gone)
    }

    /// The names of all in a folder go with it.
    func followNames(from: Place, to: Place, _ plan: inout Plan) throws(Errno) {
        guard from != to else { return }
        try forgetName(at: to, &plan)
        guard try hasName(at: from) else { return }
        plan.nameFolders.append(to.path)
        plan.steps.append(.add(from.ofNames, to.ofNames))
    }

    /// Whether a name is kept of an item, or of something in it.
    func hasName(at place: Place) throws(Errno) -> Bool {
        guard isUsed.load(ordering: .relaxed), let folder = try container.nameFolder(place.path) else { return false }
        return try folder.descriptor.exists(place.name)
    }

    /// What was removed without a plan has no name any more, and nothing in it has one.
    @discardableResult
    func forgetNames(of stored: Name, in path: [Name]) -> Outcome {
        guard isUsed.load(ordering: .relaxed), let folder = try? container.nameFolder(path) else { return Outcome(isUnchanged: true) }
        try? folder.descriptor.removeTree(stored)
        return Outcome()
    }

    /// Makes the folders to which a plan moves names, before its first step.
    func makeNameFolders(for plan: Plan) throws(Errno) { for path in plan.nameFolders { try makeNameFolder(path) } }

    private func makeNameFolder(_ path: [Name]) throws(Errno) {
        var folder: OpenFile
        do throws(StateFault) { folder = try container.state.madeFolder(Container.namesName, in: own) } catch { throw error.errno }
        for name in path {
            do throws(Errno) { folder = OpenFile(try folder.descriptor.madeFolder(name)) } catch {
                // The name of a document that was where a folder is now.
                guard error == .notDirectory else { throw error }
                try folder.descriptor.unlink(name)
                folder = OpenFile(try folder.descriptor.madeFolder(name))
            }
        }
        isUsed.store(true, ordering: .relaxed)
    }
}
