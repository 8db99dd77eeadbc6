/// What `valise kvs` was told to do with an app's settings.
public struct KeyValueCall: Equatable, Sendable {
    public enum Deed: String, CaseIterable, Sendable { case get, set, delete, list, watch }

    public let deed: Deed
    public private(set) var key = ""
    public private(set) var value = ""
    /// A drive, a container or an identifier.
    public private(set) var place: String?

    /// Understands the words behind `kvs`.
    public init(_ operands: [String]) throws(UsageFault) {
        let word = operands.first ?? "", words = Deed.allCases.map(\.rawValue)
        guard let deed = Deed(rawValue: word) else {
            throw UsageFault("“\(printable(word))” is nothing that “kvs” does" + mend(word, words, list: "valise help kvs"))
        }
        self.deed = deed
        var rest = operands.dropFirst()
        if deed != .list, deed != .watch { key = try Self.next(&rest, "KEY", deed) }
        if deed == .set { value = try Self.next(&rest, "VALUE", deed) }
        place = rest.popFirst()
        if let extra = rest.first { throw UsageFault("unexpected operand “\(printable(extra))”: \(Self.usage(deed))") }
    }

    /// The whole of it, with somewhere named: for who left that out.
    public func usage(at place: String) -> String { Self.usage(deed).replacing("[WHERE]", with: place) }

    private static func next(_ rest: inout ArraySlice<String>, _ name: String, _ deed: Deed) throws(UsageFault) -> String {
        guard let word = rest.popFirst() else { throw UsageFault("missing \(name): \(usage(deed))") }
        return word
    }

    private static func usage(_ deed: Deed) -> String {
        switch deed {
        case .get, .delete: "valise kvs \(deed.rawValue) KEY [WHERE]"
        case .set: "valise kvs set KEY VALUE [WHERE]"
        case .list, .watch: "valise kvs \(deed.rawValue) [WHERE]"
        }
    }
}
