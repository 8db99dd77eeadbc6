import Foundation
import MountTesting

/// The container that is the app's own in this process: a process has one environment, so it is named once.
enum OwnContainer {
    static let container: TemporaryContainer = {
        do {
            let container = try TemporaryContainer("folder Documents")
            setenv("VALISE_CONTAINER", container.path, 1)
            setenv("XDG_CACHE_HOME", container.beside("cache"), 1)
            setenv("XDG_CONFIG_HOME", container.beside("config"), 1)
            return container
        } catch { fatalError("\(error)") }
    }()

    static var documents: URL { URL(fileURLWithPath: container.path).appendingPathComponent("Documents") }

    /// A folder for one test, and the container that is named for it.
    static func folder() throws -> URL {
        let folder = documents.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// Waits until something is so, where the caller is.
func until(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async throws {
    for _ in 0..<3_000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
    guard condition() else { throw NeverSo() }
}

struct NeverSo: Error {}
