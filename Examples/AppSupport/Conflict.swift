import DocumentKit
import Foundation

/// A document that two sides changed at once.
public enum Conflict {
    /// What it is now, and what it could be; empty where nobody has to decide.
    public static func versions(of file: URL) -> [NSFileVersion] {
        let others = NSFileVersion.unresolvedConflictVersionsOfItem(at: file) ?? []
        guard !others.isEmpty, let current = NSFileVersion.currentVersionOfItem(at: file) else { return [] }
        return [current] + others
    }

    /// The document becomes that one of ``versions(of:)``; what it was stays one of its versions.
    public static func resolve(_ file: URL, with number: Int) async throws {
        try await Coordinated.run {
            let others = NSFileVersion.unresolvedConflictVersionsOfItem(at: file) ?? []
            guard (0...others.count).contains(number), !others.isEmpty else { throw AppFault("There is no side \(number) of a conflict.") }
            if number > 0 { try others[number - 1].replaceItem(at: file) }
            for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: file) ?? [] { version.isResolved = true }
            guard NSFileVersion.unresolvedConflictVersionsOfItem(at: file)?.isEmpty == true else { throw AppFault("The conflict could not be resolved: the container cannot be written.") }
        }
    }
}
