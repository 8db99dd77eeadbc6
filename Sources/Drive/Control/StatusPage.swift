import Containers
import Glibc
import LinuxFiles

/// `/.valise/status`: what the drive is doing, as JSON.
final class StatusPage: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let workshop: Workshop?
    private let container: Container
    private let options: DriveOptions
    private let rights: CallerRights
    private let presence: ContainerPresence
    private let top: TopStatus
    private let noticed: NoticedChanges
    private let counts: RequestCounts
    private let mount: MountFacts
    private let claims: ExternalClaims
    private let catalog: DriveCatalog
    private let feed: ChangeFeed

    init(
        tree: Tree, handles: OpenHandles, workshop: Workshop?, container: Container, options: DriveOptions,
        rights: CallerRights, presence: ContainerPresence, top: TopStatus, noticed: NoticedChanges, counts: RequestCounts,
        mount: MountFacts, claims: ExternalClaims, catalog: DriveCatalog, feed: ChangeFeed
    ) {
        (self.catalog, self.feed) = (catalog, feed)
        (self.tree, self.handles, self.workshop, self.container, self.options) = (tree, handles, workshop, container, options)
        (self.rights, self.presence, self.top, self.noticed, self.counts) = (rights, presence, top, noticed, counts)
        (self.mount, self.claims) = (mount, claims)
    }

    func open(_ id: NodeNumber, _ caller: Caller) -> Opened {
        tree.withLock { $0.addHandle(id) }
        // Made before the table is held: the page tells of the table.
        let page = OpenContent.bytes(text(forAll: !rights.mayKnowNames(caller)), nil)
        let handle = handles.add(OpenHandle(node: id, target: .content(page), writes: false))
        var opened = Opened(handle: handle)
        opened.keepsCache = false
        opened.bypassesCache = true
        opened.closesSilently = true
        return opened
    }

    /// `forAll`: for a user who may not look into each folder. What lies there, and what is done there, is neither named nor counted.
    func text(forAll: Bool) -> [UInt8] {
        let (nodes, watched, documents, faults, drafts) = known()
        let left = options.readOnly ? LeftDrafts(in: container) : nil
        let absence = top.answer { [presence] in presence.look() } ?? presence.last
        var page = JSONText()
        page.object { page in
            page.field("valise", Drive.version)
            page.field("container", presence.path(absence))
            page.field("mountpoint", mount.path)
            if let absence { page.object("absent") { page in
                page.field("reason", absence.sentence)
                page.field("saves", !absence.isFinal)
                if case .moved = absence { page.field("moved", true) }
            } }
            page.field("process", Int64(getpid()))
            page.field("since", mount.since.seconds)
            page.field("readOnly", options.readOnly)
            page.field("showsDocuments", container.hasDocumentsFolder)
            if absence == nil, let server = claims.server, let reason = server.misnaming { page.field("outdated", reason) }
            if absence == nil, let reason = top.answer({ [container] in container.emptinessReason }) ?? nil { page.field("empty", reason) }
            page.field("links", container.reader.options.linkForm.rawValue)
            page.field("packages", container.reader.options.packages.rawValue)
            page.field("memory", Self.residentBytes())
            if let log = mount.log { page.field("log", log) }
            if let settings = options.keyValues { page.field("kvs", settings.path) }
            page.array("creates") { page in
                for kind in container.creating where kind.kind.flat == nil || KindRegistry.shipped.named(kind.name) == nil {
                    page.value(kind.name)
                }
            }
            page.field("sandbox", mount.sandbox)
            if let means = mount.kernelMeans { page.field("kernel", means) }
            page.array("store") { page in for shortcoming in workshop?.store.shortcomings ?? [] { page.value(shortcoming) } }
            guard !forAll else { return page.field("counted", false) }
            page.field("nodes", Int64(nodes))
            page.object("documents") { page in
                for (kind, count) in documents where count > 0 { page.field(kind.name, Int64(count)) }
            }
            page.field("open", Int64(handles.count))
            if let server = claims.server {
                page.object("coordination") { page in
                    page.field("programs", Int64(server.programs))
                    page.field("waiting", Int64(server.waitingClaims))
                    page.field("presented", Int64(server.presentedItems))
                    page.field("questions", Int64(server.questions))
                    page.field("unanswered", Int64(server.unanswered))
                    if let last = server.lastPassedOver { page.field("notice", last) }
                }
            }
            page.object("requests") { page in
                for kind in RequestKind.allCases where counts.count(of: kind) > 0 {
                    page.field(kind.label, Int64(clamping: counts.count(of: kind)))
                }
            }
            page.object("changes") { page in
                page.field("seen", noticed.means.rawValue)
                if let reason = noticed.reason { page.field("reason", reason) }
                page.field("watched", Int64(watched))
                page.field("limitReached", noticed.isFull.load(ordering: .relaxed))
                page.field("notices", Int64(noticed.noticed.load(ordering: .relaxed)))
                page.field("lookedAt", Int64(noticed.looked.load(ordering: .relaxed)))
                page.field("rescans", Int64(noticed.rescans.load(ordering: .relaxed)))
                page.field("told", Int64(noticed.kernelNotices.load(ordering: .relaxed)))
            }
            let found = catalog.state.withLock { $0 }
            page.object("catalog") { page in
                page.field("stage", found.stage.rawValue)
                page.field("items", Int64(found.items))
                page.field("searches", Int64(found.searches))
                page.field("changes", Int64(clamping: feed.number))
                page.field("inMemory", found.isInMemory)
                if found.isCut { page.field("isCut", true) }
                if let reason = found.reason { page.field("reason", reason) }
            }
            if let unkept = workshop?.unkept, unkept > 0 { page.field("unkept", Int64(unkept)) }
            if let lost = workshop?.lostVersions, lost > 0 { page.field("lostVersions", Int64(lost)) }
            if let early = workshop?.earlyRemovals, early.items > 0 { page.object("removedEarly") { page in
                page.field("items", Int64(early.items))
                page.field("tooLarge", Int64(early.tooLarge))
                page.field("size", early.size)
            } }
            let purged = counts.purged.load(ordering: .relaxed)
            if purged > 0 { page.field("purged", Int64(purged)) }
            let purgedVersions = counts.purgedVersions.load(ordering: .relaxed)
            if purgedVersions > 0 { page.field("purgedVersions", Int64(purgedVersions)) }
            page.array("growing") { page in
                for package in growing() {
                    page.object { page in
                        page.field("file", package.file)
                        page.field("reason", package.reason)
                    }
                }
            }
            page.array("drafts") { page in
                for draft in drafts.sorted(by: { $0.file < $1.file }) {
                    page.object { page in
                        page.field("file", draft.file)
                        if let reason = draft.reason { page.field("reason", reason) }
                        page.field("saved", draft.isSaved)
                        if (try? draft.draft.length()) == 0 { page.field("empty", true) }
                        if draft.hasFolder, !draft.isSaved { page.field("new", true) }
                    }
                }
                guard let left else { return }
                for file in left.files.map({ ($0.folder + [$0.shown]).map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/") }).sorted() {
                    page.object { page in
                        page.field("file", file)
                        page.field("reason", left.reason)
                        page.field("waits", left.holder == nil)
                    }
                }
            }
            page.array("errors") { page in
                for fault in faults.sorted(by: { $0.file < $1.file }) {
                    page.object { page in
                        page.field("file", fault.file)
                        page.field("reason", fault.reason)
                    }
                }
            }
        }
        return page.bytes + [UInt8(ascii: "\n")]
    }

    /// The packages that are not whole, and why.
    private func growing() -> [(file: String, reason: String)] {
        tree.withLock { tree in
            tree.growing.map { id, package in
                // What was said of it before it was changed is perhaps not so any more.
                let reason = package.lookedAt == package.changes ? package.reason : nil
                return (file: tree.shownPath(of: id), reason: reason ?? "a program may still be filling it")
            }
        }.sorted { $0.file < $1.file }
    }

    /// What the tree knows, all of it as it is at one moment.
    private func known() -> (
        nodes: Int, watched: Int, documents: [(kind: KindID, count: Int)], faults: [(file: String, reason: String)],
        drafts: [(file: String, reason: String?, isSaved: Bool, hasFolder: Bool, draft: Draft)]
    ) {
        tree.withLock { tree in
            var counts = [Int](repeating: 0, count: tree.kinds.all.count)
            // By place: of a hundred thousand nodes, none is copied.
            for id in tree.nodes.indices where tree.nodes[id].role == .document && tree.nodes[id].parent != .none && !tree.nodes[id].isNameless {
                counts[Int(tree.nodes[id].kind)] += 1
            }
            return (
                tree.count, tree.watched.count, tree.kinds.all.map { ($0, counts[Int($0.place)]) },
                tree.faults.map { (file: tree.shownPath(of: NodeNumber(carrying: $0.key)), reason: $0.value) },
                tree.documents.compactMap { id, document in
                    guard let draft = document.draft, !tree[id].isNameless else { return nil }
                    let hasFolder = tree.lostFolder(of: id) == nil
                    return (file: tree.shownPath(of: id), reason: tree.faults[EntryNumber(of: id)], isSaved: hasFolder && !tree[id].isUnborn, hasFolder: hasFolder, draft: draft)
                }
            )
        }
    }

    /// The second number of /proc/self/statm, in pages.
    static func residentBytes() -> Int64 {
        guard let file = try? Descriptor.atPath("/proc/self/statm", .read), let bytes = try? file.read(at: 0, count: 256) else { return 0 }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return numbers.count > 1 ? (Int64(numbers[1]) ?? 0) * Int64(getpagesize()) : 0
    }
}

extension JSONText {
    mutating func field(_ label: String, _ sandbox: SandboxState) {
        object(label) { page in
            switch sandbox {
            case .none: for part in ["calls", "files", "capabilities"] { page.field(part, false) }
            case .sealed(let files): for (part, isSealed) in [("calls", true), ("files", files), ("capabilities", true)] { page.field(part, isSealed) }
            }
        }
    }

    mutating func field(_ label: String, _ means: KernelMeans) {
        object(label) { page in
            page.field("protocol", means.version)
            page.field("libfuse", means.library)
            page.field("mostRead", Int64(means.mostRead))
            page.field("mostWrite", Int64(means.mostWrite))
            page.array("used") { page in for means in means.used { page.value(means.rawValue) } }
            page.object("unused") { page in for (means, reason) in means.unused { page.field(means.rawValue, reason) } }
        }
    }
}
