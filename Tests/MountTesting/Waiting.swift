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
