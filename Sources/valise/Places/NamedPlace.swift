import Containers
import Glibc
import LinuxFiles
import Shell

/// What a path that a person named leads to, as far as Valise is concerned. No drive is asked.
enum NamedPlace {
    /// The top of a drive that shows one container, or the folder of such a container on one that shows several.
    case drive(MountTable.Mount)
    /// The top of a drive that shows several, or what lies there and is none of them.
    case apps(MountTable.Mount)
    case onDrive(MountTable.Mount)
    /// A folder that Valise has used as a container, or that a drive shows.
    case container(String)
    /// Something in such a folder: its path from there on.
    case inContainer(String, rest: String)
    /// Anything else, or nothing.
    case other(String)

    init(_ path: String) throws(Stop) {
        let table = try MountTable.now(), absolute: String
        do throws(Stop) { absolute = try foundPath(path) } catch {
            // A drive that is dead or does not answer is told by the path alone.
            let written = writtenPath(path)
            guard let mount = table.drivesAndApps.last(where: { isInside(written, $0.mountpoint) }) else { throw error }
            self = mount.showsApps ? .apps(mount) : written == mount.mountpoint ? .drive(mount) : .onDrive(mount)
            return
        }
        self = Self.place(absolute, table)
    }

    /// What a path leads to that is found already.
    init(found absolute: String) throws(Stop) { self = Self.place(absolute, try MountTable.now()) }

    /// As `init`, where nothing is a mistake.
    static func existing(_ path: String) throws(Stop) -> NamedPlace {
        let place = try NamedPlace(path)
        try checkThere(path)
        return place
    }

    private static func place(_ absolute: String, _ table: MountTable) -> NamedPlace {
        if let mount = table.mount(under: absolute), mount.isDrive, mount.isWhole {
            return mount.showsApps ? .apps(mount) : absolute == mount.mountpoint ? .drive(mount) : .onDrive(mount)
        }
        if let mount = table.drives.last(where: { $0.showsApps && $0.source == absolute }) { return .apps(mount) }
        if let container = container(at: absolute, table) {
            return container == absolute ? .container(container) : .inContainer(container, rest: String(absolute.dropFirst(container.count).drop { $0 == "/" }))
        }
        return .other(absolute)
    }

    /// The nearest container that a path is, or that lies above it.
    static func container(at absolute: String, _ table: MountTable) -> String? {
        let parts = absolute.split(separator: "/")
        for count in (0...parts.count).reversed() {
            let folder = "/" + parts.prefix(count).joined(separator: "/"), inside = folder == "/" ? folder : folder + "/"
            if [Hidden.state, Hidden.rootState].contains(where: { (try? status(of: inside + "\($0)"))?.type == .folder }) { return folder }
            if table.containers.contains(where: { $0.source == folder }) { return folder }
        }
        return nil
    }

    // MARK: The container that is meant

    /// What a verb that looks at a whole container looks at: the one that a drive shows, or that something lies in. As it was named where
    /// that may be one itself.
    func wholeContainer(_ named: String) throws(Stop) -> String {
        switch self {
        case .onDrive, .inContainer: try checkThere(named)
        case .drive, .apps, .container, .other: break
        }
        switch self {
        case .apps(let mount): throw Self.several(mount)
        case .drive(let mount), .onDrive(let mount): return Self.shown(by: mount)
        case .inContainer(let container, _): return container
        case .container, .other: return named
        }
    }

    /// The drive of one container that it is, or lies on.
    var drive: MountTable.Mount? {
        switch self {
        case .drive(let mount), .onDrive(let mount): mount
        case .apps, .container, .inContainer, .other: nil
        }
    }

    // MARK: The wrong one

