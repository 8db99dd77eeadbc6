import Coordination
import LinuxFiles

/// The containers that this process has to do with: one coordinator each, as long as the container is the same folder.
enum SharedCoordinators {
    private static let coordinators = Locked<[String: FileCoordinator]>([:])

    static func coordinator(of path: String) throws -> FileCoordinator {
        let status = try? Descriptor.atPath(path, [.path, .folder]).status()
        if let known = coordinators.withLock({ $0[path] }), let now = try? known.reading.base.descriptor.status(), now.identity == status?.identity { return known }
        let new = try FileCoordinator(path)
        return coordinators.withLock { all in
            all[path] = new
            return new
        }
    }
}
