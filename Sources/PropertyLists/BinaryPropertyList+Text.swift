/// Strings of a binary property list, and looking members up by key without making any.
extension BinaryPropertyList {
    public func text(_ encoded: EncodedText) throws(PropertyListFault) -> String {
        try checkLength(encoded)
        guard encoded.isWide else { return try windows.text(at: encoded.range.offset, count: Int(encoded.range.length)) }
        return String(decoding: Array(UTF16Units(bytes: try rawText(encoded), isLittleEndian: false)), as: UTF16.self)
    }

    /// The string that an object is; nil for any other object.
    public func text(at index: Int) throws(PropertyListFault) -> String? {
        guard case .string(let encoded) = try object(at: index) else { return nil }
        return try text(encoded)
    }

    func rawText(_ encoded: EncodedText) throws(PropertyListFault) -> [UInt8] {
        try checkLength(encoded)
        return try windows.bytes(at: encoded.range.offset, count: Int(encoded.range.length))
    }

    private func checkLength(_ encoded: EncodedText) throws(PropertyListFault) {
        guard encoded.range.length <= Int64(limits.stringLength) else {
            throw .excessive("A string of \(encoded.range.length) bytes is longer than \(limits.stringLength).")
        }
    }

    /// Whether an object is this ASCII string.
    public func matches(_ index: Int, _ wanted: String) throws(PropertyListFault) -> Bool {
        guard case .string(let encoded) = try object(at: index) else { return false }
        let stride = encoded.isWide ? 2 : 1
        guard encoded.range.length == Int64(wanted.utf8.count * stride) else { return false }
        return try windows.equal(at: encoded.range.offset, wanted.utf8, stride: stride)
    }

    /// Which of these ASCII strings an object is; nil for none of them.
    public func firstMatch(_ index: Int, among wanted: [String]) throws(PropertyListFault) -> Int? {
        guard case .string(let encoded) = try object(at: index) else { return nil }
        let stride = encoded.isWide ? 2 : 1
        for (position, text) in wanted.enumerated() where encoded.range.length == Int64(text.utf8.count * stride) {
            if try windows.equal(at: encoded.range.offset, text.utf8, stride: stride) { return position }
        }
        return nil
    }

    /// The number of the object under an ASCII key; the first, should there be two.
    public func member(_ key: String, keys: References, values: References) throws(PropertyListFault) -> Int? {
        guard keys.count <= limits.memberCount else {
            throw .excessive("A dictionary has \(keys.count) members, more than \(limits.memberCount).")
        }
        for position in 0..<keys.count where try matches(try reference(position, of: keys), key) {
            return try reference(position, of: values)
        }
        return nil
    }
}

/// The code units in a row of bytes; an odd byte at the end is left out.
public struct UTF16Units: Sequence, IteratorProtocol, Sendable {
    private let bytes: [UInt8]
    private let isLittleEndian: Bool
    private var position: Int

    public init(bytes: [UInt8], from start: Int = 0, isLittleEndian: Bool) {
        self.bytes = bytes
        self.isLittleEndian = isLittleEndian
        position = start
    }

    public mutating func next() -> UInt16? {
        guard position + 1 < bytes.count else { return nil }
        let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
        position += 2
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }
}
