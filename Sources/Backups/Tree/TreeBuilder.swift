import LinuxFiles

/// Makes the tree of what a manifest says, row by row, in whatever order they come. What names no place is left out and
/// counted: no name of it reaches the drive that a folder could not have.
struct TreeBuilder {
    private typealias Node = BackupTree.Node

    private let info: BackupInfo
    private let date: Int64
    private var nodes: ContiguousArray<Node>
    private var names: [UInt8] = []
    private var extras: [UInt8] = []
    private var index = NameTable()
    private var domains: [[UInt8]: KnownDomain] = [:]
    private var appFolders: [[UInt8]: [UInt8]] = [:], takenAppNames: Set<[UInt8]> = []
    private var nextNumbers: [NumberedName: Int] = [:]
    private var refused = BackupTree.Refused()
    /// The folder of the row before: the next one lies there mostly.
    private var last: (domain: [UInt8], path: [UInt8], folder: Int)?

    private struct KnownDomain {
        let domain: TreePlace.Domain
        /// Made when something is in it.
        var folder: Int?
    }

    private struct NumberedName: Hashable {
        let folder: Int
        let name: [UInt8]
    }

    private static let mostDomains = 100_000, mostDepth = 256, mostNodes = 8_000_000, mostBytes = 1 << 30

    init(_ info: BackupInfo) {
        self.info = info
        date = info.date ?? 0
        nodes = [Node(parent: 0, name: 0, modified: date, born: date, id: nil, nameCount: 0, kind: .folder)]
        // The same names each time: by their identifiers.
        for (identifier, name) in info.appNames.sorted(by: { $0.key < $1.key }) {
            nameApp(Array(identifier.utf8), Array(name.utf8))
        }
    }

    mutating func add(_ entry: ManifestEntry) throws(Failure) {
        guard nodes.count < Self.mostNodes, names.count + extras.count < Self.mostBytes else {
            throw Failure(.overflow, "it names more than a drive can show")
        }
        if !place(entry) { refused.badPaths += 1 }
    }

    /// False where there is no place for it.
    private mutating func place(_ entry: ManifestEntry) -> Bool {
        let path =
            entry.path.isEmpty
            ? [] : entry.path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        guard path.count <= Self.mostDepth, path.allSatisfy(Self.isName) else { return false }
        guard let known = domain(entry.domain) else { return false }
        if let elsewhere = TreePlace.elsewhere(known, path, entry, isTablet: info.isTablet) {
            guard !elsewhere.hides, let place = elsewhere.place else { return true }
            return put(entry, place.rest, in: place.folders.reduce(0) { folder($1[...], in: $0, made: true) ?? $0 })
        }
        let parent = entry.path.dropLast(path.last.map { $0.count } ?? 0)
        if let last, last.domain == entry.domain, last.path.elementsEqual(parent), let name = path.last {
            return put(entry, [name], in: last.folder)
        }
        guard let base = domainFolder(entry.domain, known) else { return false }
        guard let name = path.last else { return put(entry, [], in: base) }
        guard let inner = walk(path.dropLast(), from: base) else { return false }
        last = (entry.domain, Array(parent), inner)
        return put(entry, [name], in: inner)
    }

