import Glibc
import LinuxFiles
import Shell

/// Keeps two mounts of one folder apart: the kernel would stack them.
///
/// The lock is on the folder itself, as it is under the mount, so there is no lock file to leave
/// behind and no second name to get around it. It lasts until every process that has it lets go:
/// the one that the user called, and the one that serves the drive.
final class MountpointLock {
    private var folder: OpenFile?

    private static let patience: Int64 = 20_000

    init(_ mountpoint: String) throws(Stop) {
        let opened: OpenFile
        do throws(Errno) { opened = OpenFile(try Descriptor.atPath(mountpoint, [.read, .folder])) }
        catch {
            switch error {
            case .noSuchEntry: throw Stop(32, "there is no folder \(quoted(mountpoint)) to mount on; to make it: mkdir -p \(shellWord(mountpoint))")
            case .notDirectory: throw Stop(32, "the mountpoint \(quoted(mountpoint)) is not a folder; name an empty folder")
            default: throw Stop(mountExitCode(error), "cannot open the mountpoint \(quoted(mountpoint)): \(error)")
            }
        }
        try Self.lock(opened, mountpoint)
        folder = opened
    }

    private static func lock(_ folder: OpenFile, _ mountpoint: String) throws(Stop) {
        let deadline = Clock.now + patience
        while true {
            do throws(Errno) { return try folder.descriptor.lockExclusively() }
            catch {
                // A store without locks (some network file systems): the table of mounts alone decides.
                guard error == .tryAgain else { return }
            }
            guard Clock.now < deadline else {
                throw Stop(32, "another mount on \(quoted(mountpoint)) has been under way for 20 seconds; wait for it, or name another folder")
            }
            usleep(10_000)
        }
    }

    /// Lets go in this process.
    func release() { folder = nil }
}
