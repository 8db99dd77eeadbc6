import Catalog
import Containers
import LinuxFiles
import Predicates

/// `/.valise/search`: a folder for each predicate that somebody looks up, and for each saved search, with links to what is found.
///
/// A search goes on for as long as the kernel knows its folder, and of very many the ones used last.
final class SearchFolders: ControlNamespace {
    /// What a node stands for.
    private enum Item: Hashable {
        /// A search, or the beginning of one whose text goes on in there.
        case folder([Name])
        case result(Name, in: [Name])
    }

    /// A search: the same name may stand for two, where a saved one is not everybody's. Who may not see all has one of their own, which looks at
    /// what they may see and at nothing else: by how long another one takes, somebody would learn what is in others' documents.
    private struct Held: Hashable {
        let path: [Name]
        let text: String
        let viewer: SearchFolder.Viewer?
    }

    private struct State {
        var nodes = ControlNodes<Item>()
        var held: [Held: SearchFolder] = [:]
        /// The searches' nodes, those that were not used for longest first.
        var used: [Held] = []

        mutating func end(_ key: Held) -> SearchFolder? {
            used.removeAll { $0 == key }
            return held.removeValue(forKey: key)
        }
    }

    private let searches: Searches
    private let saved: SavedSearches
    private let visible: VisibleResults
    private let tree: Tree
    private let handles: OpenHandles
    private let shown: ShownAttributes
    private let kernel: KernelMemory
    private let state = Locked(State())

    /// A text goes over so many folders, one in the other.
    private static let deepest = 300
    /// So many searches go on at once; and if there are several, they have no more results than that before another one begins.
    static let mostHeld = 64, mostResults = 200_000

    init(
        searches: Searches, saved: SavedSearches, visible: VisibleResults, tree: Tree, handles: OpenHandles, shown: ShownAttributes, kernel: KernelMemory
    ) {
        (self.searches, self.saved, self.visible, self.tree) = (searches, saved, visible, tree)
        (self.handles, self.shown, self.kernel) = (handles, shown, kernel)
        saved.tell { [weak self] name in self?.follow(name) }
    }

    // MARK: Searches

    /// The search of a folder; nil for one that only begins a text.
    private func search(at path: [Name], _ caller: Caller) throws(Errno) -> SearchFolder? {
        guard let last = path.last, !EncodedName.goesOn(last) else { return nil }
        guard let text = text(of: path, caller) else { throw .noSuchEntry }
        let key = Held(path: path, text: text, viewer: visible.areAll(for: caller) ? nil : SearchFolder.Viewer(caller))
        let known = state.withLock { state -> SearchFolder? in
            guard let known = state.held[key] else { return nil }
            state.used.removeAll { $0 == key }
            state.used.append(key)
            return known
        }
        known?.viewer?.looks(caller)
        return known ?? begin(key, caller)
    }

    /// A saved search was edited, while somebody has its folder: what is shown there is another's now, and whoever watches it hears that.
    private func follow(_ name: Name) {
        let isHeld = state.withLock { state in state.used.contains { $0.path == [name] } }
        if isHeld { _ = try? search(at: [name], .own) }
    }

    private func begin(_ key: Held, _ caller: Caller) -> SearchFolder {
        let former = visible.areAllForEverybody ? state.withLock { state in state.used.last { $0.path == key.path && $0.text != key.text }.flatMap { state.held[$0] } } : nil
        let seen = former?.seen ?? []
        echo([], seen, in: key.path)
        let viewer = key.viewer.map { _ in SearchViewer(caller) }
        let admits = viewer.map { viewer in
            { @Sendable [visible] () -> CatalogQuery.Admission in
                let look = visible.newLook(by: viewer.caller)
                return { path, stored, kind in look.mayBeSeen(path, stored, kind.document) }
            }
        }
        let new = SearchFolder(key.text, isShown: !seen.isEmpty, viewer: viewer, admits: admits, begin: searches.begin) { [weak self] came, went in self?.echo(came, went, in: key.path) }
        let tooMany = tooMany(besides: key)
        let (taken, ended) = state.withLock { state -> (SearchFolder, [SearchFolder]) in
            // Another request has begun the same search meanwhile.
            if let other = state.held[key] { return (other, [new]) }
            let ended = tooMany.compactMap { state.end($0) }
            state.held[key] = new
            state.used.append(key)
            return (new, ended)
        }
        for search in ended { search.end() }
        return taken
    }

