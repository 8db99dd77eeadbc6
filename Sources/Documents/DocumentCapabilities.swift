import PropertyLists

/// Small images that documents of a kind keep beside their content.
public protocol ThumbnailKeeping: Sendable {
    /// In which of the kind's parts it lies, by its place in `written`.
    var part: Int { get }

    /// Where it lies in that part; nil where there is none.
    func range(in part: any ByteSource) throws(DocumentFault) -> ByteRange?

    /// Whether one is still to be made of a document that was saved by way of a drive.
    func isAwaited(_ part: any ByteSource) -> Bool

    /// The part with another one: the part that there is, or a new one in this spelling.
    func setting(_ png: [UInt8], in part: (any ByteSource)?, spelling: Spelling?) throws(DocumentFault) -> [UInt8]
}

/// What is worth telling of a document that can be read. Each is the end of a sentence that begins with the document.
public enum DocumentRemark: Hashable, Sendable {
    /// Apps read its text otherwise than it was written.
    case otherEncoding(String)
    /// It is a document, and has no content.
    case empty(String)
    /// Not every system that has the app can show it.
    case newer(String)
}
