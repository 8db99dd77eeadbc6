/// JSON as it is written: the few shapes that a status page needs.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ label: String? = nil, _ body: (inout JSONText) -> Void) { enclose(label, "{", "}", body) }
    mutating func array(_ label: String, _ body: (inout JSONText) -> Void) { enclose(label, "[", "]", body) }

    mutating func field(_ label: String, _ value: String) {
        begin(label)
        string(value)
    }

    mutating func field(_ label: String, _ value: Int64) {
        begin(label)
        bytes += Array(String(value).utf8)
    }

    mutating func field(_ label: String, _ value: Bool) {
        begin(label)
        bytes += Array((value ? "true" : "false").utf8)
    }

    /// An element of an array.
    mutating func value(_ text: String) {
        begin(nil)
        string(text)
    }

    private mutating func enclose(_ label: String?, _ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
        begin(label)
        bytes += Array(open.utf8)
        needsComma = false
        body(&self)
        bytes += Array(close.utf8)
        needsComma = true
    }

    private mutating func begin(_ label: String?) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        guard let label else { return }
        string(label)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: bytes += Array("\\\"".utf8)
            case 0x5C: bytes += Array("\\\\".utf8)
            case 0..<0x20, 0x7F:
                let digits = String(scalar.value, radix: 16)
                bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            default: bytes += Array(String(scalar).utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
