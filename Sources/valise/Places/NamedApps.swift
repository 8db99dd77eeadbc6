import Containers
import LinuxFiles
import Shell

/// A folder of containers that a person named, or the drive that shows one.
struct NamedApps {
    let path: String
    let apps: [AppsFolder.App]

    /// nil where a path leads to neither.
    init?(_ named: String) {
        switch try? NamedPlace(named) {
        case .apps(let mount)?: path = mount.source
        case .other(let folder)?: path = folder
        default: return nil
        }
        guard let folder = try? Descriptor.atPath(path, [.read, .folder]), let found = try? AppsFolder(folder) else { return nil }
        apps = found.apps
    }

    func path(of app: AppsFolder.App) -> String { "\(path)/\(app.folder)" }

    func opened(_ app: AppsFolder.App) throws(Failure) -> Container {
        try Container.open(path(of: app), access: .read, creating: [], kinds: PersonsKinds.own.registry)
    }
}
