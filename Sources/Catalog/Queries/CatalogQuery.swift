import Databases
import LinuxFiles
import Predicates

/// What is looked for in a catalog, where, and in which order.
public struct CatalogQuery: Sendable {
    public struct SortKey: Sendable {
        public let attribute: Attribute
        public let isDescending: Bool

        /// nil for an attribute by which nothing can be sorted.
        public init?(_ attribute: Attribute, isDescending: Bool = false) {
            guard ComparisonSQL.sortColumn(attribute) != nil else { return nil }
            self.attribute = attribute
            self.isDescending = isDescending
        }

        public static var attributes: [Attribute] { Attribute.allCases.filter { ComparisonSQL.sortColumn($0) != nil } }
    }

    public var predicate: Predicate
    public var scopes: Set<CatalogScope> = [.documents]
    /// Only what lies in this folder of the documents, or below it.
    public var folder: [Name] = []
    public var sort: [SortKey] = []
    public var limit: Int?
    /// More are not held by who follows it.
    public var most = Int.max
    /// Where drafts wait on a drive, from its top on. A catalog does not know them.
    public var drafts: Set<[UInt8]> = []

    /// What the attribute `path` is of an item, for who calls items by other names than the drive does. Nil: from the top of the drive on.
    public var pathOf: (@Sendable (FoundItem) -> [UInt8])?

    /// How much work comparing with patterns may take, for all items together.
    public var budget: MatchBudget?
    /// Which items are looked at at all, by their folder, stored name and kind: the others are left out before anything of what is in them is
    /// compared, by the database or by the predicate. Asked for each time that the items of a query are gone through. Nil: none is left out.
    public var admits: (@Sendable () -> Admission)?

    public typealias Admission = (_ folder: [Name], _ stored: Name, _ kind: ItemKind) -> Bool

    public init(_ predicate: Predicate) { self.predicate = predicate }

    /// Whether a folder is the one that is looked into, or lies below it: its names may be in another form of Unicode than those that were typed.
    func isIn(_ path: [Name]) -> Bool {
        path.starts(with: folder) || !folder.allSatisfy(\.isPlain) && path.lazy.map(\.composed).starts(with: folder.map(\.composed))
    }

    /// Hidden items are left out, unless somebody asks for them.
    var findsHidden: Bool { predicate.attributes.contains(.hidden) }

    static let columns = "i.id, i.folder, i.stored, i.shown, i.kind, i.hidden, i.size, i.changed, i.created, i.url, i.title, i.fault, i.stamp, i.natural IS NOT NULL"

    /// The question to the database: of everything, of one folder, or of some items.
    func sql(of part: Part, _ condition: PredicateSQL.Condition?) -> (text: String, values: [SQLValue]) {
        var conditions: [String] = [], values: [SQLValue] = []
        if let condition {
            conditions.append(condition.sql)
            values += condition.values
        }
        switch part {
        case .everything: break
        case .folder(let id): conditions.append("i.folder = \(id)")
        case .items(let ids): conditions.append("i.id IN (\(ids.map { "\($0)" }.joined(separator: ",")))")
        }
        // Nearly all are not hidden, so no index is of use for that.
        if !findsHidden { conditions.append("+i.hidden = 0") }
        var text = "SELECT \(Self.columns) FROM items i"
        if !conditions.isEmpty { text += " WHERE " + conditions.joined(separator: " AND ") }
        let keys = sort.compactMap { key in ComparisonSQL.sortColumn(key.attribute).map { $0 + (key.isDescending ? " DESC" : "") } }
        if !keys.isEmpty { text += " ORDER BY " + keys.joined(separator: ", ") }
        return (text, values)
    }

    enum Part {
        case everything
        case folder(Int64)
        case items([Int64])
    }
}

/// An item that was found. It is in memory once, however many hold it: who follows a query, and what they have made of it.
public struct FoundItem: Sendable {
    private final class Values: Sendable {
        let item: CatalogItem
        let scope: CatalogScope
        let folder: [Name]

        init(_ item: CatalogItem, _ scope: CatalogScope, _ folder: [Name]) { (self.item, self.scope, self.folder) = (item, scope, folder) }
    }

    private let values: Values

    public init(item: CatalogItem, scope: CatalogScope, folder: [Name]) { values = Values(item, scope, folder) }

    public var item: CatalogItem { _read { yield values.item } }
    public var scope: CatalogScope { values.scope }
    /// Its folder, from the scope's top on. On the drive it is called the same.
    public var folder: [Name] { values.folder }

    /// Whether an item that has the same place is as it was.
    public func isStill(_ other: FoundItem) -> Bool { item.stamp == other.item.stamp && item.shown == other.item.shown }

    /// Where it is on the drive, from its top on.
    public var shownPath: [UInt8] { Self.joined(folder + [item.shown]) }
    public var storedPath: [UInt8] { Self.joined(folder + [item.stored]) }

    static func joined(_ names: [Name]) -> [UInt8] { Array(names.map(\.bytes).joined(separator: [UInt8(ascii: "/")])) }
}