    /// What a path is that is no container, and what to type; nil where it may be one.
    func isNoContainer(_ named: String, for verb: String, then rest: String = "") throws(Stop) -> String? {
        func right(_ container: String) -> String { "valise \(verb) \(shellWord(container))\(rest)" }
        switch self {
        case .onDrive, .inContainer: guard isThere(named) else { return "there is no \(quoted(named))" }
        case .drive, .apps, .container, .other: break
        }
        switch self {
        case .apps(let mount): return "\(quoted(named)) is shown by the drive \(quoted(mount.mountpoint)), each of its containers in a folder; name one of those containers: valise \(verb) \(shellWord(mount.source + "/…"))\(rest)"
        case .drive(let mount): return "\(quoted(named)) is a drive, and shows the container \(quoted(Self.shown(by: mount))); name that: \(right(Self.shown(by: mount)))"
        case .onDrive(let mount): return "\(quoted(named)) is on the drive \(quoted(mount.mountpoint)), which shows the container \(quoted(Self.shown(by: mount))); name that: \(right(Self.shown(by: mount)))"
        case .inContainer(let container, rest: "Documents"): return "\(quoted(named)) is the folder for documents of the container \(quoted(container)); name that: \(right(container))"
        case .inContainer(let container, _): return "\(quoted(named)) lies in the container \(quoted(container)); name that: \(right(container))"
        case .container, .other: return nil
        }
    }

    /// The container that a drive shows, as it says or as the kernel knows.
    private static func shown(by mount: MountTable.Mount) -> String {
        (try? StatusSource.container(of: mount)) ?? mount.source
    }

    /// What is wrong with naming all containers that a drive shows, where one is meant.
    static func several(_ mount: MountTable.Mount) -> Stop {
        let example = MountTable.apps(of: mount).first.map { shellWord("\(mount.mountpoint)/\($0.name)") } ?? mount.mountpoint + "/…"
        return Stop(1, "\(quoted(mount.mountpoint)) shows several containers, and this is about one of them; name its folder there, as in \(example)")
    }

    /// What a folder is that may be any.
    static func neither(_ named: String) -> String { "\(quoted(named)) is no container that Valise has used and no drive" }

    // MARK: The drives that show it

    /// The drive itself, or those that show the container.
    func drives() throws(Stop) -> [MountTable.Mount] {
        switch self {
        case .drive(let mount), .onDrive(let mount), .apps(let mount): return [mount]
        case .container(let container), .inContainer(let container, _):
            let found = try Self.drives(showing: container) { true }
            guard found.isEmpty else { return found }
            if let process = (try? Container.open(container, access: .read, creating: [], kinds: PersonsKinds.own.registry)).flatMap(ContainerLock.processElsewhere) {
                throw Stop(1, "the container \(quoted(container)) is mounted in another mount namespace, by process \(process); to end that, saving all: kill \(process)")
            }
            if let elsewhere = DriveHolder.sentence(where: { $0.source == container }) { throw Stop(1, "the container \(quoted(container)) is not mounted here any more, and its drive \(elsewhere)") }
            throw Stop(1, "the container \(quoted(container)) is not mounted; to mount it: valise mount \(shellWord(container)) MOUNTPOINT")
        case .other(let path):
            if let elsewhere = DriveHolder.sentence(where: { $0.mountpoint == path }) { throw Stop(1, "no drive is mounted on \(quoted(path)) any more, and the one that was \(elsewhere)") }
            throw Stop(1, "no drive is mounted on \(quoted(path)); those that are: valise status")
        }
    }

    /// The one that shows a container; nil where none does. Those that are called after another one are asked only where somebody serves this one.
    static func drive(showing container: String) throws(Stop) -> MountTable.Mount? {
        try drives(showing: container) { (try? Container.open(container, access: .read, creating: [], kinds: PersonsKinds.own.registry)).flatMap { ContainerLock.processHere(in: $0) } != nil }.last
    }

    /// Those that are called after another container are asked only where no other shows it, and it may be one of them.
    private static func drives(showing container: String, othersMay: () -> Bool) throws(Stop) -> [MountTable.Mount] {
        // What a folder of a drive of several containers shows is known.
        let drives = try MountTable.now().containers, others = drives.filter { $0.source != container && !$0.isApp }
        let found = shown(container, by: drives.filter { $0.source == container })
        guard found.isEmpty, !others.isEmpty, othersMay() else { return found }
        return shown(container, by: others)
    }

    /// Those that show it. A drive knows what it shows: it may have another name in the table of mounts, and its container may have been moved since. Of one that
    /// does not answer the table tells.
    private static func shown(_ container: String, by mounts: [MountTable.Mount]) -> [MountTable.Mount] {
        zip(mounts, StatusSource.pages(of: mounts)).filter { mount, page in
            let named = (try? page.get()).flatMap { try? StatusSource.container($0, of: mount) }
            return (named ?? mount.source) == container
        }.map(\.0)
    }
}