    /// The same rules as for any name on Linux.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        (1...Name.longest).contains(bytes.count) && !bytes.contains(0) && !bytes.contains(UInt8(ascii: "/"))
            && !bytes.elementsEqual([0x2E])
            && !bytes.elementsEqual([0x2E, 0x2E])
    }

    // MARK: Domains and apps

    private mutating func domain(_ name: [UInt8]) -> TreePlace.Domain? {
        if let known = domains[name] { return known.domain }
        guard Self.isName(name[...]), domains.count < Self.mostDomains else { return nil }
        let domain = TreePlace.Domain(name)
        domains[name] = KnownDomain(domain: domain)
        return domain
    }

    private mutating func domainFolder(_ name: [UInt8], _ domain: TreePlace.Domain) -> Int? {
        if let folder = domains[name]?.folder { return folder }
        if case .app(let identifier) = domain, appFolders[identifier] == nil { nameApp(identifier, identifier) }
        let folders = TreePlace.folder(of: domain, name) { appFolders[$0] ?? $0 }
        guard folders.allSatisfy({ Self.isName($0[...]) }) else { return nil }
        let made = folders.reduce(0) { folder($1[...], in: $0, made: true) ?? $0 }
        domains[name]?.folder = made
        return made
    }

    /// Two apps of one name have a number.
    private mutating func nameApp(_ identifier: [UInt8], _ name: [UInt8]) {
        var shown = name.flatMap { byte in
            byte == UInt8(ascii: "/") ? Array("∕".utf8) : byte == 0 ? Array("␀".utf8) : [byte]
        }
        shown = Array(ComposedName.of(shown[...]))
        if !Self.isName(shown[...]) { shown = identifier }
        var free = shown, number = 0
        while !takenAppNames.insert(free).inserted {
            number += 1
            free = shown + Array(" \(number)".utf8)
        }
        appFolders[identifier] = free
    }

    // MARK: Nodes

    private mutating func walk(_ path: ArraySlice<ArraySlice<UInt8>>, from base: Int) -> Int? {
        var inner = base
        for name in path {
            guard let next = folder(name, in: inner, made: true) else { return nil }
            inner = next
        }
        return inner
    }

    /// nil where something else has the name.
    private mutating func folder(_ name: ArraySlice<UInt8>, in parent: Int, made: Bool) -> Int? {
        let name = ComposedName.of(name)
        if let found = find(name, in: parent) { return nodes[found].kind == .folder ? found : nil }
        return make(name, in: parent, .folder)
    }

    private mutating func put(_ entry: ManifestEntry, _ rest: ArraySlice<ArraySlice<UInt8>>, in base: Int) -> Bool {
        guard let name = rest.last else { return entry.kind == .folder ? describe(base, entry) : false }
        guard let parent = walk(rest.dropLast(), from: base) else { return false }
        guard entry.kind != .folder else {
            guard let made = folder(name, in: parent, made: true) else { return false }
            return describe(made, entry)
        }
        let composed = ComposedName.of(name)
        let free = find(composed, in: parent) == nil ? composed : numbered(composed, in: parent)
        let made = make(free, in: parent, entry.kind)
        nodes[made].isNamed = true
        nodes[made].id = entry.id
        nodes[made].size = entry.facts.size
        (nodes[made].modified, nodes[made].born) = (entry.facts.modified, entry.facts.born)
        if entry.kind == .file, let key = entry.facts.key { add(extra: key.data, to: made) }
        if entry.kind == .link, let target = entry.facts.target, !target.isEmpty, !target.contains(0) {
            add(extra: target, to: made)
        }
        return true
    }

    private mutating func put(_ entry: ManifestEntry, _ rest: [ArraySlice<UInt8>], in base: Int) -> Bool {
        put(entry, rest[...], in: base)
    }

    private mutating func add(extra bytes: [UInt8], to node: Int) {
        (nodes[node].extra, nodes[node].extraCount) = (
            UInt32(truncatingIfNeeded: extras.count), UInt32(truncatingIfNeeded: bytes.count)
        )
        extras += bytes
    }

    /// A folder's own row.
    private mutating func describe(_ folder: Int, _ entry: ManifestEntry) -> Bool {
        if nodes[folder].isNamed {
            refused.repeatedFolders += 1
            return true
        }
        nodes[folder].isNamed = true
        (nodes[folder].modified, nodes[folder].born) = (entry.facts.modified, entry.facts.born)
        return true
    }

    /// “IMG_0001 1.JPG”, the first that is free.
    private mutating func numbered(_ name: ArraySlice<UInt8>, in parent: Int) -> ArraySlice<UInt8> {
        let dot =
            name.lastIndex(of: UInt8(ascii: ".")).flatMap {
                $0 > name.startIndex && name.endIndex - $0 <= 16 ? $0 : nil
            } ?? name.endIndex
        let key = NumberedName(folder: parent, name: Array(name))
        var number = nextNumbers[key] ?? 1
        while true {
            let ending = Array(" \(number)".utf8) + name[dot...]
            var stem = name[..<dot].prefix(Name.longest - ending.count)
            // Not in the middle of a letter.
            while stem.count < dot - name.startIndex, let end = name[stem.endIndex...].first, end & 0xC0 == 0x80,
                !stem.isEmpty
            { stem.removeLast() }
            let free = (stem + ending)[...]
            number += 1
            if find(free, in: parent) == nil {
                nextNumbers[key] = number
                return free
            }
        }
    }

    private func find(_ name: ArraySlice<UInt8>, in parent: Int) -> Int? {
        index.find(parent, name) { candidate in
            let node = nodes[candidate]
            return Int(node.parent) == parent && Int(node.nameCount) == name.count
                && names[Int(node.name)..<Int(node.name) + name.count].elementsEqual(name)
        }
    }

    private mutating func make(_ name: ArraySlice<UInt8>, in parent: Int, _ kind: ManifestEntry.Kind) -> Int {
        let made = nodes.count
        nodes.append(
            Node(
                parent: UInt32(truncatingIfNeeded: parent), name: UInt32(truncatingIfNeeded: names.count),
                modified: date, born: date, id: nil,
                nameCount: UInt8(truncatingIfNeeded: name.count), kind: kind))
        names += name
        index.add(made, parent, name)
        return made
    }

    // MARK: The end

    consuming func finish(notUnderstood: Int) -> BackupTree {
        refused.notUnderstood = notUnderstood
        // Each folder's children, beside each other.
        var counts = [UInt32](repeating: 0, count: nodes.count)
        for node in nodes.dropFirst() { counts[Int(node.parent)] += 1 }
        var begin: UInt32 = 0
        for folder in nodes.indices where nodes[folder].kind == .folder {
            (nodes[folder].extra, nodes[folder].extraCount) = (begin, 0)
            begin += counts[folder]
        }
        var order = ContiguousArray<UInt32>(repeating: 0, count: nodes.count - 1)
        for child in nodes.indices.dropFirst() {
            let parent = Int(nodes[child].parent)
            order[Int(nodes[parent].extra + nodes[parent].extraCount)] = UInt32(truncatingIfNeeded: child)
            nodes[parent].extraCount += 1
        }
        func name(_ child: UInt32) -> ArraySlice<UInt8> {
            names[Int(nodes[Int(child)].name)..<Int(nodes[Int(child)].name) + Int(nodes[Int(child)].nameCount)]
        }
        for folder in nodes where folder.kind == .folder && folder.extraCount > 1 {
            order[Int(folder.extra)..<Int(folder.extra + folder.extraCount)].sort {
                name($0).lexicographicallyPrecedes(name($1))
            }
        }
        return BackupTree(
            nodes, names: names, extras: extras, order: order,
            appFolders: appFolders.values.sorted { $0.lexicographicallyPrecedes($1) }, refused)
    }
}
