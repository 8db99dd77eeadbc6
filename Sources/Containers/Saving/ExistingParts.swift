import Documents
import LinuxFiles
import PropertyLists

/// The parts of the document that a save replaces, open.
struct ExistingParts {
    let files: [OpenFile?]
    let sources: [(any ByteSource)?]
    /// The package's folder, or the one that the file is in, and the names of the parts in it.
    let folder: OpenFile
    let names: [Name]
    /// What else is in the package of what its kind speaks of.
    let others: [Name]

    /// `staging` is where a document lies that was put away.
    init(of base: Base, _ kind: KindID, in folder: OpenFile, _ staging: OpenFile) throws(DocumentFault) {
        let (home, name) = switch base {
        case .stored(let name): (folder, name)
        case .away(let item): (staging, item.staged)
        }
        do throws(Errno) {
            guard let form = kind.form else {
                let file = OpenFile(try home.descriptor.open(name, [.read, .nonBlocking]))
                (files, sources, self.folder, names, others) = ([file], [try Self.source(file)], home, [name], [])
                return
            }
            let package = OpenFile(try home.descriptor.open(name, [.path, .folder]))
            var files: [OpenFile?] = []
            names = try form.names(in: package.descriptor)
            others = try form.otherNames(in: package.descriptor, besides: names)
            for part in names { files.append(try Self.optional(part, in: package)) }
            sources = try files.map { (file) throws(Errno) in try file.map { (file) throws(Errno) in try Self.source(file) } }
            (self.files, self.folder) = (files, package)
        } catch { throw .unreadable(error.rawValue) }
    }

    /// What is shown of them; nil where they are no document of that kind.
    func shownContent(of kind: KindID, called stored: Name, _ options: ShowingOptions) -> ShownContent? {
        (try? kind.kind.read(sources, called: kind.told(names), storedName: stored.bytes, options: options)).flatMap { ShownContent($0, files) }
    }

    private static func source(_ file: OpenFile) throws(Errno) -> any ByteSource {
        let status = try file.descriptor.status()
        guard status.type == .regular else { throw .invalid }
        return FileSource(file, byteCount: status.size)
    }

    static func optional(_ name: Name, in package: OpenFile) throws(Errno) -> OpenFile? {
        do throws(Errno) { return OpenFile(try package.descriptor.open(name, [.read, .nonBlocking])) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }
}
