import Catalog
import Foundation
import LinuxFiles
import Predicates

/// What a query was told to do.
struct MetadataQuerySettings: @unchecked Sendable {
    // Sendable, because Foundation's predicates, sort descriptors and queues are not changed after they were made.

    var predicate: NSPredicate?
    var scopes: [Any] = []
    var searchItems: [Any]?
    var sortDescriptors: [NSSortDescriptor] = []
    var groupingAttributes: [String]?
    var valueListAttributes: [String] = []
    var interval: TimeInterval = 1
    var operationQueue: OperationQueue?
    weak var delegate: (any NSMetadataQueryDelegate)?

    func wanted() throws(Failure) -> MetadataSearch.Wanted {
        guard let predicate else { throw Failure(.invalid, "The query has no predicate.") }
        if let known = predicate.known { return MetadataSearch.Wanted(predicate: known, holds: nil) }
        if let fault = predicate.formatFault { throw Failure(.invalid, fault) }
        // SAFETY: a predicate is not changed after it was made, and its block is the app's.
        nonisolated(unsafe) let asked = predicate
        return MetadataSearch.Wanted(predicate: .always(true)) { unsafe asked.evaluate(with: $0) }
    }

    /// A search for each place. Scopes that lead nowhere have none.
    func searches(_ wanted: MetadataSearch.Wanted) -> [MetadataSearch] {
        var searches: [MetadataSearch] = [], own: Set<CatalogScope> = []
        if let searchItems {
            let urls = searchItems.compactMap(Self.place), paths = Set(urls.map(\.path))
            let chosen = MetadataSearch.Wanted(predicate: wanted.predicate) { paths.contains($0.known.path) && wanted.holds?($0) ?? true }
            for folder in Set(urls.map { $0.deletingLastPathComponent() }) { add(folder, chosen) }
            return searches
        }
        for scope in scopes {
            switch scope {
            case NSMetadataQueryUbiquitousDocumentsScope as String: own.insert(.documents)
            case NSMetadataQueryUbiquitousDataScope as String: own.insert(.data)
            case let url as URL: add(url, wanted)
            case let path as String where path.hasPrefix("/"): add(URL(fileURLWithPath: path), wanted)
            default: continue
            }
        }
        if !own.isEmpty, let container = ContainerNames().folder(of: nil) {
            let place = SearchedPlace(folder: container).map { $0.drive == nil ? SearchedPlace(container: container.path, drive: nil, scope: .documents, names: []) : $0 }
            if let place { searches.append(MetadataSearch(place, own, wanted)) }
        }
        func add(_ url: URL, _ wanted: MetadataSearch.Wanted) {
            guard var place = SearchedPlace(folder: url) else { return }
            // All of a container: its documents, and what is beside them.
            let isWhole = place.names.isEmpty && place.scope == .data
            if isWhole { place = SearchedPlace(container: place.container, drive: place.drive, scope: .documents, names: []) }
            searches.append(MetadataSearch(place, isWhole ? [.documents, .data] : [place.scope], wanted))
        }
        return searches
    }

    /// Where an item is that a query was given.
    private static func place(_ item: Any) -> URL? {
        if let item = item as? NSMetadataItem { return URL(fileURLWithPath: item.known.path) }
        return (item as? URL ?? (item as? String).map { URL(fileURLWithPath: $0) })?.standardizedFileURL
    }

    /// As the descriptors say, and where they say nothing, by their paths.
    func sorted(_ items: [NSMetadataItem]) -> [NSMetadataItem] {
        let named = items.map { (item: $0, path: $0.known.path) }.sorted { $0.path < $1.path }.map(\.item)
        guard !sortDescriptors.isEmpty else { return named }
        return named.enumerated().sorted { first, second in
            for descriptor in sortDescriptors {
                switch descriptor.compare(first.element, to: second.element) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return first.offset < second.offset
        }.map(\.element)
    }
}