    /// What ends when another one begins: a saved search as it was before somebody edited it, and of too many the oldest.
    private func tooMany(besides new: Held) -> [Held] {
        let all = state.withLock { state in state.used.compactMap { key in state.held[key].map { (key: key, search: $0) } } }
        var count = all.count, results = all.reduce(0) { $0 + $1.search.count }, ended: [Held] = []
        for (key, search) in all {
            let isFormer = key.path == new.path && visible.areAllForEverybody
            guard isFormer || count >= Self.mostHeld || results > Self.mostResults else { continue }
            ended.append(key)
            count -= 1
            results -= search.count
        }
        return ended
    }

    private func text(of path: [Name], _ caller: Caller) -> String? {
        guard let first = path.first, !EncodedName.isPassing(first) else { return nil }
        if path.count == 1, (try? saved.check(.read, caller)) != nil, let text = saved.text(of: first) { return text }
        return EncodedName.text(of: path, strictly: false)
    }

    /// Where not everybody may see all of it, nobody is told: all who watch hear the same.
    private func echo(_ came: [Name], _ went: [Name], in path: [Name]) {
        guard visible.areAllForEverybody, let number = state.withLock({ $0.nodes.number(of: .folder(path)) }) else { return }
        let folder = ControlNode(.search, number).id
        func mark(_ name: Name) -> UInt64 { UInt64(bitPattern: Int64(nameHash(name.bytes))) }
        kernel.echo(went.map { Echo(folder: folder, name: $0, number: mark($0), what: .went(isFolder: false)) }
            + came.map { Echo(folder: folder, name: $0, number: mark($0), what: .came(.symbolicLink)) })
    }

    private func results(of search: SearchFolder, _ caller: Caller) -> [Name: SearchResult] {
        visible.areAll(for: caller) ? search.all() : seen(of: search, caller, anew: true)
    }

    private func seen(of search: SearchFolder, _ caller: Caller, anew: Bool) -> [Name: SearchResult] {
        let look = visible.newLook(by: caller)
        return search.seen(by: SearchFolder.Viewer(caller), anew: anew) { look.mayBeSeen($0.folder, $0.stored, $0.kind) }
    }

    private func result(_ name: Name, of search: SearchFolder, _ caller: Caller) -> SearchResult? {
        if visible.areAll(for: caller) { return search.result(name) }
        return seen(of: search, caller, anew: false)[name].flatMap { visible.mayBeSeen($0, by: caller) ? $0 : nil }
    }

    // MARK: Names

    func lookUp(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) -> Entry {
        let path = try path(of: folder)
        let isGoingOn = path.last.map(EncodedName.goesOn) ?? true
        if isGoingOn {
            if !EncodedName.goesOn(name) {
                _ = try search(at: path + [name], caller)
            } else if path.count >= Self.deepest || text(of: path + [name, Name(constant: "x")], caller) == nil {
                throw .noSuchEntry
            }
            return entry(.folder(path + [name]))
        }
        guard let result = try result(name, at: path, caller) else { throw .noSuchEntry }
        return entry(.result(name, in: path), result)
    }

    private func result(_ name: Name, at path: [Name], _ caller: Caller) throws(Errno) -> SearchResult? {
        try search(at: path, caller).flatMap { result(name, of: $0, caller) }
    }

    private func path(of node: ControlNode) throws(Errno) -> [Name] {
        guard node.number != 0 else { return [] }
        guard case .folder(let path)? = try item(node) else { throw .notDirectory }
        return path
    }

    private func item(_ node: ControlNode) throws(Errno) -> Item? {
        try state.withLock { (state) throws(Errno) in try state.nodes.item(node.number) }
    }

    private func entry(_ item: Item, _ result: SearchResult? = nil) -> Entry {
        let known = state.withLock { $0.nodes.remember(item) }
        let node = ControlNode(.search, known.number)
        return Entry(node: node.id, generation: known.generation, attributes: attributes(of: item, result, as: node))
    }

    func entry(of node: ControlNode) throws(Errno) -> Entry {
        guard let item = try item(node) else { throw .stale }
        return entry(item)
    }

