/// What stands between `&` and `;` in XML and HTML: the five names that both know, and numbers.
///
/// No other name has a meaning here, so nothing that a document declares is ever expanded.
package enum CharacterReference {
    /// More bytes than any reference that means something needs: the search for `;` ends there.
    static let longest = 12

    /// The scalar of the reference that begins at `start`, where `&` is, and the place behind its `;`.
    package static func read(in bytes: ArraySlice<UInt8>, at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        guard bytes.indices.contains(start), bytes[start] == UInt8(ascii: "&") else { return nil }
        let body = bytes[(start + 1)...].prefix(longest)
        guard let end = body.firstIndex(of: UInt8(ascii: ";")), let scalar = scalar(of: body[..<end]) else { return nil }
        return (scalar, end + 1)
    }

    static func scalar(of body: ArraySlice<UInt8>) -> Unicode.Scalar? {
        if body.first == UInt8(ascii: "#") { return number(body.dropFirst()) }
        for (name, scalar) in names where body.elementsEqual(name.utf8) { return scalar }
        return nil
    }

    private static let names: [(String, Unicode.Scalar)] = [
        ("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'"),
    ]

    private static func number(_ body: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let isHexadecimal = body.first == UInt8(ascii: "x") || body.first == UInt8(ascii: "X")
        let digits = isHexadecimal ? body.dropFirst() : body
        // UInt32's own reader takes a sign, which a reference must not have.
        guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let text = String(validating: digits, as: UTF8.self),
            let value = UInt32(text, radix: isHexadecimal ? 16 : 10), value != 0
        else { return nil }
        return Unicode.Scalar(value)
    }
}
