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

/// The same, without keeping the caller's thread: throws where it never was. It looks so many times, and does not go by the clock: tests that
/// wait for programs can keep the few threads that all tasks share for minutes, and what is waited for needs one of them, too.
public func awaited(isolation: isolated (any Actor)? = #isolation, _ what: String, _ condition: () -> Bool) async throws {
    for _ in 0..<Int(patience / 0.005) {
        if condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw Failed("not seen: \(what)")
}
