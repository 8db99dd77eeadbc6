import Containers
import Glibc
import LinuxFiles

/// Opens documents, in their lanes.
final class DocumentOpening: Sendable {
    private let options: DriveOptions
    private let documents: OpenDocuments
    private let readers: DocumentReaders
    private let writing: DraftWriting
    private let accesses: AccessNotes
    private let seenRoom = SeenRoom()

    init(
        options: DriveOptions, documents: OpenDocuments, readers: DocumentReaders, writing: DraftWriting,
        accesses: AccessNotes
    ) {
        (self.options, self.documents, self.readers) = (options, documents, readers)
        (self.writing, self.accesses) = (writing, accesses)
    }

    /// To read it, beside others who do; nil where something has to change for that.
    func join(_ id: NodeNumber, flags: Int32, _ caller: Caller) throws(Errno) -> Opened? {
        let joined = try documents.join(
            id, by: caller, FileRights(opening: flags), isAccess: accesses.areMade(by: flags))
        guard let (document, opened) = joined else { return nil }
        readers.noteReading(of: document, id, by: caller)
        return opened
    }

    /// With the lane to itself.
    func open(_ id: NodeNumber, flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        let writes = flags & O_ACCMODE != O_RDONLY, truncates = flags & O_TRUNC != 0
        let (document, status) = try documents.attach(
            id, by: caller, FileRights(opening: flags), isAccess: accesses.areMade(by: flags))
        if writes { document.state.withLock { $0.writer = caller.thread } }
        if truncates {
            _ = try writing.draft(of: document, id, keepingContent: false, by: caller)
            return try documents.register(id, nil, .document(document), writes: true)
        }
        if flags & O_ACCMODE != O_WRONLY { readers.noteReading(of: document, id, by: caller) }
        return try documents.register(id, status, .document(document), writes: writes, seen: seen(of: document, flags))
    }

    /// What a program has seen that opens a document to read it and to write into it. A program that writes only to its
    /// end goes on from what is there.
    private func seen(of document: OpenDocument, _ flags: Int32) -> (SeenKey, SeenContent)? {
        guard flags & O_ACCMODE == O_RDWR, flags & O_APPEND == 0, options.keepsVersions else { return nil }
        let state = document.state.withLock { $0 }
        guard state.draft == nil else { return (seenRoom.nextKey(), SeenContent(nil, nil, seenRoom)) }
        let same = state.seen.values.first { $0.stamp == state.stamp }
        return (seenRoom.nextKey(), same ?? SeenContent(state.content, state.stamp, seenRoom))
    }
}
