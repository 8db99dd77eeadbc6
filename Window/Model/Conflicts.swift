import Foundation

extension ValiseProgram {
    private struct ConflictsAnswer: Decodable { let documents: [Conflicted] }

    private struct Conflicted: Decodable {
        let path: String, current: CurrentAnswer, conflicts: [VersionAnswer]
    }

    /// The documents that wait for somebody to decide, each with what it is now and the others.
    public func conflicts(on drive: Drive) async throws -> [DocumentHistory] {
        try await answer("conflicts", "--json", "--", drive.mountpoint, as: ConflictsAnswer.self).documents.map { DocumentHistory($0.path, $0.current, $0.conflicts, on: drive) }
    }

    /// That is what the document becomes, or stays; the others are versions then.
    public func decide(_ path: String, for version: DocumentVersion) async throws { try await perform(["resolve"] + (version.isNow ? ["--current", "--", path] : ["--", path, version.id])) }

    /// The others become documents of their own beside it.
    public func keepBoth(_ path: String) async throws { try await perform(["resolve", "--both", "--", path]) }
}
