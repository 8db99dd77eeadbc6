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
        try decide(.version(.restore(version.id)))
    }

    /// Ends all of the document's conflicts.
    public func resolveConflicts(_ decision: ConflictDecision) throws(Failure) { try decide(.version(.resolve(decision))) }

    /// A conflict was decided about, once and for all: the version stays one like others.
    public func markResolved(_ version: DocumentVersion) throws(Failure) {
        guard !version.isCurrent else { throw Failure(.invalid, "what “\(path)” is now is no conflict") }
        try decide(.version(.settle(version.id)))
    }

    /// Removes a version for good. What the document is now cannot be removed so, nor a conflict that nobody has decided about.
    public func remove(_ version: DocumentVersion) throws(Failure) {
        guard !version.isCurrent else { throw Failure(.invalid, "what “\(path)” is now is no version that could be removed: remove the document") }
        guard version.isDiscardable else { throw Failure(.notPermitted, "nobody has decided about the conflict \(version.id) of “\(path)” yet") }
        try decide(.version(.remove(version.id)))
    }

    /// Removes every version but the current one and unresolved conflicts.
    public func removeOtherVersions() throws(Failure) { try decide(.version(.removeOthers)) }

    /// Removes the versions of the document, or of all documents in the folder, that were written before a moment (in seconds since
    /// 1970): every one but the current ones and unresolved conflicts.
    public func purgeVersions(before moment: Int64? = nil) throws(Failure) { try decide(.container(.purgeVersions(before: moment))) }

    /// Gives up what is being written to the document: it is what was saved last.
    public func dropDraft() throws(Failure) { try decide(.dropDraft) }

    /// Brings back what was deleted, by its numbers, to where it was. For who has claimed the whole container.
    public func undelete(_ numbers: [UInt64]) throws(Failure) { try tellInParts(numbers) { .undelete($0) } }

    /// Removes it for good.
    public func purge(_ numbers: [UInt64]) throws(Failure) { try tellInParts(numbers) { .purge($0) } }

    /// All of them are tried; the first sentence of what could not be done is told in the end.
    private func tellInParts(_ numbers: [UInt64], _ decision: ([UInt64]) -> ContainerDecision) throws(Failure) {
        guard let held, held.items[index].purpose.isWriting else { throw Failure(.badDescriptor, "the container is not claimed for writing") }
        var fault: Failure?
        for start in stride(from: 0, to: numbers.count, by: ClaimDecision.mostNumbers) {
            let part = Array(numbers[start..<min(start + ClaimDecision.mostNumbers, numbers.count)])
            do throws(Failure) { try held.decide(item: index, .container(decision(part))) } catch {
                guard error.errno == .invalid else { throw error }
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }

    private func decide(_ decision: ClaimDecision) throws(Failure) {
        guard let held, held.items[index].purpose.isWriting else { throw Failure(.badDescriptor, "“\(path)” is not claimed for writing") }
        do throws(Failure) { try held.decide(item: index, decision) } catch {
            if decision == .dropDraft || path.names.isEmpty { throw error }
            throw Failure(error.errno, "the versions of “\(path)” stay as they are: \(error.sentence)", cause: error.cause)
        }
    }

    private func document() throws(Failure) -> DocumentPlace {
        do throws(Errno) { return try container.versioned(at: path.names).place } catch {
            throw Failure(error, error == .invalid || error == .isDirectory ? "“\(path)” is no document" : "“\(path)” cannot be read: \(error)", cause: error)
        }
    }
}
