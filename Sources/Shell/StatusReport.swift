/// What a drive says of itself in `.valise/status`: one JSON object.
///
///     {"version": "1.1.0", "container": "/home/anna/Bookmarks", "mountpoint": "/home/anna/Valise",
///      "absent": {"reason": "the folder was moved to “/home/anna/Bookmarks”", "saves": true, "moved": true},
///      "process": 4711, "since": 1772355900, "readOnly": true, "memory": 6291456,
///      "changes": {"seen": "watch", "watched": 12, "limitReached": false},
///      "sandbox": {"calls": true, "files": true, "capabilities": true},
///      "kernel": {"protocol": "7.45", "libfuse": "3.14.0", "mostRead": 524288, "mostWrite": 1048576, "used": ["readdirplus"], "unused": {"writeBack": "…"}},
///      "requests": {"LOOKUP": 12, "READDIRPLUS": 53}, "documents": {"bookmark": 12, "photo": 3},
///      "coordination": {"programs": 2, "waiting": 0, "unanswered": 1, "notice": "process 4712 does not answer"}, "store": ["keeps no permissions"],
///      "open": 3, "drafts": [{"file": "broken.url", "reason": "no URL in it"}],
///      "errors": [{"file": "holiday.jpg", "reason": "the archive is damaged"}]}
///
/// To a user who may not look into each folder a drive says `"counted": false` and nothing of what lies in it. `open` and `drafts` may be numbers or lists, and a list may hold names alone. `since` is in seconds since 1970, `memory` in bytes. Each key may be missing, and others may be
/// there: a drive and a command line of different versions still understand each other.
public struct StatusReport: Equatable, Sendable {
    public var container: String?
    public var mountpoint: String?
    /// Why the container is not where it was, and whether anything can be saved in it still. Where it was moved, `container` is where it is now.
    public var absence: Absence?
    /// The path that leads to the container; nil where none does, and another one may have the path that it had.
    public var containerNow: String? { absence?.isMoved == false ? nil : container }
    public var process: Int32?
    public var since: Int64?
    public var isReadOnly: Bool?
    public var memory: Int64?
    /// Where the app's small settings are, if not in the container.
    public var settings: String?
    public var changes: Changes?
    public var catalog: Catalog?
    /// What the process that serves the drive is kept from: "calls", "files", "capabilities".
    public var sealed: [String]?
    public var kernel: Kernel?
    public var requests: [Request]
    /// By kind, of the folders that somebody has looked into.
    public var documents: [Request]
    /// Other programs that coordinate with the drive, and how many of their claims wait.
    public var programs: Int64?
    public var waiting: Int64?
    /// How often one of them was not waited for any longer, and why the last time.
    public var unanswered: Int64?
    public var notice: String?
    /// What the container's file system cannot do.
    public var store: [String]
    /// How much that was deleted is not kept, for want of room.
    public var unkept: Int64?
    /// How often a document was saved and what it was is not kept, for the same reason.
    public var lostVersions: Int64?
    /// What was deleted, and earlier versions, that went for good before their time, for the same reason.
    public var removedEarly: RemovedEarly?
    /// How much of what was deleted is gone for good because somebody removed it.
    public var purged: Int64?
    /// The same of earlier versions.
    public var purgedVersions: Int64?
    /// Why who coordinates is refused: the container has its documents in another folder by now.
    public var outdated: String?
    /// Why it shows nothing, where its container has something.
    public var emptiness: String?
    /// Folders that programs fill with a document's files, and what they still lack.
    public var growing: Items
    /// The containers of a drive that shows several, each in a folder; nil of a drive that shows one.
    public var apps: [App]?
    /// False where the drive says nothing of what lies in it: it says that to its user and to root alone.
    public var isCounted: Bool
    public var open: Items
    public var drafts: Items
    public var errors: Items
    /// The documents that two sides changed at once, whole paths; nil where that is not known. The drive does not say it.
    public var conflicts: [String]?

