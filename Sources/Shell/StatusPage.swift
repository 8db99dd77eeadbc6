/// What a drive says of itself in `.valise/status`: one JSON object.
///
///     {"version": "0.1.0", "container": "/home/anna/Bookmarks", "mountpoint": "/home/anna/Valise",
///      "process": 4711, "since": 1772355900, "readOnly": true, "memory": 6291456,
///      "requests": {"LOOKUP": 12, "READDIRPLUS": 53},
///      "open": 3, "drafts": [{"file": "broken.url", "reason": "no URL in it"}],
///      "errors": [{"file": "holiday.jpg", "reason": "the archive is damaged"}]}
///
/// `open` and `drafts` may be numbers or lists, and a list may hold names alone. `since` is in seconds since 1970, `memory` in bytes. Each key may be missing, and others may be
/// there: a drive and a command line of different versions still understand each other.
public struct StatusPage: Equatable, Sendable {
    public var container: String?
    public var mountpoint: String?
    public var process: Int32?
    public var since: Int64?
    public var isReadOnly: Bool?
    public var memory: Int64?
    public var requests: [Request]
    public var open: Items
    public var drafts: Items
    public var errors: Items

    public struct Request: Equatable, Sendable {
        public let kind: String
        public let count: Int64
    }

    /// Files that there is something to say of: how many, and those that were named.
    public struct Items: Equatable, Sendable {
        public let count: Int64
        public let named: [Item]
    }

    public struct Item: Equatable, Sendable {
        public let file: String
        public let reason: String?
    }

    public init(_ page: JSON) {
        container = page["container"]?.string
        mountpoint = page["mountpoint"]?.string
        process = page["process"]?.integer.flatMap { Int32(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        since = page["since"]?.integer
        isReadOnly = page["readOnly"]?.bool
        memory = page["memory"]?.integer
        requests = (page["requests"]?.members ?? []).compactMap { member in
            member.value.integer.map { Request(kind: member.key, count: $0) }
        }
        open = Self.items(page["open"])
        drafts = Self.items(page["drafts"])
        errors = Self.items(page["errors"])
    }

    private static func items(_ list: JSON?) -> Items {
        let named = (list?.elements ?? []).compactMap { element in
            if let file = element.string { return Item(file: file, reason: nil) }
            return element["file"]?.string.map { Item(file: $0, reason: element["reason"]?.string) }
        }
        return Items(count: list?.integer ?? Int64(named.count), named: named)
    }
}

extension StatusPage {
    /// The page for people. `now` is in seconds since 1970.
    public func text(mountpoint seen: String, now: Int64) -> String {
        var lines = [printable(seen)]
        func add(_ label: String, _ text: String?) {
            guard let text else { return }
            lines.append("  \(padded(label, 10))  \(text)")
        }
        add("container", container.map(printable))
        add("mounted", [isReadOnly.map { $0 ? "read-only" : "for reading and writing" }, since.map { Self.age(since: $0, now: now) }]
            .compactMap { $0 }.joined(separator: ", ").nonempty)
        add("process", process.map { "\($0)" })
        add("memory", memory.map(size))
        let asked = requests.filter { $0.count > 0 }.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
        add("requests", asked.isEmpty ? "none" : wrapped(asked.map { "\($0.count) \(printable($0.kind))" }.joined(separator: ", "), indent: 14))
        lines += Self.list("open", open) + Self.list("drafts", drafts) + Self.list("errors", errors)
        return lines.joined(separator: "\n") + "\n"
    }

    /// A time that cannot be one is shown, and no span of it.
    private static func age(since: Int64, now: Int64) -> String {
        (0...max(0, now)).contains(since) ? "since \(moment(since)) (\(span(now - since)))" : "since \(moment(since))"
    }

    private static let mostListed = 20

    private static func list(_ label: String, _ items: Items) -> [String] {
        let shown = items.named.prefix(mostListed).map { item in
            "    “\(printable(item.file))”" + (item.reason.map { ": \(printable($0))" } ?? "")
        }
        let more = items.named.count > mostListed ? ["    and \(items.named.count - mostListed) more"] : []
        return ["  \(padded(label, 10))  \(items.count == 0 ? "none" : "\(items.count)")"] + shown + more
    }
}

extension String {
    fileprivate var nonempty: String? { isEmpty ? nil : self }
}
