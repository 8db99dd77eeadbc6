import Containers
import Glibc
import LinuxFiles
import Shell

/// Another user, whose `.valise` it is in a container: what is kept there is theirs alone.
struct StateOwner {
    private let container: String
    private let name: String

    /// nil where it is this user's own, or there is none.
    init?(of container: String) {
        guard let owner = try? status(of: "\(container)/\(Hidden.state)").owner, owner != geteuid() else { return nil }
        (self.container, name) = (container, userName(owner))
    }

    /// Why somebody else cannot have it. `shown`: the folder of Valise's on a drive that shows it to all who may use the drive.
    func sentence(_ what: String, on mount: MountTable.Mount? = nil, in shown: String? = nil) -> String {
        let why = "\(what) of the container \(quoted(container)) belong to \(name), and this command is for them alone"
        guard let mount, let shown else { return why }
        return why + "; to look at them: ls \(shellWord("\(mount.mountpoint)/.valise/\(shown)"))"
    }

    /// The drive that a path is on.
    static func drive(of path: String) -> MountTable.Mount? {
        switch try? NamedPlace(path) {
        case .drive(let mount), .onDrive(let mount), .apps(let mount): mount
        default: nil
        }
    }
}
