import Foundation

/// What a document is, or was at one time.
public struct DocumentVersion: Identifiable, Equatable, Sendable {
    /// 0 is what it is now.
    public let number: Int
    /// Stays the same, whatever is saved: where the version is named.
    public let id: String
    public let date: Date
    public let size: Int64?
    public let computer: String
    public let waits: Bool
    /// Where it can be read. Nil where no drive shows it.
    public let file: String?

    public var isNow: Bool { number == 0 }
}

/// A document and its earlier versions, the newest first. The first of all is what it is now.
public struct DocumentHistory: Equatable, Sendable {
    public let path: String
    public let versions: [DocumentVersion]

    public var name: String { (path as NSString).lastPathComponent }
    public var others: [DocumentVersion] { versions.filter { $0.waits } }
}

struct VersionAnswer: Decodable {
    let number: Int, version: String, modified: Date, size: Int64?, computer: String, conflict: Bool, resolved: Bool
}

struct CurrentAnswer: Decodable { let modified: Date, size: Int64?, computer: String }

extension DocumentHistory {
    init(_ path: String, _ current: CurrentAnswer, _ versions: [VersionAnswer], on drive: Drive?) {
        self.path = path
        // Called as the version, with the document's extension behind it; one that waits says so.
        let folder = drive.map { $0.control("versions/") + $0.place(of: path) }
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        self.versions = [DocumentVersion(number: 0, id: "now", date: current.modified, size: current.size, computer: current.computer, waits: false, file: path)]
            + versions.map { version in
                let name = names.first { $0.hasPrefix(version.version) }
                return DocumentVersion(number: version.number, id: version.version, date: version.modified, size: version.size, computer: version.computer,
                    waits: version.conflict && !version.resolved, file: name.flatMap { name in folder.map { $0 + "/" + name } })
            }
    }
}

extension ValiseProgram {
    private struct VersionsAnswer: Decodable { let documents: [Versioned] }

    private enum Versioned: Decodable {
        case known(path: String, current: CurrentAnswer, versions: [VersionAnswer])
        case fault(String)

        private enum Key: String, CodingKey { case path, current, versions }

        init(from decoder: any Decoder) throws {
            if let fault = try? FaultAnswer(from: decoder) {
                self = .fault(fault.sentence)
                return
            }
            let values = try decoder.container(keyedBy: Key.self)
            self = .known(path: try values.decode(String.self, forKey: .path), current: try values.decode(CurrentAnswer.self, forKey: .current), versions: try values.decode([VersionAnswer].self, forKey: .versions))
        }
    }

    public func history(of path: String, on drive: Drive?) async throws -> DocumentHistory {
        switch try await answer("versions", "--json", "--", path, as: VersionsAnswer.self).documents.first {
        case .known(let path, let current, let versions): return DocumentHistory(path, current, versions, on: drive)
        case .fault(let sentence): throw ValiseFault(sentence)
        case nil: throw ValiseFault("“\(path)” is no document.")
        }
    }

    /// The document becomes what it was. What it is now is a version then.
    public func restore(_ path: String, _ version: DocumentVersion) async throws { try await perform(["restore", "--", path, version.id]) }

    /// In what a version differs from what the document is now, in words: of a photo by its size and its dimensions.
    public func difference(of path: String, _ version: DocumentVersion) async throws -> String {
        let ended = try await run(["diff", "--", path, version.id])
        switch ended.code {
        case 0: return "This version is what it is now."
        case 1: return String(decoding: ended.output, as: UTF8.self)
        default: throw ValiseFault(Self.sentence(ended.errors))
        }
    }

    /// Unsaved changes are given up.
    public func restoreSaved(_ path: String) async throws { try await perform(["restore", "--saved", "--", path]) }

    /// What is called so in the container, as the drive shows it. Nil where that is not known.
    public func shownPath(of stored: String, on drive: Drive) async -> String? {
        let name = (stored as NSString).lastPathComponent
        guard let container = drive.container, !name.contains("'"), !name.contains("\\") else { return nil }
        guard let ended = try? await run(["find", "--json", "--limit", "100", "--", "stored == '\(name)'", drive.mountpoint]) else { return nil }
        let found = ended.output.split(separator: UInt8(ascii: "\n")).compactMap { try? Self.decoder.decode(FoundItem.self, from: $0).path }
        // Of several that are called so, the one in the same folder.
        let folders = ["", "/Documents"].map { container + $0 + "/" }
        return found.first { path in
            let folder = (drive.place(of: path) as NSString).deletingLastPathComponent
            return folders.contains { ($0 as NSString).appendingPathComponent(folder.isEmpty ? name : folder + "/" + name) == stored }
        }
    }

    private struct InfoAnswer: Decodable { let documents: [Info] }
    private struct Info: Decodable { let kind: String?, url: String?, state: String?, error: String?, why: String?, next: String?, storedName: String? }

    /// A sentence about a file that has no versions, or that waits.
    public func remark(on path: String) async -> String? {
        guard let info = try? await answer("info", "--json", "--", path, as: InfoAnswer.self).documents.first else { return nil }
        if let error = info.error { return error + (info.next.map { "; " + $0 } ?? "") }
        return info.why
    }
}
