/// One object of a binary property list: a scalar, or where its bytes or its references lie.
/// Never a tree; what it refers to is read when it is asked for.
public enum BinaryObject: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int128)
    case float(Float)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case uid(UInt64)
    case data(ByteRange)
    case string(EncodedText)
    case array(References)
    case set(References)
    case dictionary(keys: References, values: References)
}

/// A string as the file has it.
public struct EncodedText: Hashable, Sendable {
    public let range: ByteRange
    /// UTF-16, big-endian; otherwise ASCII.
    public let isWide: Bool
}

/// A row of object numbers in the file.
public struct References: Hashable, Sendable {
    let offset: Int64
    public let count: Int
}
