import KeyedArchives
import PropertyLists

/// One of the two archives of a photo: found by its keys, whichever app wrote it.
struct PhotoArchive {
    enum Part: Sendable {
        case data, metadata

        var field: String { self == .data ? "Photo" : "Thumbnail" }
        var swiftClass: String { self == .data ? "PhotoData" : "PhotoMetadata" }
        var objectiveClass: String { self == .data ? "PTKData" : "PTKMetadata" }
        var file: String { self == .data ? "photo.data" : "photo.metadata" }
    }

    let archive: KeyedArchive
    let object: KeyedArchive.Object
    let spelling: Spelling

    init(_ source: any ByteSource, _ part: Part) throws(DocumentFault) {
        do throws(PropertyListFault) { archive = try KeyedArchive(source) } catch { throw DocumentFault(error.named(part.file)) }
        do throws(PropertyListFault) {
            // The keys differ in their first letter only, and either class may be under either.
            var found = try archive.root("Data")
            if found == nil { found = try archive.root("data") }
            guard let found else { throw .foreign("Its \(part.file) is another archive.") }
            guard let className = try archive.className(of: found) else {
                throw .damaged("Its \(part.file) does not tell a class.")
            }
            object = found
            switch lastComponent(ofClass: className) {
            case part.swiftClass[...]:
                spelling = Spelling(rawValue: String(className.dropLast(part.swiftClass.count + 1)))
            case part.objectiveClass[...]:
                spelling = PhotoNaming.objectiveC
            default:
                throw .foreign("Its \(part.file) holds a \(className).")
            }
        } catch { throw DocumentFault(error) }
    }

    func draft() throws(DocumentFault) -> ArchiveDraft {
        try reading { () throws(PropertyListFault) in try ArchiveDraft(changing: archive) }
    }
}

/// How an app names what it archives.
struct PhotoNaming: Sendable {
    static let objectiveC = Spelling(rawValue: "PTK")
    static let standard = PhotoNaming(spelling: Spelling(rawValue: "PhotoKeeper"))

    let isObjectiveC: Bool
    /// The Swift module; empty when the class is in none.
    let module: String

    init(spelling: Spelling) {
        isObjectiveC = spelling == Self.objectiveC
        module = spelling.rawValue
    }

    /// A new archive, and the number of its object.
    func draft(_ part: PhotoArchive.Part) throws(DocumentFault) -> (ArchiveDraft, Int) {
        let className = isObjectiveC ? part.objectiveClass : module.isEmpty ? part.swiftClass : "\(module).\(part.swiftClass)"
        let key = isObjectiveC ? "data" : "Data"
        var draft = ArchiveDraft(key: key, className: className)
        guard let uid = draft.root(key) else { throw .damaged("A new archive has no object.") }
        draft.set("Version", of: uid, to: .integer(PhotoKind.version))
        clear(part, in: &draft, of: uid)
        return (draft, uid)
    }

    /// No image: a reference to nothing in one language, no key in the other.
    func clear(_ part: PhotoArchive.Part, in draft: inout ArchiveDraft, of uid: Int) {
        draft.set(part.field, of: uid, to: isObjectiveC ? ArchiveDraft.Value.none : nil)
    }
}

extension PropertyListFault {
    /// The same of one of a package's files, which is named.
    fileprivate func named(_ file: String) -> PropertyListFault {
        func named(_ sentence: String) -> String {
            if sentence.hasPrefix("It ") { return "Its \(file)" + sentence.dropFirst(2) }
            return "Its \(file): \(sentence.prefix(1).lowercased())\(sentence.dropFirst())"
        }
        return switch self {
        case .foreign(let sentence): .foreign(named(sentence))
        case .damaged(let sentence): .damaged(named(sentence))
        case .excessive(let sentence): .excessive(named(sentence))
        case .unreadable: self
        }
    }
}
