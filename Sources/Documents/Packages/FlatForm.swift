import PropertyLists
import ZipFiles

/// What there is to know of a kind whose packages are shown as one flat file each: a ZIP of all that is in the package (docs/FORMATS.md).
public struct FlatForm: Hashable, Sendable {
    /// What the kind is called, for sentences.
    public let kind: String
    public let itemExtension: String
    /// Files, or folders, of which one is in each package. Where there are none, any folder is one.
    public let required: [DocumentPart]

    public init(kind: String, itemExtension: String, required: [DocumentPart]) { (self.kind, self.itemExtension, self.required) = (kind, itemExtension, required) }

    /// Whether any folder is a package of this kind.
    public var takesAll: Bool { required.isEmpty }

    /// Whether a file of this name at the top of a folder makes that a package.
    public func isRequired(_ name: [UInt8]) -> Bool { required.contains { $0.isCalled(name) } }

    /// Whether a file that makes the folder a package may lie in a folder of this name.
    public func leadsToRequired(_ name: [UInt8]) -> Bool { required.contains { $0.folders.first == name } }

    /// The package that a ZIP holds. Its contents are checked when they are read.
    public func package(in content: any ByteSource) throws(DocumentFault) -> ZipReader {
        let reader: ZipReader
        let extensions = itemExtension.isEmpty ? [] : [itemExtension]
        do throws(ZipFault) { reader = try ZipReader(content, extensions: extensions) } catch { throw Self.fault(error) }
        let isWhole = takesAll || reader.tree.entries.contains { entry in
            if case .link = entry.kind { return false }
            let path = entry.path.split(separator: UInt8(ascii: "/")).map { Array($0) }
            return required.contains { part in
                part.isFolder == entry.isFolder && part.folders == Array(path.dropLast())
                    && path.last.map(part.inItsFolder.isCalled) == true
            }
        }
        guard isWhole else { throw .unfit("None of the files is in this ZIP that each \(kind) has: \(required.map(\.written).joined(separator: ", ")).") }
        return reader
    }

    public static func fault(_ fault: ZipFault) -> DocumentFault {
        if case .unreadable(let failure) = fault, failure.errno != nil { .unreadable(failure.errno) } else { .unfit(fault.sentence) }
    }
}
