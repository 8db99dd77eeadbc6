import Documents
import LinuxFiles

/// What a container says of itself, in `.valise/settings`: the line `create = …`, which kinds of documents new files become, and after it the
/// kinds that it has beside those that are shipped (`KindsFile.swift`).
package struct Settings {
    /// The kinds of documents that are created here; nil where that is not said.
    let creating: [KindID]?

    package static let fileName = Name(constant: "settings")
    static let limit = 64 * 1024

    /// Nothing where nothing was written down, or what may not be read.
    static func bytes(in state: StateFolder) -> [UInt8] {
        let own = (try? state.opened()).flatMap { folder in try? state.file(fileName, .read, in: folder) }
        guard let file = own ?? OwnersState(of: state)?.settings() else { return [] }
        return (try? file.descriptor.readAll(limit: limit)) ?? []
    }

    init(creating: [KindID]) { self.creating = creating }

    init(_ bytes: [UInt8], _ kinds: KindRegistry) {
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "create" else { continue }
            let names = parts[1].split(whereSeparator: \.isWhitespace)
            creating = kinds.all.filter { kind in names.contains { $0 == kind.name } }
            return
        }
        creating = nil
    }

    var text: [UInt8] { Array("create = \((creating ?? []).map(\.name).joined(separator: " "))\n".utf8) }
}
