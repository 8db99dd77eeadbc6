import KeyedArchives
import PropertyLists

/// What a bookmark's archive says, ours included: the form of its link file, and the file itself where it says more
/// than a canonical one.
struct Bookmark {
    var name: String
    var url: String
    /// The form that it was created under; nil where it is shown as the mount says.
    var form: LinkForm?
    private var file: KeptFile?

    /// A link file as it was written, and what the bookmark said then. When the app has changed either since,
    /// the file is of yesterday.
    private struct KeptFile {
        var bytes: [UInt8]
        var form: LinkForm
        var name: String
        var url: String
    }

    static let untouched = Bookmark(name: "Bookmark Name", url: "www.example.com")

    private enum Key {
        static let top = "Bookmark", name = "Bookmark Name", url = "Bookmark URL"
        static let form = "Valise Link Form"
        static let file = "Valise Link File", fileForm = "Valise Link File Form"
        static let fileName = "Valise Link File Name", fileURL = "Valise Link File URL"
    }

    init(name: String, url: String = "") {
        self.name = name
        self.url = url
    }

    init(_ source: any ByteSource) throws(PropertyListFault) {
        let archive = try KeyedArchive(source)
        let object = try Self.object(in: archive)
        func string(_ key: String) throws(PropertyListFault) -> String? {
            switch try archive.value(object.field(key)) {
            case .string(let text): return text
            case .none: return nil
            default: throw .damaged("its “\(key)” is no text")
            }
        }
        name = try string(Key.name) ?? ""
        url = try string(Key.url) ?? ""
        form = try string(Key.form).flatMap(LinkForm.init)
        if case .data(let offset, let count) = try archive.value(object.field(Key.file)), count <= Int64(LinkFile.longest),
            let form = try string(Key.fileForm).flatMap(LinkForm.init)
        {
            let bytes: [UInt8]
            do throws(SourceFailure) { bytes = try source.bytes(at: offset, count: Int(count)) } catch { throw .unreadable(error.errno) }
            file = KeptFile(bytes: bytes, form: form, name: try string(Key.fileName) ?? "", url: try string(Key.fileURL) ?? "")
        }
    }

    private static func object(in archive: KeyedArchive) throws(PropertyListFault) -> KeyedArchive.Object {
        for entry in archive.top.prefix(8) {
            guard let object = try archive.root(entry.key) else { continue }
            if object.shortClassName == Key.top || object.field(Key.name) != nil && object.field(Key.url) != nil { return object }
        }
        throw .foreign("it is an archive of something that is no bookmark")
    }

    /// The link file that is shown.
    func shown(as form: LinkForm) throws(DocumentFault) -> [UInt8] {
        if let file, file.form == form, file.name == name, file.url == url { return file.bytes }
        return LinkFile.canonical(form, name: name, url: url)
    }

    /// Remembers a link file that says more than the canonical one.
    mutating func keep(_ bytes: [UInt8], as form: LinkForm) {
        if bytes == LinkFile.canonical(form, name: name, url: url) {
            if file?.form == form { file = nil }
        } else {
            file = KeptFile(bytes: bytes, form: form, name: name, url: url)
        }
    }

    // MARK: Writing

    func archive() -> [UInt8] {
        var archive = NewArchive(topKey: Key.top, className: Key.top)
        for (key, value) in fields { archive.set(key, to: value) }
        return archive.bytes()
    }

    /// The archive that was, with this bookmark in it.
    func archive(over source: any ByteSource) throws(PropertyListFault) -> [UInt8] {
        let archive = try KeyedArchive(source)
        let object = try Self.object(in: archive)
        let old = try Bookmark(source)
        var editor = try ArchiveEditor(archive)
        if name != old.name { editor.set(Key.name, of: object, to: .string(name)) }
        if url != old.url { editor.set(Key.url, of: object, to: .string(url)) }
        for (key, value) in ownFields { editor.set(key, of: object, to: value) }
        if form == nil { editor.remove(Key.form, of: object) }
        if file == nil { for key in [Key.file, Key.fileForm, Key.fileName, Key.fileURL] { editor.remove(key, of: object) } }
        return editor.bytes()
    }

    private var fields: [(String, ArchiveEditor.NewValue)] {
        [(Key.name, .string(name)), (Key.url, .string(url))] + ownFields
    }

    private var ownFields: [(String, ArchiveEditor.NewValue)] {
        var fields: [(String, ArchiveEditor.NewValue)] = []
        if let form { fields.append((Key.form, .string(form.rawValue))) }
        if let file {
            fields += [
                (Key.file, .data(file.bytes)), (Key.fileForm, .string(file.form.rawValue)),
                (Key.fileName, .string(file.name)), (Key.fileURL, .string(file.url)),
            ]
        }
        return fields
    }
}
