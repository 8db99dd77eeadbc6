import Documents
import LinuxFiles
import PropertyLists
import Transactions

/// The parts of the document that a save replaces, open.
struct ExistingParts {
    let files: [OpenFile?]
    /// Which nodes these are.
    private let nodes: [FileIdentity?]
    let sources: [(any ByteSource)?]
    /// The package's folder, or the one that the file is in, and the names of the parts in it.
    let folder: OpenFile
    /// The folder in that one in which the parts lie, and the way to it: the same folder, but where the content lies
    /// deeper.
    let home: OpenFile
    let way: [Name]
    let names: [Name]
    /// What else is in the package of what its kind speaks of.
    let others: [Name]
    /// All of the package, where it is shown as one flat file.
    let flat: FlatPackage?

    /// `staging` is where a document lies that was put away.
    init(of base: Base, _ kind: KindID, in folder: OpenFile, _ staging: OpenFile) throws(DocumentFault) {
        let (home, name) = switch base {
        case .stored(let name): (folder, name)
        case .away(let item): (staging, item.staged)
        }
        do throws(Errno) {
            guard let form = kind.form else {
                let file = OpenFile(try home.descriptor.openUntraced(name, [.read, .nonBlocking]))
                let (source, node) = try Self.source(file)
                (files, sources, nodes, self.folder, names, others, flat) = ([file], [source], [node], home, [name], [], nil)
                (self.home, way) = (home, [])
                return
            }
            let package = OpenFile(try home.descriptor.open(name, [.path, .folder]))
            var files: [OpenFile?] = []
            (self.home, way) = (try form.home(in: package), form.folders)
            names = try form.names(in: self.home.descriptor)
            others = try form.otherNames(in: package.descriptor, besides: names)
            for part in names { files.append(try Self.optional(part, in: self.home)) }
            // Of a flat file, what stands for all parts may be a folder.
            let found = try files.map { (file) throws(Errno) in
                try file.map { (file) throws(Errno) in try Self.source(file, orFolder: form.flat != nil) }
            }
            (sources, nodes) = (found.map { $0?.source ?? nil }, found.map { $0?.node })
            (self.files, self.folder) = (files, package)
        } catch { throw .unreadable(error.rawValue) }
        let package = self.folder
        flat = try kind.kind.flat.map { (flat) throws(DocumentFault) in try FlatPackage(package, flat) }
    }

    /// Of its content; nil where that is missing.
    var status: FileStatus? { flat?.status ?? files.first.flatMap { file in file.flatMap { try? $0.descriptor.status() } } }

    /// When what they show was saved, and on which computer.
    func provenance(of content: OpenFile, _ status: FileStatus) -> Provenance { Provenance(of: flat?.folder ?? content, status) }

    /// They are what a plan replaces that puts new ones in their place.
    func note(at place: Place, isPackage: Bool, _ plan: inout Plan) throws(Errno) {
        if isPackage { plan.replace(try folder.descriptor.status().identity, at: place) }
        let place = place.part(way)
        for (name, node) in zip(names, nodes) { if let node { plan.replace(node, at: isPackage ? place.part(name) : place) } }
        if !way.isEmpty { plan.replace(try home.descriptor.status().identity, at: place) }
    }

    /// What is shown of them; nil where they are no document of that kind.
    func shownContent(of kind: KindID, called stored: Name, _ options: ShowingOptions) -> ShownContent? {
        if let flat { return ShownContent(flat) }
        return (try? kind.kind.read(sources, called: kind.variableNames(among: names), storedName: stored.bytes, options: options)).flatMap { ShownContent($0, files) }
    }

    private static func source(
        _ file: OpenFile, orFolder: Bool = false
    ) throws(Errno) -> (source: (any ByteSource)?, node: FileIdentity) {
        let status = try file.descriptor.status()
        if orFolder, status.type == .folder { return (nil, status.identity) }
        guard status.type == .regular else { throw .invalid }
        return (FileSource(file, byteCount: status.size), status.identity)
    }

    static func optional(_ name: Name, in package: OpenFile) throws(Errno) -> OpenFile? {
        do throws(Errno) { return OpenFile(try package.descriptor.openUntraced(name, [.read, .nonBlocking])) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }
}

/// Parts of a package that come along with its content and that no kind writes: folders with all in them, and files of which there may be several.
struct OtherParts {
    /// What comes, as it lies in staging, and what it is called in the document.
    var coming: [(staged: Name, part: [Name])] = []
    /// What is in the document now and goes.
    var going: [[Name]] = []

    /// What is in a package of them, each by its way. The folders that lead to the content stay: the document is whole
    /// all the time.
    static func ways(_ form: PackageForm, in package: OpenFile) throws(Errno) -> [[Name]] {
        let written = try form.names(in: form.home(in: package).descriptor)
        let others = try form.otherNames(in: package.descriptor, besides: written)
        var ways = others.filter { $0 != form.folders.first }.map { [$0] }, folder = package
        for (depth, name) in form.folders.enumerated() {
            folder = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
            let stay = form.folders.dropFirst(depth + 1).first.map { [$0] } ?? written
            for entry in try Container.names(in: folder.descriptor).sorted() where !stay.contains(entry) {
                ways.append(form.folders[...depth] + [entry])
            }
        }
        return ways
    }

    /// Adds the steps with which they change places in the document, which is `home` till then. What went is there until the plan has ended: as
    /// long as it is, nobody who carries the plan on takes away what came.
    func exchange(in home: Place, _ plan: inout Plan, number: () -> UInt64) {
        for part in going {
            let gone = Name.staged(number(), ".gone")
            plan.steps.append(.move(home.part(part), .staged(gone)))
            plan.discarded.append(gone)
        }
        plan.steps += coming.map { .add(.staged($0.staged), home.part($0.part)) }
    }
}
