import DocumentKit
import Foundation

/// `DocumentTrial conflicts FOLDER`: finds all that is in a container, as an app lists it, and says how many there are and how many are in conflict.
enum Listing {
    static func conflicts(in folder: String) -> Never {
        let query = NSMetadataQuery()
        query.predicate = NSPredicate(format: "TRUEPREDICATE")
        query.searchScopes = [URL(fileURLWithPath: folder, isDirectory: true)]
        // What changed a moment ago is looked at each time.
        usleep(100_000)
        _ = NotificationCenter.default.addObserver(forName: .NSMetadataQueryDidFinishGathering, object: query, queue: .main) { _ in
            MainActor.assumeIsolated {
                let items = query.results.compactMap { $0 as? NSMetadataItem }
                let conflicts = items.filter { $0.value(forAttribute: NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? Bool == true }
                say("\(items.count)", "\(conflicts.count)")
                exit(0)
            }
        }
        _ = query.start()
        dispatchMain()
    }
}
