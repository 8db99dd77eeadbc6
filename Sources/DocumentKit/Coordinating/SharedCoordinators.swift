import Coordination
import LinuxFiles

/// The containers that this process has to do with: one coordinator each, as long as the container is the same folder.
enum SharedCoordinators {
    private struct Known: Sendable {
        let coordinator: FileCoordinator
        /// The identity of the folder that the coordinator has open.
        let identity: FileIdentity?
    }

    private static let coordinators = Locked<[String: Known]>([:])

    /// `identity`: which folder that is now, for who has just looked at it.
    static func coordinator(of path: String, _ identity: FileIdentity? = nil) throws -> FileCoordinator {
        let now = identity ?? (try? Descriptor.atPath(path, [.path, .folder]).status().identity)
        if let known = coordinators.withLock({ $0[path] }), let now, known.identity == now { return known.coordinator }
        let new = try FileCoordinator(path), known = Known(coordinator: new, identity: try? new.reading.base.descriptor.status().identity)
        coordinators.withLock { $0[path] = known }
        return new
    }
}