    /// Earlier versions and deleted items that are kept, and how much would be free without them; nil where that is not known, or not this
    /// user's to free. The drive does not say it.
    public var versions: Room?
    public var deleted: Room?

    public struct RemovedEarly: Equatable, Sendable {
        public let items: Int64
        public let tooLarge: Int64
        public let size: Int64
    }

    public struct Room: Equatable, Sendable {
        public let items: Int64
        public let size: Int64

        public init(items: Int64, size: Int64) { (self.items, self.size) = (items, size) }

        var json: JSON { .object([JSON.Member("items", .integer(items)), JSON.Member("size", .integer(size))]) }
        var text: String { "\(count(Int(items))), \(Shell.size(size))" }
    }

    public struct Absence: Equatable, Sendable {
        public let reason: String
        public let saves: Bool
        public let isMoved: Bool
    }

    public struct Request: Equatable, Sendable {
        public let kind: String
        public let count: Int64
    }

    /// A container of a drive that shows several.
    public struct App: Equatable, Sendable {
        public let name: String
        public let container: String
        /// Somebody has looked into it.
        public let isOpen: Bool
        /// Why it could not be opened.
        public let reason: String?
    }

    /// How the drive sees what other programs change: "watch", "poll" or "off", and why if it was to be another way.
    public struct Changes: Equatable, Sendable {
        public let seen: String
        public let reason: String?
        public let watched: Int64
        public let isAtLimit: Bool
    }

    /// How far the catalog is by which items are found.
    public struct Catalog: Equatable, Sendable {
        public let stage: String
        public let items: Int64
        public let searches: Int64
        public let reason: String?
    }

    /// What the drive and the kernel agreed on: by which means they spare each other work, and why not by others.
    public struct Kernel: Equatable, Sendable {
        public let version: String
        public let library: String?
        public let mostRead: Int64
        public let mostWrite: Int64
        public let used: [String]
        public let unused: [Unused]

        public struct Unused: Equatable, Sendable {
            public let means: String
            public let reason: String
        }

        /// As people call it.
        private static let names = [
            "readdirplus": "listing with attributes (readdirplus)", "parallelLookups": "parallel look-ups", "spliceOut": "splice to the kernel",
            "spliceIn": "splice from the kernel", "silentClose": "closing without a request", "setIDs": "writing without a question (killpriv)",
            "writeBack": "write-back caching", "passthrough": "FUSE passthrough", "ioUring": "io_uring",
        ]
        public static func name(of means: String) -> String { names[means] ?? printable(means) }

        /// “with this and that, and without the others”.
        public var means: String {
            func words(_ word: String, _ means: [String]) -> String? { means.isEmpty ? nil : word + " " + means.map(Self.name).joined(separator: ", ") }
            return [words("with", used), words("without", unused.map(\.means))].compactMap { $0 }.joined(separator: "; ")
        }

        var text: String {
            let sizes = [("reads", mostRead), ("writes", mostWrite)].filter { $0.1 > 0 }.map { "\($0.0) of up to \(size($0.1))" }
            return (["FUSE \(printable(version))"] + (library.map { ["libfuse \(printable($0))"] } ?? []) + sizes).joined(separator: ", ")
        }
    }

    /// Files that there is something to say of: how many, and those that were named.
    public struct Items: Equatable, Sendable {
        public let count: Int64
        public let named: [Item]

        /// What was said already.
        func without(_ others: Items) -> Items {
            let files = Set(others.named.map(\.file)), rest = named.filter { !files.contains($0.file) }
            return Items(count: count - Int64(named.count - rest.count), named: rest)
        }
    }

    public struct Item: Equatable, Sendable {
        public let file: String
        public let reason: String?
        /// Of a draft, whether it has been saved before.
        public var isSaved = false
        /// Of a draft, whether it is all there is of its name.
        public var isNew = false
        /// Of a draft, whether nothing is in it.
        public var isEmpty = false
        /// Of a draft, whether a drive that may write is to come: this one is read-only, and does not show it.
        public var waits = false
    }

