import Catalog
import Containers
import Foundation
import LinuxFiles

/// Where an item is, or is to be looked for: its container, and the names from the top of the documents (or of the data) on. A URL on
/// a drive and one in the container lead to the same place.
struct SearchedPlace: Equatable {
    /// As it was named, or as the drive says.
    let container: String
    /// Where the drive is, if the URL is on one.
    let mountpoint: String?
    let scope: CatalogScope
    /// As the container has them.
    let names: [Name]

    /// nil for what is no file, or lies in no container.
    init?(_ url: URL) {
        guard url.isFileURL, let place = Self.onDrive(url) ?? Self.inContainer(url) else { return nil }
        self = place
    }

    init(container: String, mountpoint: String?, scope: CatalogScope, names: [Name]) {
        (self.container, self.mountpoint, self.scope, self.names) = (container, mountpoint, scope, names)
    }

    private static func names(_ parts: some Sequence<String>) -> [Name]? {
        var names: [Name] = []
        for part in parts {
            guard let name = Name(part) else { return nil }
            names.append(name)
        }
        return names
    }

    // MARK: In a container

    private static func inContainer(_ url: URL) -> SearchedPlace? {
        let parts = FileManager.realComponents(url)
        // The nearest one: of a named container, or of a folder that Valise has used as one.
        for count in (1...parts.count).reversed() {
            let path = self.path(parts.prefix(count))
            guard isContainer(path) else { continue }
            let rest = parts.dropFirst(count)
            if hasDocuments(path) {
                guard rest.first == "Documents" else { return names(rest).map { SearchedPlace(container: path, mountpoint: nil, scope: .data, names: $0) } }
                return names(rest.dropFirst()).map { SearchedPlace(container: path, mountpoint: nil, scope: .documents, names: $0) }
            }
            return names(rest).map { SearchedPlace(container: path, mountpoint: nil, scope: .documents, names: $0) }
        }
        return nil
    }

    /// A folder that is no container and in none counts as one by itself, where somebody looks into it.
    init?(folder url: URL) {
        if let place = SearchedPlace(url) {
            self = place
            return
        }
        let path = url.resolvingSymlinksInPath().path
        guard url.isFileURL, (try? Descriptor.atPath(path, [.path, .folder])) != nil else { return nil }
        self.init(container: path, mountpoint: nil, scope: .documents, names: [])
    }

    private static func path(_ parts: some Collection<String>) -> String { "/" + parts.dropFirst().joined(separator: "/") }

    private static func isContainer(_ path: String) -> Bool {
        if ContainerNames().folders.contains(where: { $0.resolvingSymlinksInPath().path == path }) { return true }
        guard let folder = try? Descriptor.atPath(path, [.path, .folder]) else { return false }
        return [Hidden.state, Hidden.rootState].contains { (try? folder.status(of: $0).type) == .folder }
    }

    static func hasDocuments(_ container: String) -> Bool {
        guard let folder = try? Descriptor.atPath(container, [.path, .folder]) else { return false }
        return (try? folder.status(of: Name(constant: "Documents")).type) == .folder
    }

    // MARK: On a drive

    private static func onDrive(_ url: URL) -> SearchedPlace? {
        let parts = FileManager.realComponents(url)
        guard let drive = MountedDrive(above: Array(parts.dropLast()), or: parts) else { return nil }
        let rest = Array(parts.dropFirst(drive.depth))
        guard rest.first != ".valise" else {
            guard rest.count > 1, rest[1] == "originals" else { return nil }
            return inContainer(URL(fileURLWithPath: ([drive.container] + rest.dropFirst(2)).joined(separator: "/")))
        }
        guard var found = names(rest) else { return nil }
        // Folders are called the same there and here, and documents are not.
        if let last = found.last, let stored = drive.storedName(path(parts)) { found[found.count - 1] = stored == last ? last : stored }
        return SearchedPlace(container: drive.container, mountpoint: drive.mountpoint, scope: .documents, names: found)
    }

    // MARK: Paths

    /// Where the top of its scope lies in the container.
    var top: String { container + (scope == .documents && Self.hasDocuments(container) ? "/Documents" : "") }

    /// Where it lies in the container; nil for what is no text.
    var storedPath: String? { ([top] + names.map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/") }
}
