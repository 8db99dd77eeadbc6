import Foundation
import Predicates

// Sorting by an attribute, which Foundation on Linux declares and does not have.
extension NSSortDescriptor {
    /// The order of an attribute's values: texts by their characters, numbers, dates. What has no value comes first.
    ///
    /// ```swift
    /// query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemFSContentChangeDateKey, ascending: false)]
    /// ```
    public convenience init(key: String?, ascending: Bool) {
        self.init(keyPath: \NSMetadataItem.[sortable: key ?? ""], ascending: ascending) { first, second in
            guard let first = first as? SortableValue, let second = second as? SortableValue else { return .orderedSame }
            return first < second ? .orderedAscending : second < first ? .orderedDescending : .orderedSame
        }
    }
}

/// A value that has a place among others of its attribute.
struct SortableValue: Comparable, Hashable {
    let value: Value

    private var rank: Int {
        switch value {
        case .missing: 0
        case .flag: 1
        case .number: 2
        case .date: 3
        case .text: 4
        }
    }

    static func < (first: SortableValue, second: SortableValue) -> Bool {
        switch (first.value, second.value) {
        case (.number(let first), .number(let second)): first < second
        case (.date(let first), .date(let second)): first < second
        case (.text(let first), .text(let second)): first.lexicographicallyPrecedes(second)
        case (.flag(let first), .flag(let second)): !first && second
        default: first.rank < second.rank
        }
    }
}

extension NSMetadataItem {
    subscript(sortable key: String) -> SortableValue { SortableValue(value: value(forAttribute: key).flatMap(PredicateValues.value) ?? .missing) }
}
