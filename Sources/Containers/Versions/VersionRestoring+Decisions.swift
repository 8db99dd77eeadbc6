import Documents
import LinuxFiles

extension VersionRestoring {
    /// Does what was decided. In the document's lane.
    func carryOut(_ decision: VersionDecision, on document: DocumentPlace, shown: Name) throws(SaveFault) -> Outcome {
        switch decision {
        case .restore(let id): try restore(id, of: document, shown: shown)
        case .resolve(let decision): try resolve(document, shown: shown, decision)
        case .settle(let id): try settle(id, of: document)
        case .remove(let id): try remove(id, of: document)
        case .removeOthers: try removeVersions(of: document)
        }
    }

    private func remove(_ id: VersionID, of document: DocumentPlace) throws(SaveFault) -> Outcome {
        do throws(Errno) {
            guard let version = try container.versions(of: document).first(where: { $0.id == id }) else { throw .noSuchEntry }
            guard version.isDiscardable else { throw .notPermitted }
            try remove(version, of: document)
            return Outcome(stored: document.stored)
        } catch { throw .failed(error) }
    }

    private func removeVersions(of document: DocumentPlace) throws(SaveFault) -> Outcome {
        do throws(Errno) {
            for version in try container.versions(of: document) where version.isDiscardable { try remove(version, of: document) }
            return Outcome(stored: document.stored)
        } catch { throw .failed(error) }
    }

    /// Only what was kept here may go; what sync tools left is nobody's until it is decided about.
    private func remove(_ version: DocumentVersion, of document: DocumentPlace) throws(Errno) {
        guard case .kept(let entry) = version.location, let folder = try container.versionFolder(document.path + [document.stored]) else { return }
        try versions.discard(version: entry, in: folder)
    }
}
