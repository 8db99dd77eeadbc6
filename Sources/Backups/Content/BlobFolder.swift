import LinuxFiles

/// Where the contents lie: a file for each, in a folder for each first two digits of its name, or all of them beside
/// the manifest as before iOS 10.
package final class BlobFolder: Sendable {
    private let base: OpenFile
    /// By their numbers; nil where all lie beside the manifest.
    private let folders: [OpenFile?]?

    init(_ base: OpenFile, isFlat: Bool) {
        self.base = base
        folders =
            isFlat
            ? nil
            : (0..<256).map { number in
                let digits = String(number, radix: 16), name = Name(number < 16 ? "0" + digits : digits)
                return name.flatMap { try? OpenFile(base.descriptor.open($0, [.path, .folder])) }
            }
    }

    /// Nothing is followed, and nothing but a file is a content.
    func open(_ id: FileID) throws(Errno) -> OpenFile {
        let file = OpenFile(try folder(of: id).descriptor.openUntraced(try name(id), [.read, .nonBlocking]))
        guard try file.descriptor.status().type == .regular else { throw .noSuchEntry }
        return file
    }

    func status(of id: FileID) throws(Errno) -> FileStatus {
        let status = try folder(of: id).descriptor.status(of: try name(id))
        guard status.type == .regular else { throw .noSuchEntry }
        return status
    }

    private func name(_ id: FileID) throws(Errno) -> Name {
        guard let name = Name(id.text) else { throw .invalid }
        return name
    }

    private func folder(of id: FileID) throws(Errno) -> OpenFile {
        guard let folders else { return base }
        guard let folder = folders[id.folder] else { throw .noSuchEntry }
        return folder
    }
}
