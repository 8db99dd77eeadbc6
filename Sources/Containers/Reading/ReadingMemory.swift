import Documents
import LinuxFiles

/// What packages were found to show that somebody looked at a while ago: where the content lies, and its name. As long as
/// their parts are the files that they were, they need not be looked into again.
///
/// Listing a folder does not fill it, and it holds a few thousand packages at most, those that were used last.
final class ReadingMemory: Sendable {
    /// A package's parts as they were when they were read. The name is one of them, because titles follow from it.
    struct Key: Hashable {
        let kind: KindID
        let name: Name
        let parts: [Part?]
        /// The names of the parts, for a kind whose parts are not always called the same.
        let names: [Name]

        init(_ kind: KindID, _ name: Name, _ parts: [FileStatus?], called names: [Name]) {
            self.names = names
            self.kind = kind
            self.name = name
            self.parts = parts.map { $0.map(Part.init) }
        }
    }

    struct Part: Hashable {
        let identity: FileIdentity
        let size: Int64
        let modified: Timestamp
        let changed: Timestamp

        init(_ status: FileStatus) {
            identity = status.identity
            size = status.size
            modified = status.modified
            changed = status.changed
        }
    }

    /// When `recent` is full it becomes `older`, and what was not used since is forgotten.
    private struct State {
        var recent: [Key: DocumentReading] = [:]
        var older: [Key: DocumentReading] = [:]
    }

    private static let half = 1024
    private let state = Locked(State())

    func reading(of key: Key) -> DocumentReading? {
        state.withLock { state in
            if let reading = state.recent[key] { return reading }
            guard let reading = state.older[key] else { return nil }
            Self.add(reading, key, to: &state)
            return reading
        }
    }

    /// A part that changed a moment ago may change once more without its times telling, and content that was taken into
    /// memory is too much to remember.
    func remember(_ reading: DocumentReading, _ key: Key, _ parts: [FileStatus?]) {
        guard case .range = reading.content, !parts.contains(where: { $0?.isUnsettled ?? false }) else { return }
        state.withLock { Self.add(reading, key, to: &$0) }
    }

    private static func add(_ reading: DocumentReading, _ key: Key, to state: inout State) {
        if state.recent.count >= half {
            state.older = state.recent
            state.recent = [:]
        }
        state.recent[key] = reading
    }
}
