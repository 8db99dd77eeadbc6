import Containers
import Dispatch
import LinuxFiles

// Old versions go when there are newer ones. Nobody waits for that.
extension Drive {
    /// Not more often than this, however much is saved.
    private static let thinningPause: Int64 = 60
    private static let thinning = DispatchQueue(label: "valise.thinning", qos: .background)

    /// A save has kept a version more.
    func orderThinning() {
        guard options.keepsVersions, workshop != nil else { return }
        let now = Timestamp.now.seconds
        let isDue = lastThinning.withLock { last in
            // A clock that was set back is no reason to wait.
            guard now - last >= Self.thinningPause || now < last else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        Self.thinning.asyncAfter(deadline: .now() + .seconds(Int(Self.thinningPause) / 2)) { [weak self] in
            _ = try? self?.workshop?.thinVersions()
        }
    }
}
