@_spi(_Unicode) import Swift

/// Names as a drive shows them: letters with their marks as one (NFC), as Linux writes them. A device may have kept
/// them in pieces.
enum ComposedName {
    /// The bytes themselves where nothing is to be composed, where they are no text, or where they would be too long
    /// for a name.
    static func of(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else {
            return bytes
        }
        var composed: [UInt8] = []
        for scalar in text._nfc { composed += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter }
        return composed.count <= 255 ? composed[...] : bytes
    }
}
