/// What a package is made of, in the one order that it has: by the bytes of the paths. It can be laid out as a folder anywhere: nothing
/// in it leads out, each name is one that a file can have, and there is one entry of each name.
public struct PackageTree: Hashable, Sendable {
    public let entries: [PackageEntry]

    public static let longestName = 255, mostFolders = 64, longestTarget = 4095

    /// Refuses entries that are no package. Each folder has to be one of them.
    public init(_ entries: [PackageEntry]) throws(ZipFault) {
        func precedes(_ one: PackageEntry, _ other: PackageEntry) -> Bool { one.path.lexicographicallyPrecedes(other.path) }
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy { !precedes($1, $0) }
        self.entries = isSorted ? entries : entries.sorted(by: precedes)
        var composed: Set<String> = [], folder: ArraySlice<UInt8> = []
        for (index, entry) in self.entries.enumerated() {
            func refuse(_ reason: String) -> ZipFault { .refused("\(ZipFault.shown(entry.path)) \(reason)") }
            try Self.checkNames(of: entry.path, as: entry.path)
            if index > 0, self.entries[index - 1].path == entry.path { throw refuse("is there twice.") }
            // Strings are equal where they are composed of the same letters. A file system of Apple's takes them for one name.
            if entry.path.contains(where: { $0 >= 0x80 }), let text = String(validating: entry.path, as: UTF8.self), !composed.insert(text).inserted {
                throw refuse("is there twice, with the same letters as different code points.")
            }
            let parent = Self.folder(of: entry.path)
            if !parent.isEmpty, parent != folder {
                guard let above = self.index(of: Array(parent)) else { throw refuse("lies in a folder that is not listed.") }
                guard self.entries[above].isFolder else { throw refuse("lies in \(ZipFault.shown(parent)), which is no folder.") }
                folder = parent
            }
            try Self.checkFields(of: entry)
        }
        try checkLinks()
    }

    /// Where the entry of a path is, if there is one.
    public func index(of path: [UInt8]) -> Int? {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].path == path ? low : nil
    }

    /// The path up to the last slash; empty at the top.
    static func folder(of path: [UInt8]) -> ArraySlice<UInt8> { path.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? [] }

    /// Of a path that comes from anywhere, and is shown as it was written there.
    static func checkNames(of path: [UInt8], as written: [UInt8]) throws(ZipFault) {
        func refuse(_ reason: String) -> ZipFault { .refused("\(ZipFault.shown(written)) \(reason)") }
        if path.isEmpty { throw .refused("An entry has no name.") }
        if path.first == UInt8(ascii: "/") { throw refuse("is an absolute path.") }
        if path.contains(0) { throw refuse("has a zero byte in its name.") }
        if path.contains(UInt8(ascii: "\\")) { throw refuse("has a backslash in its name. Other systems take it for the end of a folder’s name.") }
        if path.count(where: { $0 == UInt8(ascii: "/") }) >= mostFolders { throw refuse("lies in \(mostFolders) folders or more.") }
        for name in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if name.isEmpty { throw refuse("has an empty name between two slashes, or at its end.") }
            if name.count > longestName { throw refuse("has a name of more than \(longestName) bytes.") }
            if name.first == UInt8(ascii: "."), name.count <= 2, name.last == UInt8(ascii: ".") { throw refuse("has “.” or “..” as a name.") }
        }
    }

    private static func checkFields(of entry: PackageEntry) throws(ZipFault) {
        func refuse(_ reason: String) -> ZipFault { .refused("\(ZipFault.shown(entry.path)) \(reason)") }
        guard (0..<1_000_000_000).contains(entry.modified.nanoseconds) else { throw refuse("has a time that does not exist.") }
        // 256 TiB: sums of lengths stay far below what a number holds.
        guard (0...(1 << 48)).contains(entry.length) else { throw refuse("is longer than a file can be.") }
        var former: [UInt8] = []
        for attribute in entry.attributes {
            guard attribute.name.starts(with: "user.".utf8), (6...255).contains(attribute.name.count), !attribute.name.contains(0),
                attribute.name != former
            else {
                throw refuse("has an extended attribute \(ZipFault.shown(attribute.name)), which cannot be kept.")
            }
            former = attribute.name
        }
        let extras = ZipExtras.longestLength(of: entry)
        guard extras <= ZipExtras.mostBytes else {
            throw refuse("has \(extras) bytes of extended attributes and times, and a ZIP has room for \(ZipExtras.mostBytes).")
        }
    }
}

extension PackageTree {
    private static let mostLinks = 40

    /// Follows each link by the paths, also through other links. What it leads to need not be there.
    private func checkLinks() throws(ZipFault) {
        // In bytes of paths that are looked for. Many long links through links could take for ever; honest ones are far from it.
        var effortLeft = 1 << 20 + 1024 * entries.count
        for entry in entries {
            guard case .link(let target) = entry.kind else { continue }
            func refuse(_ reason: String) -> ZipFault {
                .refused("\(ZipFault.shown(entry.path)) is a link to \(ZipFault.shown(target)), which \(reason)")
            }
            guard (1...Self.longestTarget).contains(target.count), !target.contains(0) else { throw refuse("is no path.") }
            var place = Array(Self.folder(of: entry.path)), followed = 1
            var ahead = Array(target.split(separator: UInt8(ascii: "/")).reversed())
            if target.first == UInt8(ascii: "/") { throw refuse("leads out of the package.") }
            while let name = ahead.popLast() {
                effortLeft -= 1 + place.count
                if effortLeft < 0 { throw .excessive("\(ZipFault.shown(entry.path)) and the other links take too long to follow.") }
                if name.elementsEqual(".".utf8) { continue }
                if name.elementsEqual("..".utf8) {
                    if place.isEmpty { throw refuse("leads out of the package.") }
                    place = Array(Self.folder(of: place))
                    continue
                }
                let path = place.isEmpty ? Array(name) : place + "/".utf8 + name
                if path.count > Self.longestTarget { throw refuse("leads to a path that is too long.") }
                guard let index = index(of: path), case .link(let further) = entries[index].kind else {
                    place = path
                    continue
                }
                followed += 1
                if followed > Self.mostLinks { throw refuse("leads through more than \(Self.mostLinks) links, or in a circle.") }
                // An absolute one is refused when its own turn comes.
                ahead += further.split(separator: UInt8(ascii: "/")).reversed()
            }
        }
    }
}
