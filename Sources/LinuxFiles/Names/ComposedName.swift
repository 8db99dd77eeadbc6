@_spi(_Unicode) import Swift

/// Names with their letters and marks as one character (NFC), as Linux writes them. A Mac or a phone may have stored them in pieces (NFD).
public enum ComposedName {
    /// Returns the bytes themselves where nothing is to be composed, where they are no text, or where they would be too long for a name.
    public static func of(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !isPlain(bytes), let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        let composed = utf8(text._nfc)
        return composed.count <= Name.longest && !composed.elementsEqual(bytes) ? composed[...] : bytes
    }

    fileprivate static func utf8(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt8] {
        scalars.reduce(into: []) { $0 += UTF8.encode($1) ?? UTF8.encodedReplacementCharacter }
    }

    /// ASCII has one form only. Most names are that, so this comes first.
    @inline(__always)
    static func isPlain(_ bytes: some Collection<UInt8>) -> Bool { bytes.allSatisfy { $0 < 0x80 } }
}

extension Name {
    /// The name in NFC.
    public var composed: Name { isPlain ? self : Name(ComposedName.of(bytes[...])) ?? self }

    /// The name in NFD.
    public var decomposed: Name {
        guard !isPlain, let text = String(validating: bytes, as: UTF8.self) else { return self }
        return Name(ComposedName.utf8(text._nfd)) ?? self
    }

    /// Only ASCII: the name has no other form.
    public var isPlain: Bool { ComposedName.isPlain(bytes) }
}
