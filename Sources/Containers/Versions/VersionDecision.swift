import Documents
import LinuxFiles

/// What somebody decides about what a document is and was.
public enum VersionDecision: Hashable, Sendable {
    /// The document gets this version's content.
    case restore(VersionID)
    /// Its conflicts end, so.
    case resolve(ConflictDecision)
    /// This one is no conflict any more, and the document stays what it is.
    case settle(VersionID)
    /// This one goes for good.
    case remove(VersionID)
    /// All that may go, goes.
    case removeOthers
}

// As it is sent to whoever writes in the container: "restore 2026-11-21T23-27-33.123456Z".
extension VersionDecision {
    public var text: String {
        switch self {
        case .restore(let id): "restore \(id)"
        case .resolve(.version(let id)): "resolve \(id)"
        case .resolve(.current): "resolve current"
        case .resolve(.both): "resolve both"
        case .settle(let id): "settle \(id)"
        case .remove(let id): "remove \(id)"
        case .removeOthers: "remove others"
        }
    }

    public init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        let id = VersionID(words[1])
        switch (words[0], words[1], id) {
        case ("restore", _, let id?): self = .restore(id)
        case ("resolve", "current", _): self = .resolve(.current)
        case ("resolve", "both", _): self = .resolve(.both)
        case ("resolve", _, let id?): self = .resolve(.version(id))
        case ("settle", _, let id?): self = .settle(id)
        case ("remove", "others", _): self = .removeOthers
        case ("remove", _, let id?): self = .remove(id)
        default: return nil
        }
    }
}

extension Workshop {
    /// Does what was decided. In the document's lane.
    public func carryOut(_ decision: VersionDecision, on document: DocumentPlace, shown: Name) throws(SaveFault) {
        switch decision {
        case .restore(let id): try restore(id, of: document, shown: shown)
        case .resolve(let decision): try resolve(document, shown: shown, decision)
        case .settle(let id): try settle(id, of: document)
        case .remove(let id): try remove(id, of: document)
        case .removeOthers: try removeVersions(of: document)
        }
    }

    /// The same where nothing of the container is shown: the document is called what it calls itself.
    public func carryOut(_ decision: VersionDecision, on path: [Name]) throws(SaveFault) {
        let (document, shown): (DocumentPlace, Name)
        do throws(Errno) { (document, shown) = try container.document(at: path) } catch { throw .failed(error) }
        try carryOut(decision, on: document, shown: shown)
    }

    private func remove(_ id: VersionID, of document: DocumentPlace) throws(SaveFault) {
        do throws(Errno) {
            guard let version = try container.versions(of: document).first(where: { $0.id == id }) else { throw .noSuchEntry }
            guard version.isDiscardable else { throw .notPermitted }
            try remove(version, of: document)
        } catch { throw .failed(error) }
    }

    private func removeVersions(of document: DocumentPlace) throws(SaveFault) {
        do throws(Errno) {
            for version in try container.versions(of: document) where version.isDiscardable { try remove(version, of: document) }
        } catch { throw .failed(error) }
    }

    /// Only what was kept here may go; what sync tools left is nobody's until it is decided about.
    private func remove(_ version: DocumentVersion, of document: DocumentPlace) throws(Errno) {
        guard case .kept(let entry) = version.location, let folder = try container.versionFolder(document.path + [document.stored]) else { return }
        try discard(version: entry, in: folder)
    }
}