    public init(_ page: JSON) {
        container = page["container"]?.string
        mountpoint = page["mountpoint"]?.string
        absence = page["absent"].flatMap { absent in absent["reason"]?.string.map { Absence(reason: $0, saves: absent["saves"]?.bool ?? false, isMoved: absent["moved"]?.bool ?? false) } }
        process = page["process"]?.integer.flatMap { Int32(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        since = page["since"]?.integer
        isReadOnly = page["readOnly"]?.bool
        memory = page["memory"]?.integer
        settings = page["kvs"]?.string
        changes = page["changes"].flatMap { changes in
            changes["seen"]?.string.map { seen in
                Changes(
                    seen: seen, reason: changes["reason"]?.string, watched: changes["watched"]?.integer ?? 0,
                    isAtLimit: changes["limitReached"]?.bool ?? false)
            }
        }
        sealed = page["sandbox"].map { sandbox in sandbox.members.filter { $0.value.bool == true }.map(\.key) }
        catalog = page["catalog"].flatMap { catalog in
            catalog["stage"]?.string.map { Catalog(stage: $0, items: catalog["items"]?.integer ?? 0, searches: catalog["searches"]?.integer ?? 0, reason: catalog["reason"]?.string) }
        }
        kernel = page["kernel"].flatMap { kernel in
            kernel["protocol"]?.string.map { version in
                Kernel(
                    version: version, library: kernel["libfuse"]?.string, mostRead: kernel["mostRead"]?.integer ?? 0, mostWrite: kernel["mostWrite"]?.integer ?? 0,
                    used: (kernel["used"]?.elements ?? []).compactMap(\.string),
                    unused: (kernel["unused"]?.members ?? []).compactMap { member in member.value.string.map { Kernel.Unused(means: member.key, reason: $0) } })
            }
        }
        requests = Self.counts(page["requests"])
        documents = Self.counts(page["documents"])
        programs = page["coordination"]?["programs"]?.integer
        waiting = page["coordination"]?["waiting"]?.integer
        unanswered = page["coordination"]?["unanswered"]?.integer
        notice = page["coordination"]?["notice"]?.string
        store = (page["store"]?.elements ?? []).compactMap { $0.string }
        unkept = page["unkept"]?.integer
        lostVersions = page["lostVersions"]?.integer
        removedEarly = page["removedEarly"].flatMap { removed in
            removed["items"]?.integer.map { RemovedEarly(items: $0, tooLarge: removed["tooLarge"]?.integer ?? 0, size: removed["size"]?.integer ?? 0) }
        }
        purged = page["purged"]?.integer
        purgedVersions = page["purgedVersions"]?.integer
        outdated = page["outdated"]?.string
        emptiness = page["empty"]?.string
        growing = Self.items(page["growing"])
        apps = page["apps"]?.elements.compactMap { app in
            app["name"]?.string.map { App(name: $0, container: app["container"]?.string ?? "", isOpen: app["open"]?.bool ?? false, reason: app["reason"]?.string) }
        }
        isCounted = page["counted"]?.bool ?? true
        open = Self.items(page["open"])
        drafts = Self.items(page["drafts"])
        errors = Self.items(page["errors"]).without(drafts)
    }

    private static func counts(_ object: JSON?) -> [Request] {
        (object?.members ?? []).compactMap { member in member.value.integer.map { Request(kind: member.key, count: $0) } }
    }

    private static func items(_ list: JSON?) -> Items {
        let named = (list?.elements ?? []).compactMap { element in
            if let file = element.string { return Item(file: file, reason: nil) }
            return element["file"]?.string.map { file in
                Item(
                    file: file, reason: element["reason"]?.string, isSaved: element["saved"]?.bool ?? false, isNew: element["new"]?.bool ?? false,
                    isEmpty: element["empty"]?.bool ?? false, waits: element["waits"]?.bool ?? false)
            }
        }
        return Items(count: list?.integer ?? Int64(named.count), named: named)
    }
}

extension StatusReport {
    /// The page for people, with times of their clock. `details`: what only somebody wants to know who looks for a fault.
    public func text(mountpoint seen: String, clock: LocalClock, details: Bool = false) -> String {
        var lines = [printable(seen)]
        func add(_ label: String, _ text: String?) {
            guard let text else { return }
            lines.append("  \(padded(label, 10))  \(text)")
        }
        add("container", container.map(printable))
        add("absent", (absence?.reason).map(printable))
        add("mounted", [isReadOnly.map { $0 ? "read-only" : "for reading and writing" }, since.map { Self.age(since: $0, clock) }]
            .compactMap { $0 }.joined(separator: ", ").nonempty)
        add("settings", settings.map(printable))
        let kinds = documents.filter { $0.count > 0 }.map { counted(Int($0.count), printable($0.kind)) }
        add("documents", kinds.isEmpty ? nil : kinds.joined(separator: ", ") + " in the folders looked at")
        // The usual way goes without saying.
        if let changes, details || changes.seen != "watch" || changes.isAtLimit { add("changes", Self.words(of: changes)) }
        if let catalog, details || catalog.stage == "reading" || catalog.reason != nil { add("catalog", Self.words(of: catalog)) }
        if let sealed, details || !sealed.contains("files") { add("sandbox", sealed.isEmpty ? "none" : sealed.map(printable).joined(separator: ", ")) }
        if let programs, programs > 0 {
            add("others", counted(Int(programs), "program") + " coordinating" + (waiting.map { $0 > 0 ? ", \(counted(Int($0), "claim")) waiting" : "" } ?? ""))
        }
        if let unanswered, unanswered > 0 {
            add("passed", "over " + counted(Int(unanswered), "time") + (notice.map { ", the last one: " + printable($0) } ?? ""))
        }
        for shortcoming in store { add("store", printable(shortcoming)) }
        for (count, what) in [(unkept, "deleted item"), (lostVersions, "earlier version")] {
            if let count, count > 0 { add("not kept", "\(counted(Int(count), what)), because there was no room; the log names each") }
        }
        if let removed = removedEarly, removed.items > 0 {
            let large = removed.tooLarge > 0 ? ", \(removed.tooLarge) of them larger than all the room" : ""
            add("gone early", "\(removed.items) deleted item\(removed.items == 1 ? " or earlier version" : "s and earlier versions") (\(size(removed.size)))\(large), because there was no room; the log names them")
        }
        add("empty", emptiness.map(printable))
        for (count, what) in [(purged, "deleted item"), (purgedVersions, "earlier version")] {
            guard let count, count > 0 else { continue }
            add("removed", "\(counted(Int(count), what)) for good, because somebody removed \(count == 1 ? "it" : "them"); the log says which, and who")
        }
        if let outdated { add("outdated", "\(outdated); until then no app can save there") }
        if let apps {
            let open = apps.count(where: \.isOpen)
            add("apps", "\(apps.count), each in a folder with a container of its own; \(open) of them opened")
            for app in apps { if let reason = app.reason { lines.append("    \(printable(app.name)): \(printable(reason))") } }
            if let app = apps.first(where: \.isOpen) ?? apps.first { lines.append("    More of one of them: valise status \(shellWord("\(seen)/\(app.name)"))") }
        }
        if !isCounted, apps == nil { add("contents", "what is open, unsaved or damaged is told to the drive's user and to root alone") }
        if isCounted { lines += Self.list("open", open) + Self.list("drafts", drafts) { draft in
            let file = shellWord("\(seen)/\(draft.file)")
            guard draft.reason != nil, draft.isSaved || draft.isNew else { return [] }
            // Of what was never saved there is nothing to go back to.
            return ["      to give it up: " + (draft.isSaved ? "valise restore \(file) --saved" : "rm \(file)")]
        } }
        if drafts.named.contains(where: \.waits) {
            let drive = shellWord(seen)
            lines.append("    To have them saved, mount it for writing: valise unmount \(drive) && valise mount \(container.map(shellWord) ?? "CONTAINER") \(drive)")
        } else if !drafts.named.isEmpty, isReadOnly != true { lines.append("    Drafts are unsaved changes: each is saved once it is what its name says and can be saved; until then the last good content is kept.") }
        if !growing.named.isEmpty { lines += Self.list("growing", growing) }
        if !growing.named.isEmpty { lines.append("    Each becomes the document when its files are there and nothing writes them any more.") }
        if let conflicts {
            lines += Self.list("conflicts", Items(count: Int64(conflicts.count), named: conflicts.map { Item(file: Self.below(seen, $0), reason: nil) }))
            if !conflicts.isEmpty { lines.append("    Two sides changed them at once; to see both, and to decide: valise conflicts \(shellWord(seen))") }
        }
        // What takes no room goes without saying.
        add("versions", versions.flatMap { $0.items > 0 ? $0.text : nil })
        add("deleted", deleted.flatMap { $0.items > 0 ? $0.text + " in the container with their versions; they make room when it is needed" : nil })
        if isCounted { lines += Self.list("errors", errors) }
        if !errors.named.isEmpty { lines.append("    They are shown as they lie in the container; to look closer: valise check \(shellWord(container ?? "CONTAINER"))") }
        if details {
            add("process", process.map { "\($0)" })
            add("memory", memory.map(size))
            let asked = requests.filter { $0.count > 0 }.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
            if let kernel {
                add("kernel", kernel.text)
                add("used", kernel.used.isEmpty ? "none" : wrapped(kernel.used.map(Kernel.name).joined(separator: ", "), indent: 14))
                if !kernel.unused.isEmpty { add("not used", "\(kernel.unused.count)") }
                lines += kernel.unused.map { "    \(Kernel.name(of: $0.means)): \(printable($0.reason))" }
            }
            if isCounted { add("requests", asked.isEmpty ? "none" : wrapped(asked.map { "\($0.count) \(printable($0.kind))" }.joined(separator: ", "), indent: 14)) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func below(_ folder: String, _ path: String) -> String { path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path }

    /// A time that cannot be one is shown, and no span of it.
    private static func age(since: Int64, _ clock: LocalClock) -> String {
        let moment = moment(since, clock)
        return (0...max(0, clock.now)).contains(since) ? "since \(moment) (\(span(clock.now - since)))" : "since \(moment)"
    }

    private static func words(of changes: Changes) -> String {
        switch changes.seen {
        case "watch":
            let folders = "noticed in \(changes.watched) folders and packages"
            return changes.isAtLimit ? folders + ", looked for in others: there are as many watches as fs.inotify.max_user_watches allows" : folders
        case "poll": return "looked for each second" + (changes.reason.map { ", because \(printable($0))" } ?? "")
        case "off": return "not looked for"
        case let other: return printable(other)
        }
    }

    private static func words(of catalog: Catalog) -> String {
        let stage = switch catalog.stage {
        case "off": "none, until somebody searches"
        case "waiting": "goes on when the drive is idle, or when somebody searches"
        case "reading": "goes through the container, \(counted(Int(catalog.items), "item")) looked at"
        case "whole": "knows \(counted(Int(catalog.items), "item"))"
        case let other: printable(other)
        }
        let searches = catalog.searches > 0 ? ", \(catalog.searches) open search\(catalog.searches == 1 ? "" : "es")" : ""
        return stage + searches + (catalog.reason.map { "; \(printable($0))" } ?? "")
    }

    private static let mostListed = 20

    private static func list(_ label: String, _ items: Items, more: (Item) -> [String] = { _ in [] }) -> [String] {
        let shown = items.named.prefix(mostListed).flatMap { item in
            ["    “\(printable(item.file))”" + (item.reason.map { ": \(clause($0))" } ?? "")] + more(item)
        }
        let rest = items.named.count > mostListed ? ["    and \(items.named.count - mostListed) more"] : []
        return ["  \(padded(label, 10))  \(items.count == 0 ? "none" : "\(items.count)")"] + shown + rest
    }
}

extension String {
    fileprivate var nonempty: String? { isEmpty ? nil : self }
}
