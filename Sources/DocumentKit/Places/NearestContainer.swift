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
    /// Which folder it is now.
    let identity: FileIdentity?

    init?(above names: [Name]) {
        let named = ContainerNames().identities
        for count in (0...names.count).reversed() {
            let path = "/" + names.prefix(count).map(\.text).joined(separator: "/")
            guard let folder = try? Descriptor.atPath(path, [.path, .folder]), Self.isContainer(folder, named) else { continue }
            (self.path, hasDocuments, inside) = (path, Self.hasFolder(Container.documentsName, folder), names.dropFirst(count))
            identity = try? folder.status().identity
            return
        }
        return nil
    }

    private static func isContainer(_ folder: borrowing Descriptor, _ named: Set<FileIdentity>) -> Bool {
        if hasFolder(Hidden.state, folder) || hasFolder(Hidden.rootState, folder) { return true }
        return !named.isEmpty && (try? folder.status()).map { named.contains($0.identity) } == true
    }

    static func hasDocuments(_ container: String) -> Bool {
        guard let folder = try? Descriptor.atPath(container, [.path, .folder]) else { return false }
        return hasFolder(Container.documentsName, folder)
    }

    /// A link is none, as where a container is opened.
    private static func hasFolder(_ name: Name, _ folder: borrowing Descriptor) -> Bool { (try? folder.status(of: name).type) == .folder }
}

extension URL {
    /// The names from the root on. Links on the way are followed, as far as there is something; the last may be one, or not be there.
    /// nil where something is no name.
    var realNames: [Name]? {
        let own = Array(path.utf8).split(separator: UInt8(ascii: "/"))
        // What is there the kernel says in one go.
        if let last = own.last, !own.contains(where: { $0.elementsEqual([0x2E]) || $0.elementsEqual([0x2E, 0x2E]) }), let name = Name(last),
           let above = try? Descriptor.atPath([UInt8](own.dropLast().map { [UInt8(ascii: "/")] + $0 }.joined()) + [UInt8(ascii: "/")], [.path, .folder]),
           let place = try? AbsolutePath.of(above), (try? above.status())?.links ?? 0 > 0 {
            let names = place.utf8.split(separator: UInt8(ascii: "/")), real = names.compactMap { Name($0) }
            return real.count == names.count ? real + [name] : nil
        }
        let parts = FileManager.realComponents(self).dropFirst(), names = parts.compactMap { Name($0) }
        return names.count == parts.count ? names : nil
    }
}

extension Name {
    /// As Foundation has names. What is no text has another one there.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
