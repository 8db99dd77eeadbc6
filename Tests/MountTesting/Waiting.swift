import Foundation

/// How long a test waits for what must come, before it says that it did not. Long enough for a machine that does
/// something else meanwhile: it is no measurement.
public let patience: TimeInterval = 60

/// Waits until something is so. The answer says whether it was before patience ended.
@discardableResult
public func eventually(within seconds: TimeInterval = patience, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while try !condition() {
        guard Date() < deadline else { return false }
        usleep(3000)
    }
    return true
}

/// The same, without keeping the caller's thread: throws where it never was.
public func awaited(isolation: isolated (any Actor)? = #isolation, _ what: String, _ condition: () -> Bool) async throws {
    let deadline = Date() + patience
    while !condition() {
        guard Date() < deadline else { throw Failed("not seen: \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
