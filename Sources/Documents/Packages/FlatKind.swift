import PropertyLists

/// A kind whose packages are shown as one flat file: a ZIP of all that is in the package (docs/FORMATS.md).
///
/// It is for kinds that are nothing but data: those that are shipped (`ShippedPackages.swift`), and those that are
/// written down (`KindsFile.swift`). The ZIP of a package on a disk is never built: `FlatPackage` reads it, and
/// `PackageUnpacking` makes a package of one.
public struct FlatKind: DocumentKind {
    public let name: String
    /// That of the packages and of the files that are shown.
    public let itemExtension: String
    /// What a person wrote down as the parts. More may be in a package, and is shown with the rest.
    public let listed: [DocumentPart]
    /// A folder, or a ZIP, of such a name is a package of this kind only where one of these files is at its top.
    public let required: [DocumentPart]
    public let typeIdentifier: String
    /// A new file of that extension which is such a ZIP becomes a package. Of other kinds there are files, too, which
    /// are no packages.
    public let isMadeFromFiles: Bool

    public init(
        name: String, itemExtension: String, listed: [DocumentPart] = [], required: [DocumentPart],
        typeIdentifier: String = PackageKind.packageType, isMadeFromFiles: Bool = true
    ) {
        (self.name, self.itemExtension, self.listed) = (name, itemExtension, listed)
        (self.required, self.typeIdentifier, self.isMadeFromFiles) = (required, typeIdentifier, isMadeFromFiles)
    }

    public var folderExtension: String? { itemExtension }

    private var form: FlatForm { FlatForm(kind: name, itemExtension: itemExtension, required: required) }
    public var flat: FlatForm? { form }
    /// What is at the top of a package, of the files of which it has to have one.
    public var parts: [DocumentPart]? { required.map(\.top) }
    public let contentStart: Int64? = nil
    public let storedNameFollowsShown = true
    public var contentType: (identifier: String, itemExtension: String) { (typeIdentifier, itemExtension) }

    public var section: String? {
        func list(_ parts: [DocumentPart]) -> String { parts.map(\.written).joined(separator: ", ") }
        return """
            [\(name)]
            extension = \(itemExtension)
            \(listed.isEmpty ? "" : "parts = \(list(listed))\n")required = \(list(required))
            shown = file
            type = \(typeIdentifier)

            """
    }

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool { isFolder && ItemName.stem(storedName, before: itemExtension) != nil }

    /// A folder of a person's own may be called so.
    public func isMeant(storedName: [UInt8]) -> Bool { false }

    /// The one part is the package as a flat file.
    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let stem = ItemName.stem(storedName, before: itemExtension) else { throw .foreign("It is not named as a \(name) is.") }
        guard let file = parts.first ?? nil else { throw .foreign("It is no package.") }
        return DocumentReading(name: stem, fileExtension: itemExtension, content: .flat(length: file.byteCount))
    }

    public func takes(shownName: [UInt8]) -> Bool {
        ItemName.isPlain(shownName) && ItemName.parts(shownName).map { ItemName.lowercased($0.fileExtension) } == itemExtension
    }

    /// No part is written by itself: the whole package comes out of the ZIP. This says whether one can.
    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        _ = try form.package(in: content)
        return []
    }

    public func rename(_ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> [PartWriting] { [] }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        ItemName.numbered(ItemName.parts(shownName)?.stem ?? shownName, itemExtension, attempt: attempt)
    }

    public func tells(shownName: [UInt8], storedName: [UInt8]) -> Bool {
        guard let shown = ItemName.parts(shownName) else { return false }
        return ItemName.stem(storedName, before: itemExtension) == shown.stem && shown.fileExtension == itemExtension
    }
}
