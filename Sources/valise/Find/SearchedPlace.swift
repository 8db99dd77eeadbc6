import Catalog
import LinuxFiles
import Shell

/// Where something is looked for: in a container, or on the drive of a backup.
enum SearchedPlace {
    case container(FindPlace)
    case backup(BackupSearch)

    var container: FindPlace? { if case .container(let place) = self { place } else { nil } }

    /// The one that somebody named, or all drives.
    static func all(_ path: String?) throws(Stop) -> OwnDrives<SearchedPlace> {
        let drives = try OwnDrives(
            path, one: { (path) throws(Stop) in try named(path) }, asking: { (mount) throws(Stop) in try shown(by: mount, []) })
        guard path != nil || !drives.isEmpty else { throw Stop(1, "no drive is mounted; to look into a container: valise find PREDICATE CONTAINER") }
        return drives
    }

    private static func named(_ path: String) throws(Stop) -> SearchedPlace {
        let found = try FindPlace.foundFolder(path)
        switch try NamedPlace(found: found) {
        case .drive(let mount), .onDrive(let mount):
            return try shown(by: mount, found.dropFirst(mount.mountpoint.count).split(separator: "/").compactMap { Name(String($0)) })
        default: return .container(try FindPlace(found: found, path))
        }
    }

    private static func shown(by mount: MountTable.Mount, _ folder: [Name]) throws(Stop) -> SearchedPlace {
        let page = try StatusSource.page(of: mount)
        return page["backup"] == nil ? .container(try FindPlace(on: mount, page, folder)) : .backup(BackupSearch(mount, folder))
    }

    /// The paths of what was found. `areThere`: the drive can be asked what it calls them.
    func paths(of items: [FoundItem], areThere: Bool) -> [[UInt8]] {
        switch self {
        case .container(let place): place.paths(of: items, areThere: areThere)
        case .backup(let search): items.map { Array((search.top + "/").utf8) + $0.shownPath }
        }
    }
}
