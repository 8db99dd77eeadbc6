import Containers
import Coordination
import Dispatch
import LinuxFiles
import Synchronization

/// Old versions, and what was deleted long ago, go when there are newer ones. Nobody waits for that but the end of the drive; and who says
/// that versions are to go.
final class VersionThinning: Sendable {
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let options: DriveOptions
    /// Somebody will look.
    private let isTimed = Atomic(false)
    /// A version was kept, or something deleted, since somebody looked.
    private let isOwed = Atomic(false)
    /// Does something later, and not more often, however much is saved.
    private let after: @Sendable (@escaping @Sendable () -> Void) -> Void

    static let pause = DispatchTimeInterval.seconds(30)

    init(
        coordinator: DocumentCoordinator, workshop: Workshop?, options: DriveOptions,
        after: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { DispatchQueue.global(qos: .background).asyncAfter(deadline: .now() + pause, execute: $0) }
    ) {
        (self.coordinator, self.workshop, self.options, self.after) = (coordinator, workshop, options, after)
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

    /// Removes versions for good, because somebody says so. What is being written is none yet.
    func purge(at path: [Name], before moment: Int64?) throws(SaveFault) {
        let workshop = try workshop.required(orFault: ())
        do throws(Errno) {
            _ = try coordinator.write(LaneID(Tree.versions)) { () throws(Errno) in try workshop.commit(.decideUnshown(.purgeVersions(before: moment), at: path), unfit: .invalid) }
        } catch { throw .failed(error) }
    }

    /// In the lane of all versions, which nothing else is in: once at a time.
    private func thinLater() {
        coordinator.later(LaneID(Tree.versions)) { [self] in
            // First: what changes from here on may not be seen any more, and is looked at once more.
            isTimed.store(false, ordering: .sequentiallyConsistent)
            isOwed.store(false, ordering: .sequentiallyConsistent)
            _ = try? workshop?.thinVersions()
        }
    }
}
