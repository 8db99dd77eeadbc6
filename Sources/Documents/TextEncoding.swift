/// What a text that is not UTF-8 and has no mark is encoded in, as far as its bytes tell.
enum TextEncoding {
    /// As `iconv` calls it; nil where several are as likely, or none is.
    static func likely(of bytes: [UInt8]) -> String? {
        if isShiftJIS(bytes) { return "SHIFT_JIS" }
        // Letters of Western languages are mostly ASCII; those of others are not.
        guard bytes.count(where: isLetter) >= bytes.count(where: { $0 >= 0x80 }) else { return nil }
        // There are control characters in ISO-8859-1, which no text has, and quotation marks in what Windows writes.
        guard bytes.contains(where: { (0x80...0x9F).contains($0) }) else { return "ISO-8859-1" }
        return bytes.contains { [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) } ? nil : "WINDOWS-1252"
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    /// All of it is, and there are kana or Japanese punctuation: a few letters beside quotation marks of Windows are pairs, too.
    private static func isShiftJIS(_ bytes: [UInt8]) -> Bool {
        var hasKana = false, lead: UInt8?
        for byte in bytes {
            if let first = lead {
                guard (0x40...0x7E).contains(byte) || (0x80...0xFC).contains(byte) else { return false }
                hasKana = hasKana || (0x81...0x83).contains(first)
                lead = nil
            } else if (0x81...0x9F).contains(byte) || (0xE0...0xFC).contains(byte) {
                lead = byte
            } else if byte == 0x80 || byte == 0xA0 || byte > 0xFC {
                return false
            }
        }
        return hasKana
    }
}
