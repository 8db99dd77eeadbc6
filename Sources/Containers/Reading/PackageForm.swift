import Documents
import LinuxFiles

/// What the packages of a kind are made of, with the names as they are on a disk. Where a kind has fixed names only, nothing is looked at.
package struct PackageForm: Sendable {
    let written: [DocumentPart]
    package let others: [DocumentPart]
    /// What the written parts of a draft are called, and of a document that is shown under no name yet.
    let draftNames: [Name]
    /// All of them have the same names in each package.
    let isFixed: Bool

    /// nil for a kind whose documents are files, or that has a part which can have no name.
    init?(_ kind: any DocumentKind) {
        guard kind.parts?.isEmpty == false else { return nil }
        (written, others) = (kind.written, kind.others)
        draftNames = written.compactMap { Name($0.newName()) }
        isFixed = written.allSatisfy(\.isFixed)
        guard draftNames.count == written.count else { return nil }
    }

    var content: DocumentPart { written[0] }

    /// What the written parts are called in a package that has these in it: of one that is not there, what it would be called.
    func names(among inside: [Name]) -> [Name] {
        zip(written, draftNames).map { part, usual in part.isFixed ? usual : inside.filter { part.isCalled($0.bytes) }.min() ?? usual }
    }

    package func names(in package: borrowing Descriptor) throws(Errno) -> [Name] { isFixed ? draftNames : names(among: try Container.names(in: package)) }

    /// The same of a document that is shown under a name: of a new one, or of one that has these and gets that name.
    func names(shown: Name, instead old: [Name]? = nil) -> [Name] {
        guard !isFixed else { return draftNames }
        return written.indices.map { index in
            let usual = old?[index] ?? draftNames[index]
            return written[index].isFixed ? usual : Name(written[index].newName(forShown: shown.bytes)) ?? usual
        }
    }

    /// What is in a package of the parts that are not written one by one: folders, and files of which there may be several.
    package func otherNames(in package: borrowing Descriptor, besides names: [Name]) throws(Errno) -> [Name] {
        if others.isEmpty, isFixed { return [] }
        let parts = others + written.filter { !$0.isFixed }
        return try Container.names(in: package).filter { name in !names.contains(name) && parts.contains { $0.isCalled(name.bytes) } }.sorted()
    }
}

extension KindID {
    /// Whether a document is a folder with its parts in it.
    public var isPackage: Bool { form != nil }

    /// What the files that are read of a document are called in its package, the content's first.
    public func partNames(in package: borrowing Descriptor) throws(Errno) -> [Name] { try form?.names(in: package) ?? [] }

    /// What they are called in the package of a new one that is shown under a name; nil for a document that is one file.
    public func newPartNames(shown: Name) -> [Name]? { form?.names(shown: shown) }

    public func contentName(in package: borrowing Descriptor) throws(Errno) -> Name? { try partNames(in: package).first }

    /// What a kind needs to hear of the names of its parts: nothing where they are always called the same.
    func variableNames(among names: [Name]) -> [[UInt8]] { form?.isFixed == false ? names.map(\.bytes) : [] }

    /// What the content of a draft is called, in the package that it is.
    var draftPart: Name? { form?.draftNames.first }
}
