import Containers
import Foundation
import LinuxFiles

/// The container that a path leads into: a folder that is named as one, or that Valise has used as one; the nearest of those
/// that lie above, or the folder itself.
struct NearestContainer {
    let path: String
    /// Its documents have a folder of their own, and are not all there is.
    let hasDocuments: Bool
    /// From the container on.
    let inside: ArraySlice<Name>

    init?(above names: [Name]) {
        let named = ContainerNames().folders.map { $0.resolvingSymlinksInPath().standardizedFileURL.path }
        for count in (0...names.count).reversed() {
            let folder = "/" + names.prefix(count).map(\.text).joined(separator: "/")
            guard named.contains(folder) || Self.isUsed(folder) else { continue }
            (path, hasDocuments, inside) = (folder, Self.hasDocuments(folder), names.dropFirst(count))
            return
        }
        return nil
    }

    private static func isUsed(_ folder: String) -> Bool { hasFolder(Hidden.state, folder) || hasFolder(Hidden.rootState, folder) }

    static func hasDocuments(_ container: String) -> Bool { hasFolder(Container.documentsName, container) }

    /// A link is none, as where a container is opened.
    private static func hasFolder(_ name: Name, _ folder: String) -> Bool {
        (try? Descriptor.atPath(folder, [.path, .folder]).status(of: name).type) == .folder
    }
}

extension URL {
    /// The names from the root on. Links on the way are followed, as far as there is something; the last may be one, or not be there.
    /// nil where something is no name.
    var realNames: [Name]? {
        let parts = FileManager.realComponents(self).dropFirst(), names = parts.compactMap { Name($0) }
        return names.count == parts.count ? names : nil
    }
}

extension Name {
    /// As Foundation has names. What is no text has another one there.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
