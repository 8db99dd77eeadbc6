/// What `valise info` says of one document.
public struct ItemInfo: Equatable, Sendable {
    /// The path that was asked for.
    public let path: String
    /// What is known, in the order it is told.
    public let facts: [Fact]
    /// Earlier versions that it has, and how much would be free without them; nil of what has none, or where this user cannot know.
    public let versions: StatusReport.Room?

    public struct Fact: Equatable, Sendable {
        /// "stored-name": a key in JSON, and with spaces for dashes what people read.
        public let key: String
        public let value: String

        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    public init(path: String, facts: [Fact], versions: StatusReport.Room? = nil) {
        self.path = path
        self.facts = facts
        self.versions = versions
    }

    public func adding(_ key: String, _ value: String) -> ItemInfo { ItemInfo(path: path, facts: facts + [Fact(key, value)], versions: versions) }
    public func with(_ versions: StatusReport.Room?) -> ItemInfo { ItemInfo(path: path, facts: facts, versions: versions) }
    public var isDocument: Bool { kind.map { !["plain", "folder"].contains($0) } ?? false }

    public var kind: String? { facts.first { $0.key == "kind" }?.value }

    public var text: String {
        let facts = facts + (versions.map { [Fact("versions", $0.text)] } ?? []), column = facts.map(\.key.count).max() ?? 0
        let lines = facts.map { fact in
            let label = fact.key == "url" ? "URL" : String(fact.key.map { $0 == "-" ? " " : $0 })
            return "  \(padded(label, column))  \(printable(fact.value))"
        }
        return ([printable(path)] + lines).joined(separator: "\n") + "\n"
    }

    public func json(path: String) -> JSON {
        .object([JSON.Member("path", .string(path))] + facts.map { JSON.Member(Self.camelCase($0.key), .string($0.value)) } + (versions.map { [JSON.Member("versions", $0.json)] } ?? []))
    }

    /// "storedName" for "stored-name".
    private static func camelCase(_ key: String) -> String {
        let words = key.split(separator: "-")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
