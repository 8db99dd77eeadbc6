/// One name in a folder: 1 to 255 bytes, no "/", no NUL, and neither "." nor "..".
///
/// Names are bytes, because that is what folders hold. One that breaks the rules cannot be made,
/// so nothing below has to check again.
public struct Name: Hashable, Sendable {
    public let bytes: [UInt8]

    public static let longest = 255

    @inlinable
    public init?(_ bytes: some Sequence<UInt8>) {
        self.init(adopting: Array(bytes))
    }

    public init?(_ text: String) {
        self.init(adopting: Array(text.utf8))
    }

    @usableFromInline
    init?(adopting bytes: [UInt8]) {
        guard (1...Self.longest).contains(bytes.count) else { return nil }
        guard !bytes.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else { return nil }
        guard bytes != [0x2E], bytes != [0x2E, 0x2E] else { return nil }
        self.bytes = bytes
    }

    /// A name that is written in the program and therefore known to be one.
    public init(constant literal: StaticString) {
        // SAFETY: a static string's bytes live as long as the program.
        let bytes = unsafe Array(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
        precondition(Name(bytes) != nil, "not a name")
        self.bytes = bytes
    }
}

extension Name: Comparable {
    public static func < (left: Name, right: Name) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension Name: CustomStringConvertible {
    /// The name as text that is safe to print: what is not UTF-8 is replaced, control characters are escaped.
    public var description: String { Self.printable(bytes) }

    /// The same of a text that is no name.
    public static func printable(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0..<0x20, 0x7F..<0xA0: text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Name {
    /// Calls `body` with the name as C wants it.
    @inline(__always)
    func withCString<Result>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Result) throws(Errno) -> Result {
        // SAFETY: the buffer is one longer than the longest name, zero-terminated, and lives through the call.
        try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) {
            (buffer) -> Swift.Result<Result, Errno> in
            for index in bytes.indices { unsafe buffer[index] = CChar(bitPattern: bytes[index]) }
            unsafe buffer[bytes.count] = 0
            do throws(Errno) { return .success(try unsafe body(UnsafePointer(buffer.baseAddress!))) }
            catch { return .failure(error) }
        }.get()
    }
}
