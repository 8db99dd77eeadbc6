/// One of the things of which the packages of a kind are made.
public enum DocumentPart: Hashable, Sendable {
    /// The file of this name, or at this path from the package's folder on: `Contents/Index.zip`.
    case file(String)
    /// The files of this name with any of these extensions. Where it is the content, that is the first of them, and a
    /// new one has the extension that its document is shown with, or else the first. With `anyName` as the name, only
    /// the extension counts, in any case of its letters.
    case files(String, extensions: [String])
    /// The folder of this name, or at this path, with all that is in it.
    case folder(String)

    /// Instead of a name: whatever the file is called.
    public static let anyName = "*"

    /// Whether what is called so at the top of a package is this part, or one of them. A part that lies deeper is none
    /// of these.
    public func isCalled(_ name: [UInt8]) -> Bool {
        switch self {
        case .file(let own), .folder(let own): return own.utf8.elementsEqual(name)
        case .files(let stem, let extensions):
            // Nothing is between the two: what a sync tool leaves has something there.
            guard let parts = ItemName.parts(name) else { return false }
            if stem == Self.anyName {
                return parts.stem.first != UInt8(ascii: ".") && extensions.contains(ItemName.lowercased(parts.fileExtension))
            }
            return parts.stem.elementsEqual(stem.utf8) && extensions.contains(parts.fileExtension)
        }
    }

    /// The folders, from the package's own on, in which the part lies.
    public var folders: [[UInt8]] {
        let path: String
        switch self {
        case .file(let own), .folder(let own), .files(let own, _): path = own
        }
        return path.utf8.split(separator: UInt8(ascii: "/")).dropLast().map { Array($0) }
    }

    /// The same part, as it is called in its folder.
    public var inItsFolder: DocumentPart {
        func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
        switch self {
        case .file(let own): return .file(last(own))
        case .folder(let own): return .folder(last(own))
        case .files(let own, let extensions): return .files(last(own), extensions: extensions)
        }
    }

    /// What of it is at the top of a package: itself, or the folder that leads to it.
    public var top: DocumentPart { folders.first.map { .folder(String(decoding: $0, as: UTF8.self)) } ?? self }

    /// What a new one is called, at the top of a document that is shown under this name.
    public func newName(forShown shownName: [UInt8] = []) -> String {
        switch self {
        case .file(let own), .folder(let own): return own
        case .files(let stem, let extensions):
            let shown = ItemName.parts(shownName)
            let known = shown.map(\.fileExtension).flatMap { extensions.contains(ItemName.lowercased($0)) ? $0 : nil }
            let name = stem != Self.anyName ? stem : shown.map { String(decoding: $0.stem, as: UTF8.self) } ?? "content"
            let word = stem == Self.anyName ? known : known.map(ItemName.lowercased)
            return name + ((word ?? extensions.first).map { "." + $0 } ?? "")
        }
    }

    /// What one is called that is called `old`, once its document is shown under this name.
    public func newName(forShown shownName: [UInt8], insteadOf old: [UInt8]) -> [UInt8] {
        guard case .files(Self.anyName, let extensions) = self else { return Array(newName(forShown: shownName).utf8) }
        guard let (stem, _) = ItemName.parts(old), let word = ItemName.parts(shownName)?.fileExtension,
            extensions.contains(ItemName.lowercased(word))
        else { return old }
        return stem + ".".utf8 + word.utf8
    }

    /// Whether its name alone says what it is called.
    public var isFixed: Bool { if case .files = self { false } else { true } }
    public var isFolder: Bool { if case .folder = self { true } else { false } }
}

extension DocumentPart {
    /// A single file at the top. All that lies deeper stays with the folder that it is in.
    var isWrittenAlone: Bool { isFixed && !isFolder && folders.isEmpty }
}
