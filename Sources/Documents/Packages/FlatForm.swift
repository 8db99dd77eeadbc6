import PropertyLists
import ZipFiles

/// What there is to know of a kind whose packages are shown as one flat file each: a ZIP of all that is in the package (docs/FORMATS.md).
public struct FlatForm: Hashable, Sendable {
    /// What the kind is called, for sentences.
    public let kind: String
    public let itemExtension: String
    /// Files of which one is at the top of each package. Where there are none, any folder is one.
    public let required: [DocumentPart]

    public init(kind: String, itemExtension: String, required: [DocumentPart]) { (self.kind, self.itemExtension, self.required) = (kind, itemExtension, required) }

    /// Whether a file of this name at the top of a folder makes that a package.
    public func isRequired(_ name: [UInt8]) -> Bool { required.contains { $0.isCalled(name) } }

    /// The package that a ZIP holds. Its contents are checked when they are read.
    public func package(in content: any ByteSource) throws(DocumentFault) -> ZipReader {
        let reader: ZipReader
        do throws(ZipFault) { reader = try ZipReader(content, extensions: [itemExtension]) } catch { throw Self.fault(error) }
        let isWhole = reader.tree.entries.contains { entry in
            if case .file = entry.kind { isRequired(entry.path) } else { false }
        }
        guard isWhole else { throw .unfit("None of the files is in this ZIP that each \(kind) has: \(required.map(\.written).joined(separator: ", ")).") }
        return reader
    }

    public static func fault(_ fault: ZipFault) -> DocumentFault {
        if case .unreadable(let failure) = fault, failure.errno != nil { .unreadable(failure.errno) } else { .unfit(fault.sentence) }
    }
}
