import Containers
import Documents
import Glibc
import LinuxFiles

// What a document was: the facts and rules of NSFileVersion, for whoever has claimed the document. What is decided is done
// by the one process that writes in the container, in the claim: all of it or nothing.
extension CoordinatedItem {
    /// What the document is now. It is in none of the lists.
    public func currentVersion() throws(Failure) -> DocumentVersion {
        let document = try document()
        do throws(DocumentFault) { return try container.currentVersion(of: document) } catch {
            throw Failure(.inputOutput, "“\(path)” cannot be read: \(ItemReader.sentence(of: error))")
        }
    }

    /// What it was, and what it is on other computers; the newest first.
    public func otherVersions() throws(Failure) -> [DocumentVersion] {
        let document = try document()
        do throws(Errno) { return try container.versions(of: document) } catch { throw Failure(error, "the versions of “\(path)” cannot be read: \(error)", cause: error) }
    }

    /// The versions that somebody has to decide about.
    public func unresolvedConflictVersions() throws(Failure) -> [DocumentVersion] { try otherVersions().filter(\.isUnresolved) }

    /// The version that has this name, which is the same for as long as there is one. Nil where there is none any more.
    public func version(_ identifier: VersionID) throws(Failure) -> DocumentVersion? { try otherVersions().first { $0.id == identifier } }

    /// Gives the document a version's content. It keeps its name, and what it is now becomes a version.
    public func replaceCurrent(with version: DocumentVersion) throws(Failure) {
        guard !version.isCurrent else { return }
        try decide(.restore(version.id))
    }

    /// Ends all of the document's conflicts.
    public func resolveConflicts(_ decision: ConflictDecision) throws(Failure) { try decide(.resolve(decision)) }

    /// A conflict was decided about, once and for all: the version stays one like others.
    public func markResolved(_ version: DocumentVersion) throws(Failure) {
        guard !version.isCurrent else { throw Failure(.invalid, "what “\(path)” is now is no conflict") }
        try decide(.settle(version.id))
    }

    /// Removes a version for good. What the document is now cannot be removed so, nor a conflict that nobody has decided about.
    public func remove(_ version: DocumentVersion) throws(Failure) {
        guard !version.isCurrent else { throw Failure(.invalid, "what “\(path)” is now is no version that could be removed: remove the document") }
        guard version.isDiscardable else { throw Failure(.notPermitted, "nobody has decided about the conflict \(version.id) of “\(path)” yet") }
        try decide(.remove(version.id))
    }

    /// Removes every version but the current one and unresolved conflicts.
    public func removeOtherVersions() throws(Failure) { try decide(.removeOthers) }

    private func decide(_ decision: VersionDecision) throws(Failure) {
        guard let held, held.items[index].purpose.isWriting else { throw Failure(.badDescriptor, "“\(path)” is not claimed for writing") }
        do throws(Failure) { try held.connection.decide(held.number, item: UInt8(index), decision) } catch {
            throw Failure(error.errno, "the versions of “\(path)” stay as they are: \(error.sentence)", cause: error.cause)
        }
    }

    private func document() throws(Failure) -> DocumentPlace {
        do throws(Errno) { return try container.document(at: path.names).place } catch {
            throw Failure(error, error == .invalid || error == .isDirectory ? "“\(path)” is no document" : "“\(path)” cannot be read: \(error)", cause: error)
        }
    }
}
