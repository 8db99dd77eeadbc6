/// Where in a source some bytes lie.
public struct ByteRange: Hashable, Sendable {
    public let offset: Int64
    public let length: Int64

    public init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }
}
