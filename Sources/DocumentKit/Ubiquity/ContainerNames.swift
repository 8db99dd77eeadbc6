import Containers
import Foundation
import LinuxFiles

/// Which folder is the container of an identifier: `$VALISE_CONTAINER`, by whatever identifier an app asks; without it the lines of
/// `$XDG_CONFIG_HOME/valise/containers`, each `identifier = folder`. A drive that is named there stands for the container that it shows.
struct ContainerNames {
    private let environment: [String: String]

    init(environment: [String: String] = Self.ownEnvironment) { self.environment = environment }

    /// What is looked at of it. All of it, copied for each document that is opened, took longer than opening it.
    private static var ownEnvironment: [String: String] {
        var found: [String: String] = [:]
        for name in ["VALISE_CONTAINER", "XDG_CONFIG_HOME", "HOME"] {
            // SAFETY: the text is copied at once.
            if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
        }
        return found
    }

    /// nil where there is none.
    func folder(of identifier: String?) -> URL? {
        path(of: identifier).flatMap { try? Self.folder(named: $0) }
    }

    /// Why there is none, where one is named.
    func fault(of identifier: String?) -> String? {
        guard let path = path(of: identifier) else {
            return identifier.map { "“\($0)” has no line in “\(file)”, and VALISE_CONTAINER names no folder." }
        }
        do throws(NoContainer) { _ = try Self.folder(named: path) } catch { return error.sentence }
        return nil
    }

    private func path(of identifier: String?) -> String? {
        if let path = environment["VALISE_CONTAINER"], !path.isEmpty { return path }
        let named = named
        return identifier.map { named.path(of: $0) } ?? named.lines.first?.path
    }

    /// All that are named.
    var folders: [URL] {
        let paths = [environment["VALISE_CONTAINER"] ?? ""].filter { !$0.isEmpty } + named.lines.map(\.path)
        return paths.compactMap { try? Self.folder(named: $0) }
    }

    /// What decides which one the app's own is: the file, and the folder that is named.
    var deciding: [String] {
        let own = environment["VALISE_CONTAINER"] ?? ""
        return [file] + [own.isEmpty ? named.lines.first?.path : own].compactMap(\.self)
    }

    private var file: String { NamedContainers.file(home: home) { environment[$0] } }

    private var home: String { environment["HOME"] ?? NSHomeDirectory() }

    /// Which folders these are now.
    var identities: Set<FileIdentity> {
        Set(([environment["VALISE_CONTAINER"] ?? ""] + named.lines.map(\.path)).compactMap { path in
            guard path.hasPrefix("/"), let status = try? Descriptor.status(atPath: Array(path.utf8)), status.type == .folder else { return nil }
            return status.identity
        })
    }

    private struct Known {
        let path: String, home: String, status: FileStatus, named: NamedContainers
    }

    private static let known = Latest<Known?>(nil)

    /// Read anew where the file is another one than the last time.
    private var named: NamedContainers {
        let path = file
        guard let now = try? Descriptor.status(atPath: Array(path.utf8)), now.type == .regular else { return NamedContainers([], home: home) }
        if let known = Self.known.value, known.path == path, known.home == home, known.status.isAsIt(was: now) { return known.named }
        guard let file = try? Descriptor.atPath(path, [.read, .nonBlocking]), let status = try? file.status(), status.type == .regular else {
            return NamedContainers([], home: home)
        }
        let named = NamedContainers((try? file.read(at: 0, count: NamedContainers.longestFile)) ?? [], home: home)
        if !status.isUnsettled { Self.known.set(Known(path: path, home: home, status: status, named: named)) }
        return named
    }

    /// The app's own as it is named, a drive by its mountpoint; nil where there is none.
    var own: URL? { folder(of: nil) == nil ? nil : path(of: nil).map { URL(fileURLWithPath: $0, isDirectory: true) } }

    /// The drive that shows all of a container at that path.
    static func drive(at path: String) -> MountTable.Mount? {
        guard let folder = try? Descriptor.atPath(path, [.path, .folder]), mayBeOnDrive(folder), let real = try? AbsolutePath.of(folder), let mount = MountedDrives.mount(under: real),
            mount.mountpoint == real, mount.isWhole else { return nil }
        return mount
    }

    /// Asked before the table of mounts is read.
    private static func mayBeOnDrive(_ folder: borrowing Descriptor) -> Bool { (try? folder.fileSystemType()).map { $0 == .fuse } ?? true }

    private struct NoContainer: Error { let sentence: String }

    /// What a drive shows has other names and other bytes than an app keeps: its container is meant, and by way of a drive that is read-only, none.
    private static func folder(named path: String) throws(NoContainer) -> URL {
        // Not asked of Foundation, which reads the table of users first.
        guard path.hasPrefix("/") else { throw NoContainer(sentence: "“\(path)” is no path from “/” on.") }
        let real: String
        do throws(Errno) {
            let folder = try Descriptor.atPath(path, [.path, .folder])
            guard mayBeOnDrive(folder) else { return URL(fileURLWithPath: path, isDirectory: true) }
            real = try AbsolutePath.of(folder)
        } catch {
            switch error {
            case .noSuchEntry: throw NoContainer(sentence: "“\(path)” is not there.")
            case .notDirectory: throw NoContainer(sentence: "“\(path)” is no folder.")
            default: throw NoContainer(sentence: "“\(path)” cannot be opened: \(error).")
            }
        }
        guard let mount = MountedDrives.mount(under: real) else { return URL(fileURLWithPath: path, isDirectory: true) }
        guard mount.isWhole else { throw NoContainer(sentence: "“\(path)” is a folder on a drive, and no container.") }
        guard let container = MountedDrives.container(of: mount) else { throw NoContainer(sentence: "“\(path)” is on a drive that does not answer.") }
        guard real == mount.mountpoint else { throw NoContainer(sentence: "“\(path)” is a folder on a drive, and no container; that of the drive is “\(container)”.") }
        guard !mount.isReadOnly else { throw NoContainer(sentence: "“\(path)” is a drive that is read-only, and an app writes; its container is “\(container)”.") }
        guard (try? Descriptor.atPath(container, [.path, .folder])) != nil else {
            throw NoContainer(sentence: "“\(path)” is a drive, and its container “\(container)” cannot be opened here.")
        }
        return URL(fileURLWithPath: container, isDirectory: true)
    }
}
