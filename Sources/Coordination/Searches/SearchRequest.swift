/// What another program looks for in a drive, as it says that: docs/COORDINATION.md.
public struct SearchRequest: Equatable, Sendable {
    public let predicate: [UInt8]
    /// Only what lies in this folder: its names from the top of the documents on, with "/" between them.
    public let folder: [UInt8]
    /// 1: the documents; 2: what lies beside them.
    public let scopes: UInt8
    /// Attributes with commas between them, each with "-" before it where the greatest is first.
    public let sort: [UInt8]
    /// No more results than that.
    public let limit: UInt64
    /// It goes on: after what is there comes each change of that.
    public let isLive: Bool

    public init(predicate: [UInt8], folder: [UInt8], scopes: UInt8, sort: [UInt8], limit: UInt64, isLive: Bool = false) {
        (self.predicate, self.folder, self.scopes, self.sort, self.limit) = (predicate, folder, scopes, sort, limit)
        self.isLive = isLive
    }

    /// Whether it fits into a message.
    var isSayable: Bool { predicate.count + folder.count + sort.count + 64 < CoordinationProtocol.longest }
}
