import Documents
import LinuxFiles
import Shell

/// The page that a drive makes of itself.
enum StatusSource {
    static func read(_ mountpoint: String) -> Reply { read([mountpoint])[0] }

    private static func read(_ mountpoints: [String]) -> [Reply] { Child.ask(mountpoints.map(question)) }

    private static func question(_ mountpoint: String) -> Child.Question {
        { () throws(Errno) in try contents(of: mountpoint == "/" ? "/.valise/status" : "\(mountpoint)/.valise/status", limit: JSON.largest) }
    }

    /// The page, or the sentence why there is none.
    static func page(of mount: MountTable.Mount) throws(Stop) -> JSON { try page(of: mount, read(mount.mountpoint)) }

    /// Of several drives, which are asked at once: those that do not answer are not waited for one after another.
    static func pages(of mounts: [MountTable.Mount]) -> [Result<JSON, Stop>] {
        zip(mounts, read(mounts.map(\.mountpoint))).map { mount, reply in
            do throws(Stop) { return .success(try page(of: mount, reply)) } catch { return .failure(error) }
        }
    }

    private static func page(of mount: MountTable.Mount, _ reply: Reply) throws(Stop) -> JSON {
        switch reply {
        case .answer(let bytes):
            guard let page = JSON(bytes), !page.members.isEmpty else {
                throw Stop(1, "the drive on \(quoted(mount.mountpoint)) gave a status page that is not JSON; is it of another version of Valise?")
            }
            return page
        case .failed(let error): throw Stop(1, DriveSentence.failed(mount, error))
        case .silent: throw Stop(1, DriveSentence.silent(mount))
        }
    }

    /// How a drive shows documents that leave a choice.
    static func showing(_ page: JSON?) -> ShowingOptions {
        ShowingOptions(
            linkForm: page?["links"]?.string.flatMap { LinkForm(rawValue: $0) } ?? .url,
            packages: page?["packages"]?.string.flatMap { ShownPackages(rawValue: $0) } ?? .kind)
    }

    /// The path of the container that a drive shows, as its process says. Where no path leads to it any more, another one may have that by now.
    static func container(of mount: MountTable.Mount) throws(Stop) -> String { try container(page(of: mount), of: mount) }

    static func container(_ page: JSON, of mount: MountTable.Mount) throws(Stop) -> String {
        let page = StatusReport(page)
        if let absence = page.absence, !absence.isMoved {
            throw Stop(1, "what the drive on \(quoted(mount.mountpoint)) shows is not where it was: \(absence.reason)")
        }
        guard let path = page.containerNow else { throw Stop(1, "the drive on \(quoted(mount.mountpoint)) does not say what it shows") }
        return path
    }
}
