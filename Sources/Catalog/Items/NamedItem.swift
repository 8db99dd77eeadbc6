import Containers
import LinuxFiles
import Predicates

// Items that lie in no container: of these is known what a look at their folder says, and they are in no catalog.
extension FoundItem {
    /// An item by its name, its size and its times. Its kind is the one that its name says. `folder`: the names from the top on.
    public init(
        named name: Name, in folder: [Name], _ status: FileStatus, born: Timestamp?, size: Int64, _ kinds: KindRegistry
    ) {
        let isFolder = status.type == .folder, document = kinds.kind(named: name, isFolder: isFolder)
        let package = isFolder && document == nil ? kinds.folderPackage(called: name) : nil
        let item = CatalogItem(
            id: 0, folder: 0, stored: name, shown: name, kind: ItemKind(document, package: package), isHidden: ItemTable.isHidden(name), size: size,
            changed: Moment(status.modified), created: born.map { Moment($0) }, url: nil, title: nil, fault: nil, stamp: 0, isNumbered: false)
        self.init(item: item, scope: .documents, folder: folder)
    }

    /// Whether a predicate holds for what is known of it. `top`: where its folders begin, as an absolute path.
    public func fits(_ query: CatalogQuery, below top: String) -> Bool {
        guard query.findsHidden || !item.isHidden else { return false }
        return query.predicate.holds(within: query.budget) { value($0, below: top) }
    }

    private func value(_ attribute: Attribute, below top: String) -> Value {
        item.value(
            attribute,
            ItemSurroundings(
                path: { shownPath }, place: { Array((top + "/").utf8) + storedPath }, text: { nil }, isConflicted: { false }, isDraft: { false }))
    }

    /// Sorted as a query says, and no more than it wants.
    public static func sorted(_ items: [FoundItem], by query: CatalogQuery) -> [FoundItem] {
        let sorted = query.sort.isEmpty ? items : items.sorted { one, other in
            for key in query.sort {
                let (left, right) = (one.value(key.attribute, below: ""), other.value(key.attribute, below: ""))
                if left != right { return left.precedes(right) != key.isDescending }
            }
            return one.shownPath.lexicographicallyPrecedes(other.shownPath)
        }
        return query.limit.map { Array(sorted.prefix($0)) } ?? sorted
    }
}

extension KindRegistry {
    /// The kind that a name says. Without a look at its content, a file without an extension is no bookmark.
    fileprivate func kind(named name: Name, isFolder: Bool) -> KindID? {
        guard let kind = candidate(for: name, isFolder: isFolder) else { return nil }
        let isSaid = isFolder || kind != named("bookmark") || name.bytes.starts(with: "Bookmark_".utf8)
        return isSaid ? kind : nil
    }
}

extension Value {
    /// What is missing comes first.
    fileprivate func precedes(_ other: Value) -> Bool {
        switch (self, other) {
        case (.missing, _): true
        case (.text(let one), .text(let other)): one.lexicographicallyPrecedes(other)
        case (.number(let one), .number(let other)): one < other
        case (.date(let one), .date(let other)): one < other
        case (.flag(let one), .flag(let other)): !one && other
        default: false
        }
    }
}