    func has(_ name: Name, in folder: ControlNode) -> Bool {
        guard let path = try? path(of: folder) else { return false }
        return ((try? result(name, at: path, .own)) ?? nil) != nil
    }

    func removeFolder(_ name: Name, in folder: ControlNode) throws(Errno) { throw .readOnly }

    /// Nobody knows the folder any more: nobody needs its search.
    func forget(_ node: ControlNode, count: UInt64) {
        let ended = state.withLock { state -> [SearchFolder] in
            let item = (try? state.nodes.item(node.number)) ?? nil
            state.nodes.forget(node.number, count: count)
            guard case .folder(let path)? = item, state.nodes.number(of: .folder(path)) == nil else { return [] }
            return state.used.filter { $0.path == path }.compactMap { state.end($0) }
        }
        for search in ended { search.end() }
    }

    // MARK: Attributes

    func attributes(of node: ControlNode, _ handle: HandleID?, _ caller: Caller) throws(Errno) -> Attributes {
        guard node.number != 0 else { return attributes(of: .folder([]), nil, as: node) }
        guard let item = try item(node) else { throw .stale }
        guard case .result(let name, let path) = item else { return attributes(of: item, nil, as: node) }
        guard let result = try result(name, at: path, caller) else { throw .stale }
        return attributes(of: item, result, as: node)
    }

    private func attributes(of item: Item, _ result: SearchResult?, as node: ControlNode) -> Attributes {
        var attributes = shown.fixedAttributes(of: NodeNumber.control)
        attributes.node = node.id
        attributes.keeps = .not
        guard case .result(_, let path) = item else {
            // What is done for those who watch takes permission to write.
            attributes.mode = FileType.folder.mode | 0o755
            return attributes
        }
        attributes.mode = FileType.symbolicLink.mode | 0o777
        attributes.links = 1
        // Nobody is told how long a link is that they may not see.
        if let result { attributes.size = Int64(Self.target(of: result, from: path).count) }
        return attributes
    }

    private static func target(of result: SearchResult, from path: [Name]) -> [UInt8] {
        // Out of the folder, of those above it, and of the two of the control folder.
        Array(String(repeating: "../", count: path.count + 2).utf8) + result.path.map(\.bytes).joined(separator: [UInt8(ascii: "/")])
    }

    func readLink(_ node: ControlNode, _ caller: Caller) throws(Errno) -> [UInt8] {
        guard case .result(let name, let path)? = try item(node) else { throw .invalid }
        guard let result = try result(name, at: path, caller) else { throw .stale }
        return Self.target(of: result, from: path)
    }

    func extendedAttribute(_ label: String, of node: ControlNode, _ caller: Caller) throws(Errno) -> [UInt8] {
        guard node.number != 0, case .folder(let path)? = try item(node), let search = try search(at: path, caller) else { throw .noData }
        switch label {
        case "error":
            if let fault = search.fault { return Array(([fault.description] + fault.lines(of: search.text)).joined(separator: "\n").utf8) }
            if let excess = search.excess(isCut: searches.areCut) { return Array(excess.utf8) }
        case "predicate": return Array(search.text.utf8)
        case "state": return Array(search.progress(isCut: searches.areCut).utf8)
        default: break
        }
        throw .noData
    }

    // MARK: Opening

    func openFolder(_ node: ControlNode, _ caller: Caller) throws(Errno) -> OpenedFolder {
        let path = try path(of: node)
        tree.withLock { $0.addHandle(NodeNumber.search) }
        let listing = FolderListing(folder: NodeNumber.search) { [self] () throws(Errno) in
            if path.isEmpty { return (try? saved.check(.read, caller)) == nil ? [] : try saved.names().sorted().map { ($0, .folder) } }
            guard let search = try search(at: path, caller) else { return [] }
            return results(of: search, caller).keys.sorted().map { ($0, .symbolicLink) }
        }
        return OpenedFolder(handle: handles.add(listing), caches: false, keepsCache: false)
    }

    func open(_ node: ControlNode, flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        if node.number != 0, case .result? = try item(node) { throw .tooManySymbolicLinks }
        throw .isDirectory
    }

    /// The names that lead to a folder from the control folder on.
    func names(to node: ControlNode) throws(Errno) -> [Name] { try path(of: node) }
}
