import Foundation

/// Opens what only one may have open, a moment after it was closed: a program that another test starts has this process's locks for an instant, until
/// it is that program. `isLocked`: whether an error says that.
public func whenUnlocked<Value, Failure: Error>(_ isLocked: (Failure) -> Bool, _ open: () throws(Failure) -> Value) throws(Failure) -> Value {
    let deadline = Date().addingTimeInterval(patience)
    while true {
        do throws(Failure) { return try open() } catch {
            guard isLocked(error), Date() < deadline else { throw error }
            usleep(500)
        }
    }
}
