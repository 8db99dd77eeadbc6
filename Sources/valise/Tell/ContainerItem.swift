import Containers
import Documents
import LinuxFiles
import Shell

/// An item in the folder of a container, read as a drive would read it, without one.
enum ContainerItem {
    static func describe(_ path: String) throws(Failure) -> ItemInfo {
        let item: Item
        var package: String?
        do throws(Errno) {
            let absolute = try mountpointPath(path)
            let parts = absolute.split(separator: "/")
            guard let last = parts.last, let name = Name(String(last)) else { throw .isDirectory }
            let folder = try Descriptor.atPath("/" + parts.dropLast().joined(separator: "/"), [.path, .folder])
            let container = (try? MountTable.now()).flatMap { NamedPlace.container(at: absolute, $0) }
            let path = parts.dropLast().dropFirst(container?.split(separator: "/").count ?? 0).compactMap { Name($0.utf8) }
            let kinds = kinds(of: container)
            item = try ItemReader(options: ShowingOptions(), kinds: kinds).read(name, in: folder, at: path)
            if item.document == nil, item.status.type == .folder, !kinds.isPackage(at: path),
                let inside = try? folder.open(name, [.path, .folder])
            {
                package = kinds.folderPackage(called: name, inside)?.name
            }
        } catch { throw Failure(error, "cannot read \(quoted(path)): \(error)", cause: error) }
        return ItemInfo(path: path, facts: facts(of: item, package))
    }

    /// Those of a container that can be opened, and those that all have.
    static func kinds(of container: String?) -> KindRegistry {
        let kinds = PersonsKinds.own.registry
        return container.flatMap { try? Container.open($0, access: .read, creating: [], kinds: kinds) }?.kinds ?? kinds
    }

    /// In the words of `user.valise.*`.
    private static func facts(of item: Item, _ package: String?) -> [ItemInfo.Fact] {
        var facts: [ItemInfo.Fact] = []
        if let document = item.document {
            facts.append(ItemInfo.Fact("kind", document.kind.name))
            facts.append(ItemInfo.Fact("stored-name", "\(item.name)"))
            facts.append(ItemInfo.Fact("name", String(decoding: document.reading.name, as: UTF8.self)))
            facts += document.reading.facts.map { ItemInfo.Fact($0.label.lowercased(), $0.value) }
        } else if item.isDenied {
            return [ItemInfo.Fact("stored-name", "\(item.name)"), ItemInfo.Fact("error", item.fault ?? "you may not read it")]
        } else {
            facts.append(ItemInfo.Fact("kind", package ?? (item.status.type == .folder ? "folder" : "plain")))
            facts.append(ItemInfo.Fact("stored-name", "\(item.name)"))
        }
        facts.append(ItemInfo.Fact("state", item.fault == nil ? "saved" : "not understood"))
        if let fault = item.fault { facts.append(ItemInfo.Fact("error", fault)) }
        return facts
    }
}
