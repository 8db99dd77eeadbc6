import Foundation

/// Something about a drive that somebody should look at.
public struct DriveProblem: Identifiable, Equatable, Sendable {
    public let id: String
    public let title: String
    public let reason: String
    /// A file on the drive that it is about.
    public let path: String?
}

extension ValiseProgram {
    private struct DoctorAnswer: Decodable { let findings: [Found] }

    private struct Found: Decodable {
        let grade: String, sentence: String, mend: String?
    }

    /// What is wrong with a container and its drives, and how it is put right, in the doctor's words.
    public func problems(of container: String?) async throws -> [DriveProblem] {
        let found = container == nil ? try await answer("doctor", "--json", as: DoctorAnswer.self) : try await answer("doctor", "--json", "--", container ?? "", as: DoctorAnswer.self)
        return found.findings.filter { $0.grade == "problem" }.map { DriveProblem(id: $0.sentence, title: $0.sentence, reason: $0.mend.map { "To fix it: " + $0 } ?? "", path: nil) }
    }
}

extension Drive {
    /// What its own page tells of.
    public var problems: [DriveProblem] {
        var found: [DriveProblem] = []
        if let fault { found.append(DriveProblem(id: "drive", title: isAnswering ? "The container is not where it was" : "This drive does not answer", reason: fault, path: nil)) }
        found += drafts.map { DriveProblem(id: "draft " + $0.path, title: place(of: $0.path), reason: "Not saved yet: " + ($0.reason ?? "it is open"), path: $0.path) }
        found += errors.map { DriveProblem(id: "error " + $0.path, title: place(of: $0.path), reason: $0.reason ?? "It is not understood", path: $0.path) }
        return found
    }
}
