import LinuxFiles

/// What `valise init` wrote down about a container, in `.valise/settings`: lines of "key = value".
struct Settings {
    /// The kinds of documents that are created here.
    var creating: [KindID]

    static let fileName = Name(constant: "settings")
    private static let limit = 64 * 1024

    /// nil where nothing was written down, or nothing that can be understood.
    static func read(in container: Container) -> Settings? {
        let own = (try? container.state.opened()).flatMap { state in try? container.state.file(fileName, .read, in: state) }
        guard let file = own ?? OwnersState(of: container)?.settings(), let bytes = try? file.descriptor.readAll(limit: limit) else { return nil }
        return Settings(bytes, container.kinds)
    }

    init(creating: [KindID]) { self.creating = creating }

    init?(_ bytes: [UInt8], _ kinds: KindRegistry) {
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "create" else { continue }
            let names = parts[1].split(whereSeparator: \.isWhitespace)
            self.init(creating: kinds.all.filter { kind in names.contains { $0 == kind.name } })
            return
        }
        return nil
    }

    var text: [UInt8] { Array("create = \(creating.map(\.name).joined(separator: " "))\n".utf8) }
}
