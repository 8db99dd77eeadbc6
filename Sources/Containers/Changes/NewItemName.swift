import Documents
import LinuxFiles

/// What a new item is called: as its app would call it, or the next name that is free.
package enum NewItemName {
    private static let mostAttempts = 10_000

    /// Runs `body` with one name after another, until it does not say that the name is taken. `first` is one that is tried before all others: what
    /// the item was called. `time`: when it came to be, where that is not now. Without a kind it is a plain file's.
    package static func trying<Value>(
        _ kind: KindID?, for shown: Name, first: Name? = nil, at time: UnixMicroseconds? = nil, _ body: (Name) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        if let first {
            do throws(Errno) { return try body(first) } catch { if error != .exists { throw error } }
        }
        var attempt = 0
        while true {
            do throws(Errno) { return try body(name(kind, for: shown, at: time, attempt)) } catch {
                guard error == .exists, attempt < mostAttempts else { throw error }
                attempt += 1
            }
        }
    }

    private static func name(_ kind: KindID?, for shown: Name, at time: UnixMicroseconds?, _ attempt: Int) throws(Errno) -> Name {
        guard let kind else { return attempt == 0 ? shown : ShownName.numbered(shown, attempt) }
        guard let name = Name(kind.kind.storedName(forShown: shown.bytes, at: time ?? now, attempt: attempt)) else { throw .nameTooLong }
        return name
    }

    private static var now: UnixMicroseconds {
        let now = Timestamp.now
        return UnixMicroseconds(rawValue: now.seconds &* 1_000_000 &+ Int64(now.nanoseconds / 1000))
    }
}
