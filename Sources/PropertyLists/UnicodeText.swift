/// Bytes of a text file as UTF-8: a byte order mark tells UTF-16, and is left out.
public struct UnicodeText: Hashable, Sendable {
    public let utf8: [UInt8]

    /// Nil when the bytes are no valid UTF-8, or UTF-16 behind a mark.
    public init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let units = UTF16Units(bytes: bytes, from: 2, isLittleEndian: bytes[0] == 0xFF)
            guard bytes.count % 2 == 0, let text = String(validating: Array(units), as: UTF16.self) else { return nil }
            utf8 = Array(text.utf8)
            return
        }
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: rest, as: UTF8.self) != nil else { return nil }
        utf8 = rest
    }
}
