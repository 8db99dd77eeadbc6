import Documents
import LinuxFiles

/// What the packages of a kind are made of, with the names as they are on a disk. Where a kind has fixed names only, nothing is looked at.
package struct PackageForm: Sendable {
    let written: [DocumentPart]
    /// The folders that lead from the package's own to the written parts: to a content that does not lie at the top.
    package let folders: [Name]
    package let others: [DocumentPart]
    /// What the written parts of a draft are called, and of a document that is shown under no name yet.
    let draftNames: [Name]
    /// All of them have the same names in each package.
    let isFixed: Bool
    /// Where all of a package is shown as one flat file: the part that is written stands for all of them, and is the first that is there of those that
    /// make the folder a package.
    package let flat: FlatForm?

    /// nil for a kind whose documents are files, or that has a part which can have no name.
    init?(_ kind: any DocumentKind) {
        flat = kind.flat
        guard kind.parts?.isEmpty == false || flat?.takesAll == true else { return nil }
        // What lies deeper in a package comes and goes with the folder at the top that leads to it.
        let written = flat == nil ? kind.written : Array((kind.parts ?? []).prefix(1)), way = written.first?.folders ?? []
        folders = way.compactMap { Name($0) }
        guard folders.count == way.count else { return nil }
        self.written = written.map(\.inItsFolder)
        others = flat == nil ? kind.others.map(\.top) + (way.isEmpty ? [] : written.prefix(1).map(\.top)) : []
        draftNames = self.written.compactMap { Name($0.newName()) }
        isFixed = flat == nil && written.allSatisfy(\.isFixed)
        guard draftNames.count == written.count else { return nil }
    }

    /// nil where no part is before the others.
    var content: DocumentPart? { written.first }

    /// Whether what is called so is the content, or leads to it: in one of the folders on the way, which so many lead
    /// to.
    func leadsToContent(_ name: Name, atDepth depth: Int) -> Bool {
        folders.dropFirst(depth).first.map { $0 == name } ?? (depth == folders.count && content?.isCalled(name.bytes) == true)
    }

    /// Those folders in a package, from the top down.
    package func foldersToContent(in package: OpenFile) throws(Errno) -> [OpenFile] {
        var found: [OpenFile] = []
        for name in folders { found.append(OpenFile(try (found.last ?? package).descriptor.open(name, [.path, .folder]))) }
        return found
    }

    /// The folder in which the written parts of a package lie.
    package func home(in package: OpenFile) throws(Errno) -> OpenFile {
        folders.isEmpty ? package : try package.folder(at: folders)
    }

    /// What the written parts are called in their folder, which has these in it: of one that is not there, what it
    /// would be called.
    func names(among inside: [Name]) -> [Name] {
        if let flat {
            let own = inside.filter { flat.isRequired($0.bytes) }.min()
            let first = own ?? inside.filter { flat.leadsToRequired($0.bytes) }.min() ?? draftNames.first
            return first.map { [$0] } ?? []
        }
        return zip(written, draftNames).map { part, usual in part.isFixed ? usual : inside.filter { part.isCalled($0.bytes) }.min() ?? usual }
    }

    package func names(in home: borrowing Descriptor) throws(Errno) -> [Name] {
        isFixed ? draftNames : names(among: try Container.names(in: home))
    }

    /// The same of a document that is shown under a name: of a new one, or of one that has these and gets that name.
    func names(shown: Name, instead old: [Name]? = nil) -> [Name] {
        if isFixed { return draftNames }
        if flat != nil { return old ?? draftNames }
        return written.indices.map { index in
            let usual = old?[index] ?? draftNames[index]
            if written[index].isFixed { return usual }
            return Name(written[index].newName(forShown: shown.bytes, insteadOf: usual.bytes)) ?? usual
        }
    }

    /// What is in a package of the parts that are not written one by one: folders, and files of which there may be several.
    package func otherNames(in package: borrowing Descriptor, besides names: [Name]) throws(Errno) -> [Name] {
        if others.isEmpty, isFixed { return [] }
        if flat != nil { return try Container.names(in: package).filter { !names.contains($0) }.sorted() }
        // A content that lies deeper comes and goes with its folder.
        let parts = others + (folders.isEmpty ? written.filter { !$0.isFixed } : []), alone = folders.isEmpty ? names : []
        return try Container.names(in: package)
            .filter { name in !alone.contains(name) && parts.contains { $0.isCalled(name.bytes) } }.sorted()
    }
}

extension DocumentPart {
    /// Whether a package has it: a regular file, or a folder. A link may lead anywhere, and is none.
    func isThere(in package: borrowing Descriptor) throws(Errno) -> Bool {
        do throws(Errno) { return try Self.isThere(inItsFolder, below: folders[...], in: package) } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return false
        }
    }

    private static func isThere(
        _ part: DocumentPart, below folders: ArraySlice<[UInt8]>, in folder: borrowing Descriptor
    ) throws(Errno) -> Bool {
        guard let first = folders.first else {
            let wanted: FileType = part.isFolder ? .folder : .regular
            if part.isFixed {
                guard let name = Name(part.newName()) else { return false }
                return try folder.status(of: name).type == wanted
            }
            for name in try Container.names(in: folder) where part.isCalled(name.bytes) {
                if try folder.status(of: name).type == wanted { return true }
            }
            return false
        }
        guard let name = Name(first), try folder.status(of: name).type == .folder else { return false }
        return try isThere(part, below: folders.dropFirst(), in: folder.open(name, [.path, .folder]))
    }
}

extension KindID {
    /// Whether a document is a folder with its parts in it.
    public var isPackage: Bool { form != nil }

    /// The folder in a document's package in which the files lie that are read of it.
    public func home(in package: OpenFile) throws(Errno) -> OpenFile { try form?.home(in: package) ?? package }

    /// What they are called there, the content's first.
    public func partNames(in home: borrowing Descriptor) throws(Errno) -> [Name] { try form?.names(in: home) ?? [] }

    /// Whether that folder is not the package's own, but lies in it.
    public var hasDeepContent: Bool { form?.folders.isEmpty == false }

    /// What they are called in the package of a new one that is shown under a name; nil for a document that is one file.
    public func newPartNames(shown: Name) -> [Name]? { form?.names(shown: shown) }

    public func contentName(in home: borrowing Descriptor) throws(Errno) -> Name? { try partNames(in: home).first }

    /// What a kind needs to hear of the names of its parts: nothing where they are always called the same.
    func variableNames(among names: [Name]) -> [[UInt8]] { form?.isFixed == false ? names.map(\.bytes) : [] }

    /// What the content of a draft is called, in the package that it is; nil where a draft is one file.
    var draftPart: Name? { form.flatMap { $0.flat == nil ? $0.draftNames.first : nil } }

    /// The folders in that package in which it lies.
    var draftFolders: [Name] { draftPart == nil ? [] : form?.folders ?? [] }
}
