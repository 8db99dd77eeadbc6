import Documents
import LinuxFiles

/// The kinds of documents that the container names itself, in its settings. One that the person wrote down for all containers is added there when it
/// is first used in this one: so it is known wherever the container is opened.
final class ContainerKinds: Sendable {
    private let state: StateFolder
    private let own: OpenFile
    private let registry: KindRegistry
    private let added = Latest<Set<String>>([])

    init(state: StateFolder, own: OpenFile, _ registry: KindRegistry) { (self.state, self.own, self.registry) = (state, own, registry) }

    func uses(_ change: Change) {
        if let id = change.kind { uses(id.name, id.section) }
        guard !registry.folders.isEmpty, let name = change.package, let word = KindRegistry.fileExtension(of: name.bytes),
            let folder = registry.folders.first(where: { $0.itemExtension == word })
        else { return }
        uses(folder.name, folder.section)
    }

    /// Where it cannot be written down now, that is tried again with the next change.
    private func uses(_ name: String, _ section: String?) {
        guard let section, !KindRegistry.shipped.has(name), !added.value.contains(name) else { return }
        let bytes = Settings.bytes(in: state), known = KindsFile(bytes, hasOwnLines: true).kinds
        // What could not be read is not replaced.
        guard !bytes.isEmpty || (try? own.descriptor.exists(Settings.fileName)) == false else { return }
        if known.contains(where: { $0.kind.name == name }) || (try? write(section, behind: bytes)) != nil {
            added.set(added.value.union([name]))
        }
    }

    private static let newName = Name(constant: "settings.new")

    private func write(_ section: String, behind bytes: [UInt8]) throws(Errno) {
        let gap = bytes.isEmpty ? "" : bytes.last == UInt8(ascii: "\n") ? "\n" : "\n\n"
        let all = bytes + Array((gap + section).utf8)
        guard all.count <= Settings.limit else { throw .fileTooLarge }
        let file = try own.descriptor.open(Self.newName, [.write, .create, .truncate], mode: 0o644)
        try file.write(all, at: 0)
        try file.synchronize()
        try own.descriptor.rename(Self.newName, to: own.descriptor, as: Settings.fileName)
    }
}
