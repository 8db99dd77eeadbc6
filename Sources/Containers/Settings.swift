import LinuxFiles

/// What `valise init` wrote down about a container, in `.valise/settings`: lines of "key = value".
struct Settings {
    /// The kinds of documents that are created here.
    var creating: [KindID]

    static let fileName = Name(constant: "settings")
    private static let limit = 64 * 1024

    /// nil where nothing was written down, or nothing that can be understood.
    static func read(in base: borrowing Descriptor) -> Settings? {
        guard let state = try? base.open(Hidden.state, [.path, .folder]),
            let file = try? state.open(fileName, [.read, .nonBlocking]),
            let bytes = try? file.readAll(limit: limit)
        else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "create" else { continue }
            let names = parts[1].split(whereSeparator: \.isWhitespace)
            return Settings(creating: KindID.all.filter { id in names.contains { $0 == id.kind.name } })
        }
        return nil
    }

    var text: [UInt8] { Array("create = \(creating.map(\.kind.name).joined(separator: " "))\n".utf8) }
}
