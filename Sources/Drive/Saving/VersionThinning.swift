import Containers
import Coordination
import Dispatch
import LinuxFiles

/// Old versions, and what was deleted long ago, go when there are newer ones. Nobody waits for that but the end of the drive; and who says
/// that versions are to go.
final class VersionThinning: Sendable {
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let options: DriveOptions
    private let thinnings = Locked(Thinnings())

    init(coordinator: DocumentCoordinator, workshop: Workshop?, options: DriveOptions) {
        (self.coordinator, self.workshop, self.options) = (coordinator, workshop, options)
    }

    /// `afterChange`: a version more may have been kept, or something deleted.
    func order(afterChange: Bool = true) {
        guard options.keepsVersions || options.keepsDeleted, workshop != nil else { return }
        let now = Timestamp.now.seconds
        let isDue = thinnings.withLock { thinnings in
            if afterChange { thinnings.isOwed = true }
            // A clock that was set back is no reason to wait.
            guard now - thinnings.last >= Thinnings.pause || now < thinnings.last else { return false }
            thinnings.last = now
            return true
        }
        guard isDue else { return }
        DispatchQueue.global(qos: .background).asyncAfter(deadline: .now() + .seconds(Int(Thinnings.pause) / 2)) { [weak self] in self?.thinLater() }
    }

    /// A drive that ends soon after a save has thinned nothing yet.
    func thinWhatIsOwed() {
        if thinnings.withLock({ $0.isOwed }) { thinLater() }
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
            thinnings.withLock { $0.isOwed = false }
            _ = try? workshop?.thinVersions()
        }
    }
}

/// When versions were thinned, or are to be.
struct Thinnings {
    /// Not more often than this, however much is saved: in seconds.
    static let pause: Int64 = 60
    var last: Int64 = 0
    /// A version was kept, or something deleted, since.
    var isOwed = false
}
