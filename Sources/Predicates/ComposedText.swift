@_spi(_Unicode) import Swift

extension Value {
    /// A text with its letters and marks as one character (NFC), as names and paths are shown: who types a name may type either form.
    var composed: Value {
        guard case .text(let bytes) = self, bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else { return self }
        return .text(text._nfc.reduce(into: []) { $0 += UTF8.encode($1) ?? UTF8.encodedReplacementCharacter })
    }
}

extension Comparison.Operand {
    var composed: Self {
        switch self {
        case .attribute, .part: self
        case .value(let value): .value(value.composed)
        case .list(let values): .list(values.map(\.composed))
        }
    }

    /// Whether it is of what is shown of an item's name.
    var isShownName: Bool { attribute == .name || attribute == .path }
}
