import Catalog
import Containers
import Foundation
import LinuxFiles

/// Where an item is, or is to be looked for: its container, and the names from the top of the documents (or of the data) on. A URL on
/// a drive and one in the container lead to the same place.
struct SearchedPlace: Equatable {
    /// As it was named, or as the drive says.
    let container: String
    /// For a URL on one.
    let drive: MountedDrives.Drive?
    let scope: CatalogScope
    /// As the container has them.
    let names: [Name]

    /// nil for what is no file, or lies in no container.
    init?(_ url: URL) {
        guard url.isFileURL, let names = url.realNames, let place = Self.onDrive(names) ?? Self.inContainer(names) else { return nil }
        self = place
    }

    init(container: String, drive: MountedDrives.Drive?, scope: CatalogScope, names: [Name]) {
        (self.container, self.drive, self.scope, self.names) = (container, drive, scope, names)
    }

    private static func inContainer(_ names: [Name]) -> SearchedPlace? {
        guard let found = NearestContainer(above: names) else { return nil }
        let isDocument = !found.hasDocuments || found.inside.first == Container.documentsName
        let inside = found.hasDocuments && isDocument ? found.inside.dropFirst() : found.inside
        return SearchedPlace(container: found.path, drive: nil, scope: isDocument ? .documents : .data, names: Array(inside))
    }

    /// A folder that is no container and in none counts as one by itself, where somebody looks into it.
    init?(folder url: URL) {
        if let place = SearchedPlace(url) {
            self = place
            return
        }
        let path = url.resolvingSymlinksInPath().path
        guard url.isFileURL, (try? Descriptor.atPath(path, [.path, .folder])) != nil else { return nil }
        self.init(container: path, drive: nil, scope: .documents, names: [])
    }

    private static func onDrive(_ names: [Name]) -> SearchedPlace? {
        // A drive itself is a place, too.
        guard let drive = MountedDrives.drive(of: names) else { return nil }
        let shown = names.dropFirst(drive.depth)
        guard shown.first != Hidden.state else {
            guard shown.dropFirst().first == Name(constant: "originals") else { return nil }
            return URL(fileURLWithPath: ([drive.container] + shown.dropFirst(2).map(\.text)).joined(separator: "/")).realNames.flatMap(inContainer)
        }
        return SearchedPlace(container: drive.container, drive: drive, scope: .documents, names: drive.storedNames(of: shown))
    }

    // MARK: Paths

    /// Where the top of its scope lies in the container.
    var top: String { container + (scope == .documents && NearestContainer.hasDocuments(container) ? "/Documents" : "") }

    /// Where it lies in the container.
    var storedPath: String { ([top] + names.map(\.text)).joined(separator: "/") }
}
