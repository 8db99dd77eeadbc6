import Containers
import Coordination
import Dispatch
import LinuxFiles
import Synchronization

/// Old versions, and what was deleted long ago, go when there are newer ones. Nobody waits for that but the end of the drive; and who says
/// that versions are to go.
final class VersionThinning: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let options: DriveOptions
    private let counts: RequestCounts
    /// Somebody will look.
    private let isTimed = Atomic(false)
    /// A version was kept, or something deleted, since somebody looked.
    private let isOwed = Atomic(false)
    /// Does something later, and not more often, however much is saved.
    private let after: @Sendable (@escaping @Sendable () -> Void) -> Void

    static let pause = DispatchTimeInterval.seconds(30)

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, options: DriveOptions, counts: RequestCounts,
        after: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { DispatchQueue.global(qos: .background).asyncAfter(deadline: .now() + pause, execute: $0) }
    ) {
        (self.tree, self.coordinator, self.workshop, self.options, self.counts, self.after) = (tree, coordinator, workshop, options, counts, after)
    }

    /// `afterChange`: a version more may have been kept, or something deleted. Whenever that is, somebody looks afterwards.
    func order(afterChange: Bool = true) {
        guard options.keepsVersions || options.keepsDeleted, workshop != nil else { return }
        if afterChange { isOwed.store(true, ordering: .sequentiallyConsistent) }
        guard !isTimed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        after { [weak self] in self?.thinLater() }
    }

    /// A drive that ends soon after a save has thinned nothing yet.
    func thinWhatIsOwed() {
        if isOwed.load(ordering: .sequentiallyConsistent) { thinLater() }
    }

    /// Removes versions for good, because somebody says so. What is being written is none yet. The log says whose they were: somebody may look for them.
    func purge(at path: [Name], before moment: Int64?) throws(SaveFault) {
        let workshop = try workshop.required(orFault: ())
        let purged: [(document: [Name], count: Int)]
        do throws(Errno) {
            purged = try coordinator.write(LaneID(NodeNumber.versions)) { () throws(Errno) in
                try workshop.commit(.decideOfMany(.purgeVersions(before: moment), at: path), unfit: .invalid).purged
            }
        } catch {
            SystemLog.write("“\(Self.purge)” did not end, and has perhaps removed some earlier versions: \(error)", .warning)
            throw .failed(error)
        }
        for (document, count) in purged {
            counts.purgedVersions.wrappingAdd(count, ordering: .relaxed)
            let file = tree.shownNames(ofStored: document).map(\.description).joined(separator: "/")
            let gone = count == 1 ? "an earlier version is gone for good; it was" : "\(count) earlier versions are gone for good; they were"
            SystemLog.write("“\(file)”: \(gone) removed by “\(Self.purge)”", .notice, [SystemLog.Field("VALISE_DOCUMENT", file)])
        }
    }

    private static let purge = "valise versions --purge"

    /// In the lane of all versions, which nothing else is in: once at a time.
    private func thinLater() {
        coordinator.later(LaneID(NodeNumber.versions)) { [self] in
            // First: what changes from here on may not be seen any more, and is looked at once more.
            isTimed.store(false, ordering: .sequentiallyConsistent)
            isOwed.store(false, ordering: .sequentiallyConsistent)
            _ = try? workshop?.commit(.thin)
        }
    }
}
