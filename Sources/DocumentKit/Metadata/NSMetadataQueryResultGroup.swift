import Foundation

/// Results that have one value of an attribute.
///
/// ```swift
/// for group in query.groupedResults { print(group.value, group.resultCount) }
/// ```
open class NSMetadataQueryResultGroup: NSObject {
    /// The attribute by which it was grouped.
    ///
    /// ```swift
    /// if group.attribute == NSMetadataItemKindKey { show(group) }
    /// ```
    public let attribute: String
    /// The value that all of its results have; NSNull where they have none.
    ///
    /// ```swift
    /// let title = group.value as? String ?? "Others"
    /// ```
    public let value: Any
    /// Its results, in the order of the query's.
    ///
    /// ```swift
    /// let first = group.results.first as? NSMetadataItem
    /// ```
    public let results: [Any]
    /// Its results by the next grouping attribute, if there is one.
    ///
    /// ```swift
    /// let inner = group.subgroups ?? []
    /// ```
    public let subgroups: [NSMetadataQueryResultGroup]?

    /// How many results it has.
    ///
    /// ```swift
    /// let title = "\(group.value) (\(group.resultCount))"
    /// ```
    open var resultCount: Int { results.count }

    /// One of its results.
    ///
    /// ```swift
    /// let item = group.result(at: 0) as? NSMetadataItem
    /// ```
    open func result(at idx: Int) -> Any { results[idx] }

    private init(_ attribute: String, _ value: Any, _ results: [MetadataResult], _ rest: ArraySlice<String>) {
        (self.attribute, self.value) = (attribute, value)
        self.results = results.map(\.shown)
        subgroups = rest.isEmpty ? nil : Self.groups(of: results, by: rest)
    }

    /// By the first attribute, within that by the next one, and so on. Groups are in the order of their first results.
    static func groups(of results: [MetadataResult], by attributes: ArraySlice<String>) -> [NSMetadataQueryResultGroup] {
        guard let attribute = attributes.first else { return [] }
        return MetadataResult.byValue(of: attribute, results).map { NSMetadataQueryResultGroup(attribute, $0.value, $0.results, attributes.dropFirst()) }
    }
}

/// How many results have a value of an attribute.
///
/// ```swift
/// for tuple in query.valueLists[NSMetadataItemKindKey] ?? [] { print(tuple.value ?? "", tuple.count) }
/// ```
open class NSMetadataQueryAttributeValueTuple: NSObject {
    /// ```swift
    /// let name = tuple.attribute
    /// ```
    public let attribute: String
    /// nil for the results that have none.
    ///
    /// ```swift
    /// let value = tuple.value as? String
    /// ```
    public let value: Any?
    /// ```swift
    /// let count = tuple.count
    /// ```
    public let count: Int

    init(_ attribute: String, _ value: Any?, _ count: Int) { (self.attribute, self.value, self.count) = (attribute, value, count) }
}

/// A result, and what the delegate has put into its place.
struct MetadataResult: @unchecked Sendable {
    // Sendable, because what the delegate made is handed on as it is, and used where the app uses it.

    let item: NSMetadataItem
    let shown: Any

    /// Results by the values that they have of an attribute.
    static func byValue(of attribute: String, _ results: [MetadataResult]) -> [(value: Any, results: [MetadataResult])] {
        var groups: [(value: Any, results: [MetadataResult])] = [], places: [SortableValue: Int] = [:]
        for result in results {
            let key = result.item[sortable: attribute]
            if let place = places[key] { groups[place].results.append(result) } else {
                places[key] = groups.count
                groups.append((result.item.value(forAttribute: attribute) ?? NSNull(), [result]))
            }
        }
        return groups
    }
}
