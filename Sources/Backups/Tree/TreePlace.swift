import CalendarDays

/// Where on the drive something of a domain is: the folders from the top on, and what is left of its path.
struct TreePlace: Hashable {
    var folders: [[UInt8]]
    var rest: ArraySlice<ArraySlice<UInt8>>

    /// Folders at the top of the drive.
    enum Top {
        static let apps = Array("Apps".utf8), groups = Array("App Groups".utf8), plugIns = Array("App Plug-ins".utf8)
        static let photos = Array("Photos".utf8), domains = Array("Domains".utf8)
    }

    private static let app = Array("AppDomain-".utf8), group = Array("AppDomainGroup-".utf8),
        plugIn = Array("AppDomainPlugin-".utf8)
    private static let local = Array("AppDomainGroup-group.com.apple.FileProvider.LocalStorage".utf8)
    private static let localFolder = Array("File Provider Storage".utf8)
    private static let cameraRoll = Array("CameraRollDomain".utf8), media = Array("Media".utf8),
        camera = Array("DCIM".utf8)

    /// A folder at the top in which each folder is a thing of its own.
    static func isSplit(_ top: [UInt8]) -> Bool { [Top.apps, Top.groups, Top.plugIns, Top.domains].contains(top) }
    static func appPath(_ name: [UInt8]) -> String {
        String(decoding: Top.apps + [UInt8(ascii: "/")] + name, as: UTF8.self)
    }

    /// What a domain stands for.
    enum Domain: Hashable {
        case app([UInt8])
        case group([UInt8])
        case plugIn([UInt8])
        /// What the Files app calls “On My iPhone”.
        case local
        case cameraRoll
        case other

        init(_ name: [UInt8]) {
            self =
                if name == TreePlace.local { .local } else if name == TreePlace.cameraRoll {
                    .cameraRoll
                } else if name.count > TreePlace.app.count, name.starts(with: TreePlace.app) {
                    .app(Array(name.dropFirst(TreePlace.app.count)))
                } else if name.count > TreePlace.group.count, name.starts(with: TreePlace.group) {
                    .group(Array(name.dropFirst(TreePlace.group.count)))
                } else if name.count > TreePlace.plugIn.count, name.starts(with: TreePlace.plugIn) {
                    .plugIn(Array(name.dropFirst(TreePlace.plugIn.count)))
                } else { .other }
        }
    }

    /// The domain's own folder on the drive, by a name for each app.
    static func folder(of domain: Domain, _ name: [UInt8], appName: ([UInt8]) -> [UInt8]) -> [[UInt8]] {
        switch domain {
        case .app(let identifier): [Top.apps, appName(identifier)]
        case .group(let identifier): [Top.groups, identifier]
        case .local: [Top.groups, Array(name.dropFirst(group.count))]
        case .plugIn(let identifier): [Top.plugIns, identifier]
        case .cameraRoll, .other: [Top.domains, name]
        }
    }

    /// Where something lies that is not in the domain's own folder. nil where it is. `hides`: a folder that is empty,
    /// because what is in it is elsewhere.
    static func elsewhere(
        _ domain: Domain, _ path: ArraySlice<ArraySlice<UInt8>>, _ entry: ManifestEntry, isTablet: Bool
    ) -> (place: TreePlace?, hides: Bool)? {
        switch domain {
        case .local:
            guard let first = path.first, first.elementsEqual(localFolder) else { return nil }
            return (
                TreePlace(folders: [Array((isTablet ? "On My iPad" : "On My iPhone").utf8)], rest: path.dropFirst()),
                false
            )
        case .cameraRoll:
            guard path.count >= 2, path[path.startIndex].elementsEqual(media),
                path[path.startIndex + 1].elementsEqual(camera)
            else { return nil }
            guard entry.kind != .folder, path.count > 2, let name = path.last else { return (nil, true) }
            return (TreePlace(folders: [Top.photos, Array(month(of: entry.facts).utf8)], rest: [name]), false)
        case .app, .group, .plugIn, .other: return nil
        }
    }

    /// “2026-03”, when it was taken; in the calendar of Greenwich, so that it is the same everywhere.
    private static func month(of facts: MBFile) -> String {
        let seconds = facts.born > 0 ? facts.born : facts.modified
        let day = CalendarDay(daysSince1970: CalendarDay.floored(min(max(seconds, 0), 253_402_300_799), 86_400))
        return seconds > 0 ? "\(CalendarDay.digits(day.year, 4))-\(CalendarDay.digits(day.month, 2))" : "undated"
    }
}
