import Documents
import LinuxFiles

/// One entry of a container's folder, read: what it is, and what a drive shows of it.
public struct Item: Sendable {
    /// Its name in the container.
    public var name: Name
    /// What a drive shows: of a document, a regular file with the content's size and the newest part's times.
    public var status: FileStatus
    public var document: DocumentItem?
    /// Why something that looks like a document is shown as the plain file or folder it is.
    public var fault: String?
    /// That is because this process may not read it.
    public var isDenied: Bool

    public init(name: Name, status: FileStatus, document: DocumentItem? = nil, fault: String? = nil, isDenied: Bool = false) {
        self.name = name
        self.status = status
        self.document = document
        self.fault = fault
        self.isDenied = isDenied
    }
}

/// An item that was understood as a document.
public struct DocumentItem: Sendable {
    public var kind: KindID
    public var reading: DocumentReading

    /// The name to show it under, if nothing else has it: the document's own with the extension,
    /// what no file name can hold replaced by its look-alike, in NFC.
    public var naturalName: Name { ShownName.make(stem: reading.name, fileExtension: reading.fileExtension).composed }
}
