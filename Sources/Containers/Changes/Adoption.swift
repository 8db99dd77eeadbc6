import LinuxFiles

/// What another computer has of an item, or has done with it. It holds as long as what is here is what that computer knew.
public struct Adoption: Sendable {
    public enum What: Sendable {
        /// This is what the item is: it lies in `.valise/handed` under this name, whole. A file, a package, an empty folder, a symbolic link.
        case current(Name)
        /// This is what the document was once, or is over there while it is something else here. It lies there in the same way.
        case version(Name, isConflict: Bool)
        /// The item has these permissions over there, and gets them here.
        case permissions(UInt32)
        /// It was deleted.
        case gone
        /// It is there now: its names from the documents on, where nothing is.
        case moved(to: [Name])
    }

    /// What has to be here.
    public enum Expectation: Hashable, Sendable {
        case anything, nothing
        /// A document, file or symbolic link with this content.
        case content(BaseStamp)
        /// A folder that is no document.
        case folder
    }

    public let what: What
    /// Its names from the documents on, as it is stored.
    public let item: [Name]
    public let expected: Expectation
    /// Where its content was saved, and when. Of what has no content, nobody asks.
    public let provenance: Provenance

    public init(_ what: What, of item: [Name], expecting expected: Expectation, from provenance: Provenance) {
        (self.what, self.item, self.expected, self.provenance) = (what, item, expected, provenance)
    }
}
