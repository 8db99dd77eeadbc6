import Containers
import Dispatch
import Documents
import LinuxFiles

/// Which kind of document a file becomes that gets a name on the drive.
///
/// A plain file that the drive found belongs to the program that put it there. It stays a plain file, whatever is written into it, and also
/// where a program removes it or renames it first and then writes a new one.
final class NewKinds: Sendable {
    private let tree: Tree
    private let container: Container
    private let options: DriveOptions
    /// Names that were plain files' a moment ago, and until when they are.
    private let plain = RecentTable<PlainName, DispatchTime>(most: 4096)

    /// The generation tells a folder from one that had its number before.
    private struct PlainName: Hashable {
        let folder: NodeNumber, generation: UInt32, name: Name
    }

    init(tree: Tree, container: Container, options: DriveOptions) {
        (self.tree, self.container, self.options) = (tree, container, options)
    }

    /// The kind that a new file of this name becomes, if its content fits. As a document, what is called as sync tools call
    /// copies would be a version of another one, and not there under its name. In a package nothing is a document.
    func kind(of name: Name, in folder: NodeNumber) -> KindID? {
        guard let kind = container.creating.first(where: { $0.kind.takes(shownName: name.bytes) }) else { return nil }
        if options.keepsVersions, Container.copiedItem(by: name) != nil { return nil }
        return wasPlain(name, in: folder) || tree.isPackage(folder) ? nil : kind
    }

    /// What a file becomes by what is written into it.
    func kind(of node: Node) -> KindID? { node.role == .plain && node.flags.contains(.isNew) ? kind(of: node.shown, in: node.parent) : nil }

    /// A plain file's name goes. What comes under it within the time that a document has to come back is a plain file, too.
    func leaves(_ node: Node, _ name: Name, in folder: NodeNumber) {
        guard node.isFoundPlain, container.creating.contains(where: { $0.kind.takes(shownName: name.bytes) }) else { return }
        plain[key(name, folder)] = .now() + .seconds(AwayDocuments.awaySeconds)
    }

    func wasPlain(_ name: Name, in folder: NodeNumber) -> Bool { plain[key(name, folder)].map { $0 > .now() } ?? false }

    private func key(_ name: Name, _ folder: NodeNumber) -> PlainName { PlainName(folder: folder, generation: tree[folder].generation, name: name) }
}
