import Containers
import LinuxFiles
import Shell

/// The container, or the folder in one, that an import goes into or an export comes from: as it was named, on a drive or in the container itself.
struct ImportPlace {
    let container: Container
    /// From the documents on.
    let path: [Name]
    /// As it was named.
    let named: String
    /// Where documents lie there as their app keeps them.
    var folder: String {
        ([container.documentsPath] + path.map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/")
    }

    init(_ named: String) throws(Stop) {
        self.named = named
        try checkThere(named)
        var names: [String]
        switch try NamedPlace(named) {
        case .drive(let mount): (container, names) = (try NamedDocument.opened(on: mount), [])
        case .apps(let mount): throw NamedPlace.several(mount)
        case .onDrive(let mount):
            container = try NamedDocument.opened(on: mount)
            names = try foundPath(named).dropFirst(mount.mountpoint.count).split(separator: "/").map(String.init)
        case .container(let folder): (container, names) = (try NamedDocument.opened(folder), [])
        case .inContainer(let folder, let rest):
            container = try NamedDocument.opened(folder)
            names = rest.split(separator: "/").map(String.init)
            if container.hasDocumentsFolder {
                guard names.first == "Documents" else { throw Stop(1, "\(quoted(named)) is not among the documents of the container \(quoted(folder))") }
                names.removeFirst()
            }
        case .other(let path):
            // As an app's container has one, which nobody has used on this computer yet.
            guard (try? status(of: "\(path)/Documents"))?.type == .folder else {
                throw Stop(1, "\(NamedPlace.neither(named)); to make an empty folder one: valise init \(shellWord(named)); an app's own is one once it was mounted")
            }
            (container, names) = (try NamedDocument.opened(path), [])
        }
        path = names.compactMap { Name($0) }
        guard path.first.map(Hidden.isState) != true else { throw Stop(1, "\(quoted(named)) is Valise's own; name the drive or a folder on it") }
        do throws(Errno) { _ = try container.documents.folder(at: path) } catch { throw Stop(1, "\(quoted(named)) is no folder that can be used: \(error)") }
    }
}
