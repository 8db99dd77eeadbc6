import Containers
import Imports
import LinuxFiles
import Shell

/// What is exported: a container or a folder in one, or all containers of a folder of such, each below its app's name.
struct ExportedPlaces {
    private let places: [(app: Name?, container: Container, path: [Name])]
    /// A folder of containers.
    private let folder: String?

    init(_ place: ImportPlace) { (places, folder) = ([(nil, place.container, place.path)], nil) }

    init(_ apps: NamedApps) throws(Stop) {
        var places: [(app: Name?, container: Container, path: [Name])] = []
        for app in apps.apps {
            do throws(Failure) { places.append((app.name, try apps.opened(app), [])) } catch { throw Stop(1, error.sentence) }
        }
        (self.places, folder) = (places, apps.path)
    }

    /// `fault` hears of what cannot be read.
    func walk(_ take: (ContainerWalk.Found, Name?) throws(Failure) -> Void, fault: (String, String) -> Void) throws(Failure) {
        for place in places {
            try ContainerWalk(place.container).walk(
                from: place.path, { (found) throws(Failure) in try take(found, place.app) },
                fault: { path, reason in fault((place.app.map { "\($0)/" } ?? "") + path, reason) })
        }
    }

    /// Says which export is stopped and taken up again.
    var source: String {
        let names = places.first.map { $0.path.map(\.description).joined(separator: "/") } ?? ""
        return "container \(folder ?? places.first.map(\.container.path) ?? "") \(names)"
    }

    func contain(_ folder: String) -> Bool {
        if let own = self.folder, let found = foundOrNew(folder), isInside(found, own) { return true }
        return places.contains { lies(folder, in: $0.container, $0.path) }
    }
}

/// The path that leads to a folder, which may not be there yet.
private func foundOrNew(_ folder: String) -> String? {
    let written = writtenPath(folder), parts = written.split(separator: "/")
    let above = "/" + parts.dropLast().joined(separator: "/")
    guard let last = parts.last else { return nil }
    return isThere(written) ? try? foundPath(written) : (try? foundPath(above)).map { "\($0 == "/" ? "" : $0)/\(last)" }
}

/// Whether a folder, which may not be there yet, is in what is exported, by a path on a drive or in the container. Beside a container's
/// documents it is in there, too.
private func lies(_ folder: String, in exported: Container, _ top: [Name]) -> Bool {
    guard let found = foundOrNew(folder) else { return false }
    let container: String?
    var names: [String]
    switch try? NamedPlace(found: found) {
    case .drive(let mount), .onDrive(let mount):
        container = try? StatusSource.container(of: mount)
        names = found.dropFirst(mount.mountpoint.count).split(separator: "/").map(String.init)
    case .container(let path): (container, names) = (path, [])
    case .inContainer(let path, let rest):
        container = path
        names = rest.split(separator: "/").map(String.init)
        if exported.hasDocumentsFolder { if names.first == "Documents" { names.removeFirst() } else { names = top.map { "\($0)" } } }
    case .apps, .other, nil: return false
    }
    guard let container, let own = try? realPath(exported.path), (try? realPath(container)) == own else { return false }
    return names.compactMap { Name($0) }.starts(with: top)
}
