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
    /// When versions were thinned last, in seconds.
    private let last = Atomic<Int64>(0)
    /// A version was kept, or something deleted, since.
    private let isOwed = Atomic(false)
    /// Not more often than this, however much is saved: in seconds.
    private static let pause: Int64 = 60

    init(coordinator: DocumentCoordinator, workshop: Workshop?, options: DriveOptions) {
        (self.coordinator, self.workshop, self.options) = (coordinator, workshop, options)
    }

    /// `afterChange`: a version more may have been kept, or something deleted.
    func order(afterChange: Bool = true) {
        guard options.keepsVersions || options.keepsDeleted, workshop != nil else { return }
        let now = Timestamp.now.seconds
        if afterChange { isOwed.store(true, ordering: .sequentiallyConsistent) }
        let last = last.load(ordering: .sequentiallyConsistent)
        // A clock that was set back is no reason to wait.
        guard now - last >= Self.pause || now < last else { return }
        // Of several that save at this moment, one orders it.
        guard self.last.compareExchange(expected: last, desired: now, ordering: .sequentiallyConsistent).exchanged else { return }
        DispatchQueue.global(qos: .background).asyncAfter(deadline: .now() + .seconds(Int(Self.pause) / 2)) { [weak self] in self?.thinLater() }
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
            isOwed.store(false, ordering: .sequentiallyConsistent)
            _ = try? workshop?.thinVersions()
        }
    }
}
