import Containers
import Foundation

/// Which folder is the container of an identifier: `$VALISE_CONTAINER` for the app's own, and the lines of
/// `$XDG_CONFIG_HOME/valise/containers` for all, each `identifier = folder`.
struct ContainerNames {
    private let environment: [String: String]

    init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

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

    private var home: String { environment["HOME"] ?? NSHomeDirectory() }

    private var named: NamedContainers {
        let file = FileHandle(forReadingAtPath: NamedContainers.file(home: home) { environment[$0] })
        return NamedContainers([UInt8]((try? file?.read(upToCount: NamedContainers.longestFile)) ?? Data()), home: home)
    }

    private func existing(_ path: String) -> URL? {
        let url = URL(fileURLWithPath: path, isDirectory: true)
        guard path.hasPrefix("/"), (try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { return nil }
        return url
    }
}
