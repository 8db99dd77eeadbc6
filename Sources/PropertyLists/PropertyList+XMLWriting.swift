/// Writes the XML form, as Apple's tools lay it out.
extension PropertyList {
    /// Nil when it holds what XML cannot say: a null, a set, a date beyond the year 9999.
    public func xml() -> [UInt8]? {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        guard appendXML(to: &text, indent: "") else { return nil }
        return Array((text + "</plist>\n").utf8)
    }

    private func appendXML(to text: inout String, indent: String) -> Bool {
        switch self {
        case .null, .set: return false
        case .boolean(let value): text += "\(indent)<\(value)/>\n"
        case .integer(let value): text += "\(indent)<integer>\(value)</integer>\n"
        case .real(let value): text += "\(indent)<real>\(value)</real>\n"
        case .date(let value):
            guard let date = PlainDate.text(value) else { return false }
            text += "\(indent)<date>\(date)</date>\n"
        case .data(let bytes): text += "\(indent)<data>\(Base64.encoded(bytes))</data>\n"
        case .string(let string): text += "\(indent)<string>\(MarkupEntity.escaped(string))</string>\n"
        case .uid(let value): return PropertyList.dictionary([.init("CF$UID", .integer(Int128(value)))]).appendXML(to: &text, indent: indent)
        case .array(let values):
            text += "\(indent)<array>\n"
            for value in values where !value.appendXML(to: &text, indent: indent + "\t") { return false }
            text += "\(indent)</array>\n"
        case .dictionary(let members):
            text += "\(indent)<dict>\n"
            for member in members {
                text += "\(indent)\t<key>\(MarkupEntity.escaped(member.key))</key>\n"
                guard member.value.appendXML(to: &text, indent: indent + "\t") else { return false }
            }
            text += "\(indent)</dict>\n"
        }
        return true
    }
}
