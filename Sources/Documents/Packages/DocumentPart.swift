/// One of the things of which the packages of a kind are made.
public enum DocumentPart: Hashable, Sendable {
    /// The file of this name.
    case file(String)
    /// The files of this name with any of these extensions. Where it is the content, that is the first of them, and a new one has the extension
    /// that its document is shown with, or else the first.
    case files(String, extensions: [String])
    /// The folder of this name, with all that is in it.
    case folder(String)

    /// Whether what is called so in a package is this part, or one of them.
    public func isCalled(_ name: [UInt8]) -> Bool {
        switch self {
        case .file(let own), .folder(let own): own.utf8.elementsEqual(name)
        case .files(let stem, let extensions):
            // Nothing is between the two: what a sync tool leaves has something there.
            ItemName.parts(name).map { $0.stem.elementsEqual(stem.utf8) && extensions.contains($0.fileExtension) } ?? false
        }
    }

    /// What a new one is called, in a document that is shown under this name.
    public func newName(forShown shownName: [UInt8] = []) -> String {
        switch self {
        case .file(let own), .folder(let own): return own
        case .files(let stem, let extensions):
            let shown = ItemName.parts(shownName).map { ItemName.lowercased($0.fileExtension) }
            return stem + ((shown.flatMap { extensions.contains($0) ? $0 : nil } ?? extensions.first).map { "." + $0 } ?? "")
        }
    }

    /// Whether its name alone says what it is called.
    public var isFixed: Bool { if case .files = self { false } else { true } }
    public var isFolder: Bool { if case .folder = self { true } else { false } }
}
