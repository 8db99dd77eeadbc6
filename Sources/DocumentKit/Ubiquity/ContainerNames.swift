import Containers
import Foundation
import LinuxFiles

/// Which folder is the container of an identifier: `$VALISE_CONTAINER` for the app's own, and the lines of
/// `$XDG_CONFIG_HOME/valise/containers` for all, each `identifier = folder`.
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
        if identifier == nil, let path = environment["VALISE_CONTAINER"], !path.isEmpty { return existing(path) }
        let named = named
        return (identifier.map { named.path(of: $0) } ?? named.lines.first?.path).flatMap(existing)
    }

    /// All that are named.
    var folders: [URL] {
        let paths = [environment["VALISE_CONTAINER"] ?? ""].filter { !$0.isEmpty } + named.lines.map(\.path)
        return paths.compactMap(existing)
    }

    /// What decides which one the app's own is: the file, and the folder that is named.
    var deciding: [String] {
        let own = environment["VALISE_CONTAINER"] ?? ""
        return [NamedContainers.file(home: home) { environment[$0] }] + [own.isEmpty ? named.lines.first?.path : own].compactMap(\.self)
    }

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
        let path = NamedContainers.file(home: home) { environment[$0] }
        guard let now = try? Descriptor.status(atPath: Array(path.utf8)), now.type == .regular else { return NamedContainers([], home: home) }
        if let known = Self.known.value, known.path == path, known.home == home, known.status.isAsIt(was: now) { return known.named }
        guard let file = try? Descriptor.atPath(path, [.read, .nonBlocking]), let status = try? file.status(), status.type == .regular else {
            return NamedContainers([], home: home)
        }
        let named = NamedContainers((try? file.read(at: 0, count: NamedContainers.longestFile)) ?? [], home: home)
        if !status.isUnsettled { Self.known.set(Known(path: path, home: home, status: status, named: named)) }
        return named
    }

    private func existing(_ path: String) -> URL? {
        // Not asked of Foundation, which reads the table of users first.
        guard path.hasPrefix("/"), (try? Descriptor.atPath(path, [.path, .folder])) != nil else { return nil }
        return URL(fileURLWithPath: path, isDirectory: true)
    }
}
