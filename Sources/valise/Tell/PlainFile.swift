import Containers
import Documents
import LinuxFiles
import Shell

/// Why a file is no document.
struct PlainFile {
    let name: String
    /// As much of it as tells what it is.
    private let start: [UInt8]
    private let source: FileSource
    /// What the folders are called that it is in, the nearest last.
    private let folders: [String]

    private static let prefixLength = 65_536

    /// nil for what is no regular file, or cannot be read. Asked in a child: a drive may not answer.
    init?(_ path: String) {
        guard let name = path.split(separator: "/").last, case .answer(let bytes) = Child.ask({ () throws(Errno) in
            let file = try Descriptor.atPath(path, [.read, .nonBlocking])
            guard try file.status().type == .regular else { throw .isDirectory }
            return try file.read(at: 0, count: Self.prefixLength)
        }), let file = try? OpenFile(Descriptor.atPath(path, [.read, .nonBlocking])), let size = try? file.descriptor.status().size else { return nil }
        source = FileSource(file, byteCount: size)
        (self.name, start) = (String(name), bytes)
        folders = writtenPath(path).split(separator: "/").dropLast().map(String.init)
    }

    /// On a drive, where new files become documents of these kinds.
    func reason(creating kinds: [String]) -> String {
        guard let kind = DocumentKinds.shipped.first(where: { $0.takes(shownName: Array(name.utf8)) }) else {
            return "its name has no extension of a document: .url, .desktop, .webloc and .html are bookmarks, those of images photos, .txt is a text"
        }
        guard kinds.contains(kind.name) else {
            let made = kinds.isEmpty ? "no documents" : kinds.map { "\($0)s" }.joined(separator: " and ") + " only"
            return "it would be a \(kind.name), and this container creates \(made); to have them created: valise mount -o create=\((kinds + [kind.name]).joined(separator: "+")) …"
        }
        if let package { return "it is a part of the package \(quoted(package)), which belongs to the app that made it" }
        do throws(DocumentFault) { _ = try kind.write(content: source, shownName: Array(name.utf8), over: nil, spelling: nil) } catch {
            switch error {
            case .foreign(let reason), .damaged(let reason), .unfit(let reason): return "its content is not that of a \(kind.name): \(clause(reason))"
            case .unreadable: return "it cannot be read"
            }
        }
        if let missing = try? kind.missingEnd(of: source) {
            // As a drive that was killed leaves what was written.
            return "\(clause(missing))"
        }
        return "it was put into the container as a plain file, and stays one whatever is written into it; to make it a document, give it another name on the drive"
    }

    private var package: String? { folders.last { Name($0).map(PersonsKinds.own.registry.isPackage) == true } }

    /// In the folder of a container, where documents have other names.
    var reasonInContainer: String {
        if let folder = folders.last, DocumentKinds.shipped.contains(where: { $0.parts?.contains { $0.isCalled(Array(name.utf8)) } == true && $0.mayBe(storedName: Array(folder.utf8), isFolder: true) }) {
            return "it is a part of the document \(quoted(folder)); name that"
        }
        if ImageType(prefix: start) != nil { return "an image by itself is no photo for the app, which keeps each in a folder *.ptk; to make it one, copy it onto a drive of this container" }
        return "its name is none of a document as apps keep them: Bookmark_* is a bookmark, a folder *.ptk a photo, *.stedoc a text"
    }
}
