import Containers
import Coordination
import Drive
import LinuxFiles
import Shell

/// What a mount shows, from before it is mounted to its end: a drive of one container, or of several, which are opened when somebody looks
/// into them. Whoever writes in a container serves the claims of other programs.
final class ShownTree: Sendable {
    private enum Shown {
        case container(Drive)
        case apps(AppsDrive)
    }

    private let shown: Shown
    /// The folder in which all lies that may be changed.
    let base: OpenFile
    private let isServed: Bool

    /// `isServed`: claims of other programs are.
    init(_ drive: Drive, isServed: Bool) {
        (shown, base, self.isServed) = (.container(drive), drive.container.base, isServed)
    }

    init(
        _ folder: OpenFile, path: String, options: DriveOptions, isServed: Bool,
        opening: @escaping @Sendable (AppsFolder.App) throws(Failure) -> Drive
    ) {
        let apps = AppsDrive(folder, path: path, options: options, opening: opening) { drive in
            if isServed { Self.serveClaims(drive) { SystemLog.write($0) } }
            drive.makeMissedThumbnails()
        }
        (shown, base, self.isServed) = (.apps(apps), folder, isServed)
    }

    var tree: any ServedTree {
        switch shown {
        case .container(let drive): drive
        case .apps(let apps): apps
        }
    }

    var settingsFolder: OpenFile? { if case .container(let drive) = shown { drive.settingsFolder } else { nil } }

    func setLog(_ path: String) {
        switch shown {
        case .container(let drive): drive.setLog(path)
        case .apps(let apps): apps.setLog(path)
        }
    }

    func setSandbox(_ state: SandboxState) {
        switch shown {
        case .container(let drive): drive.setSandbox(state)
        case .apps(let apps): apps.setSandbox(state)
        }
    }

    /// It answers.
    func mounted(at mountpoint: String) {
        switch shown {
        case .container(let drive):
            drive.mounted(at: mountpoint)
            if isServed { Self.serveClaims(drive) { printError($0) } }
        case .apps(let apps): apps.mounted(at: mountpoint)
        }
    }

    func makeMissedThumbnails() { if case .container(let drive) = shown { drive.makeMissedThumbnails() } }

    /// Saves what is open. After the last request.
    func close() {
        switch shown {
        case .container(let drive):
            drive.endCoordination(waiting: Self.patience)
            drive.close()
        case .apps(let apps): apps.close(waitingForClaims: Self.patience)
        }
    }

    /// Who has claims is waited for so long at the end, in milliseconds.
    private static let patience: Int64 = 5000

    /// A store that has no sockets is no reason not to mount.
    private static func serveClaims(_ drive: Drive, complaining: (String) -> Void) {
        do throws(Failure) { drive.setCoordination(try CoordinationServer(drive.container, presenter: drive.presenter)) } catch { complaining(error.sentence) }
    }
}
