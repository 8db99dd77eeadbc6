import DocumentKit
import Foundation

// The documents of two published apps, as small as they can be.

final class Bookmark: NSObject, NSCoding {
    let name: String, url: String

    init(name: String, url: String) { (self.name, self.url) = (name, url) }

    init?(coder: NSCoder) {
        name = coder.decodeObject(forKey: "Bookmark Name") as? String ?? ""
        url = coder.decodeObject(forKey: "Bookmark URL") as? String ?? ""
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "Bookmark Name")
        coder.encode(url, forKey: "Bookmark URL")
    }
}

final class PhotoPart: NSObject, NSCoding {
    let version: Int, image: Data

    init(image: Data) { (version, self.image) = (1, image) }

    init?(coder: NSCoder) {
        version = coder.decodeInteger(forKey: "Version")
        image = (coder.decodeObject(forKey: "Photo") ?? coder.decodeObject(forKey: "Thumbnail")) as? Data ?? Data()
    }

    func encode(with coder: NSCoder) {
        coder.encode(version, forKey: "Version")
        coder.encode(image, forKey: "Photo")
    }
}

/// What is looked at of a document that is opened.
@MainActor protocol Looked: UIDocument {
    var size: Int { get }
}

final class BookmarkDocument: UIDocument, Looked {
    private var bookmark: Bookmark?

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        let coder = try KeyedUnarchiver(forReadingFrom: contents as? Data ?? Data())
        coder.requiresSecureCoding = false
        bookmark = coder.decodeObject(forKey: "Bookmark") as? Bookmark
    }

    var size: Int { bookmark?.url.utf8.count ?? 0 }
}

final class PhotoDocument: UIDocument, Looked {
    private var wrapper: FileWrapper?

    private lazy var metadata: PhotoPart? = wrapper?.fileWrappers?["photo.metadata"]?.regularFileContents.flatMap { data in
        let coder = try? KeyedUnarchiver(forReadingFrom: data)
        coder?.requiresSecureCoding = false
        return coder?.decodeObject(forKey: "Data") as? PhotoPart
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws { wrapper = contents as? FileWrapper }

    var size: Int { metadata?.image.count ?? 0 }
}

/// One that always has something to save, or never.
final class NoteDocument: UIDocument {
    private var edits = 0
    var isAlwaysEdited = false

    override func contents(forType typeName: String) throws -> Any { Data("edit \(edits)".utf8) }
    override func load(fromContents contents: Any, ofType typeName: String?) throws {}

    func edit() {
        edits += 1
        updateChangeCount(.done)
    }

    override func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperation) {
        super.updateChangeCount(withToken: changeCountToken, for: saveOperation)
        if isAlwaysEdited { edit() }
    }
}
