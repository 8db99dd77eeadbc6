import Foundation
import LinuxFiles

/// One name in an open folder: where a file wrapper is read from or written to. No link is followed.
struct FilePlace {
    let folder: OpenFile
    let name: Name
    /// Where that folder was found, for what lies in a package.
    private var around: Around?

    private final class Around: Sendable {
        let place: FilePlace
        init(_ place: FilePlace) { self.place = place }
    }

    /// Folders in folders. What is deeper is not read.
    static let deepest = 128

    init(folder: OpenFile, name: Name) {
        self.folder = folder
        self.name = name
    }

    init(_ url: URL) throws {
        // Most are plain: taking a URL apart and putting it together takes longer than opening a file.
        let path = Array(url.path.utf8), parts = path.split(separator: UInt8(ascii: "/"))
        if url.isFileURL, path.first == UInt8(ascii: "/"), let last = parts.last, let name = Name(last), !parts.contains(where: { $0.elementsEqual([0x2E]) || $0.elementsEqual([0x2E, 0x2E]) }) {
            self.name = name
            do throws(Errno) { folder = OpenFile(try Descriptor.atPath(Array(path[..<last.startIndex]), [.path, .folder])) } catch {
                throw FileFault.error(error, url.path, isWriting: false)
            }
            return
        }
        let url = url.standardizedFileURL
        guard url.isFileURL, let name = Name(url.lastPathComponent) else { throw FileFault.error(.fileReadInvalidFileName, url.path, nil) }
        self.name = name
        do throws(Errno) { folder = OpenFile(try Descriptor.atPath(url.deletingLastPathComponent().path, [.path, .folder])) } catch {
            throw FileFault.error(error, url.path, isWriting: false)
        }
    }

    var shownName: String { String(decoding: name.bytes, as: UTF8.self) }

    /// Where it lies now, for sentences.
    var shownPath: String { ((try? AbsolutePath.of(folder.descriptor)).map { $0 == "/" ? "" : $0 + "/" } ?? "") + shownName }

    func status() throws(Errno) -> FileStatus { try folder.descriptor.status(of: name) }

    func inside() throws(Errno) -> [FilePlace] {
        let inner = OpenFile(try folder.descriptor.open(name, [.read, .folder]))
        var entries = FolderReader(whole: inner), places: [FilePlace] = []
        let around = Around(self)
        while let entry = try entries.next() {
            // A name that is no text has none in a wrapper.
            if String(validating: entry.name.bytes, as: UTF8.self) != nil { places.append(FilePlace(folder: inner, name: entry.name, in: around)) }
        }
        return places
    }

    private init(folder: OpenFile, name: Name, in around: Around) { (self.folder, self.name, self.around) = (folder, name, around) }

    /// The place that the same names lead to by now: a package that was saved is another folder.
    var again: FilePlace {
        guard let around, let folder = try? around.place.again.folder.descriptor.open(around.place.name, [.path, .folder]) else { return self }
        return FilePlace(folder: OpenFile(folder), name: name)
    }

    /// Whether somebody has taken it out of its package, which is there; or a folder with it.
    var isTakenAway: Bool {
        guard let around else { return false }
        guard let inside = try? around.place.again.folder.descriptor.open(around.place.name, [.path, .folder]) else { return around.place.isTakenAway }
        return (try? inside.exists(name)) == false && (try? folder.descriptor.exists(name)) == false
    }

    func below(_ text: String) -> FilePlace? {
        guard let inner = Name(text), let opened = try? folder.descriptor.open(name, [.path, .folder]) else { return nil }
        return FilePlace(folder: OpenFile(opened), name: inner)
    }
}

/// Which file it was, and when it was changed last.
struct FileStamp: Equatable {
    let identity: FileIdentity
    let modified: Timestamp
    let size: Int64

    init(_ status: FileStatus) {
        identity = status.identity
        modified = status.modified
        size = status.size
    }
}

/// A place and what lies there; of a folder also what is in it, where that was read already.
struct LookedAt {
    let place: FilePlace
    let status: FileStatus
    var parts: [LookedAt]?

    /// `isFresh`: on a drive, as that says now. Its word that something changed may be here before the kernel has heard of it.
    init(_ place: FilePlace, isFresh: Bool = false) throws(Errno) {
        (self.place, status) = (place, isFresh ? try place.folder.descriptor.freshStatus(of: place.name) : try place.status())
    }

    /// With what is in it, but for what is gone by the time that it is looked at.
    init(whole place: FilePlace, isFresh: Bool = false) throws(Errno) {
        try self.init(place, isFresh: isFresh)
        if status.type == .folder { parts = try place.inside().compactMap { try? LookedAt($0, isFresh: isFresh) } }
    }

    /// When it was changed last; a package, when its newest part was.
    var modified: Timestamp {
        guard let parts else { return status.modified }
        return parts.filter { $0.status.type == .regular }.map(\.status.modified).max() ?? status.modified
    }

    /// What is in a package, folders in it too, in one number: which parts, of which size, of when. Hidden files are others', and no part of it.
    var partsNumber: Int? {
        guard let parts else { return nil }
        var hasher = Hasher()
        Self.add(parts, to: &hasher, depth: 0)
        return hasher.finalize()
    }

    private static func add(_ parts: [LookedAt], to hasher: inout Hasher, depth: Int) {
        for part in parts.filter({ $0.place.name.bytes.first != UInt8(ascii: ".") }).sorted(by: { $0.place.name.bytes.lexicographicallyPrecedes($1.place.name.bytes) }) {
            hasher.combine(part.place.name)
            hasher.combine(part.status.type)
            guard part.status.type == .folder else {
                hasher.combine(part.status.size)
                hasher.combine(part.status.modified)
                continue
            }
            guard depth < FilePlace.deepest, let inner = part.parts ?? (try? LookedAt(whole: part.place))?.parts else { continue }
            add(inner, to: &hasher, depth: depth + 1)
            hasher.combine(inner.count)
        }
    }
}

/// What lies at a place, as far as it was looked at.
struct FoundFile {
    let name: String
    let content: FileWrapper.Content
    let stamp: FileStamp
    let attributes: [String: Any]

    init(_ place: FilePlace) throws {
        let found: LookedAt
        do throws(Errno) { found = try LookedAt(place) } catch { throw FileFault.error(error, place.shownName, isWriting: false) }
        try self.init(found)
    }

    init(_ found: LookedAt) throws {
        let place = found.place, status = found.status
        do throws(Errno) {
            let stamp = FileStamp(status)
            (self.stamp, name) = (stamp, place.shownName)
            switch status.type {
            case .regular: content = .file(FileContents(place: place, stamp: stamp))
            case .folder: content = .folder(FolderContents(found))
            case .symbolicLink: content = .link(String(decoding: try place.folder.descriptor.readSymbolicLink(place.name), as: UTF8.self))
            default: throw Errno.invalid
            }
            let types: [FileType: FileAttributeType] = [.regular: .typeRegular, .folder: .typeDirectory, .symbolicLink: .typeSymbolicLink]
            attributes = [
                FileAttributeKey.type.rawValue: types[status.type] ?? .typeUnknown, FileAttributeKey.size.rawValue: NSNumber(value: status.size),
                FileAttributeKey.posixPermissions.rawValue: NSNumber(value: status.permissions),
                FileAttributeKey.modificationDate.rawValue: Date(timeIntervalSince1970: Double(status.modified.seconds) + Double(status.modified.nanoseconds) / 1e9),
            ]
        } catch { throw FileFault.error(error, place.shownName, isWriting: false) }
    }
}

/// The contents of a file: in memory, or on disk until they are asked for.
final class FileContents {
    private var known: Data?
    private let source: (place: FilePlace, stamp: FileStamp)?

    init(data: Data) { (known, source) = (data, nil) }

    init(place: FilePlace, stamp: FileStamp) { source = (place, stamp) }

    /// Whether they are in memory.
    var isRead: Bool { known != nil }

    /// They were never read, and are not to be had any more.
    var areTakenAway: Bool { known == nil && source?.place.isTakenAway == true }

    /// nil where the file is not the one that it was.
    func data() -> Data? {
        if let known { return known }
        guard let source, let file = try? source.place.folder.descriptor.open(source.place.name, [.read, .nonBlocking]),
              let status = try? file.status(), status.type == .regular, FileStamp(status) == source.stamp,
              let bytes = try? file.readAll(limit: Int(clamping: status.size), status), let after = try? file.status(), FileStamp(after) == source.stamp else { return nil }
        known = Data(bytes)
        return known
    }

    /// For who writes them to another place: where somebody has changed the file before anybody read it, what it has now, so that a document can still be
    /// saved. Throws an error that names the file.
    func dataToWrite() throws -> Data {
        if let data = data() { return data }
        guard let source else { return Data() }
        do throws(Errno) { return try Self.read(source.place) } catch {
            do throws(Errno) {
                guard error == .noSuchEntry else { throw error }
                return try Self.read(source.place.again)
            } catch { throw FileFault.error(error, source.place.again.shownPath, isWriting: false) }
        }
    }

    private static func read(_ place: FilePlace) throws(Errno) -> Data {
        for _ in 0..<tries {
            let file = try place.folder.descriptor.open(place.name, [.read, .nonBlocking]), status = try file.status()
            guard status.type == .regular else { throw .invalid }
            let bytes = try file.readAll(limit: Int(clamping: status.size), status)
            if try FileStamp(file.status()) == FileStamp(status) { return Data(bytes) }
        }
        throw .tryAgain
    }

    /// Somebody may write it all the time.
    private static let tries = 5
}

/// The children of a folder: in memory, or on disk until they are asked for.
final class FolderContents {
    var children: [String: FileWrapper]?
    fileprivate let source: LookedAt?
    /// It was empty when its children were read, and had changed since it was found.
    private var isEmptied = false

    init(children: [String: FileWrapper]) {
        self.children = children
        source = nil
    }

    init(_ source: LookedAt) { self.source = source }

    /// Another program removed all that was in it. The folder itself may be there for a moment more: `rm -r` removes the
    /// files first.
    var isTakenAway: Bool {
        guard let source, (children ?? [:]).values.allSatisfy(\.isTakenAway) else { return false }
        return source.place.isTakenAway || children.map { !$0.isEmpty || isEmptied } == true
    }

    /// Throws where the folder is not the one that it was.
    func parts() throws -> [LookedAt] {
        guard let source else { return [] }
        if let parts = source.parts { return parts }
        do throws(Errno) {
            guard try source.place.status().identity == source.status.identity else { throw .stale }
            // What disappears meanwhile is no part of the document.
            let parts = try source.place.inside().compactMap { try? LookedAt($0) }
            let now = try source.place.status()
            isEmptied = parts.isEmpty && now.modified != source.status.modified
            return parts
        } catch { throw FileFault.error(error, source.place.shownPath, isWriting: false) }
    }
}

extension FolderContents {
    /// For who writes them to another place: what the folder has now, where it is another one before anybody asked.
    func partsToWrite() throws -> [LookedAt] {
        do { return try parts() } catch {
            guard let source, let parts = try? LookedAt(whole: source.place.again).parts else { throw error }
            return parts
        }
    }
}

/// How a name is told apart from one that is taken: as Foundation does in packages, with a number before it.
enum NumberedName {
    private static let mark = "__#$!@%!#__"

    static func free(_ name: String, isTaken: (String) -> Bool) -> String {
        guard isTaken(name) else { return name }
        var number = 1
        while isTaken("\(number)\(mark)\(name)") { number += 1 }
        return "\(number)\(mark)\(name)"
    }

    /// The name without the number.
    static func preferred(of name: String) -> String {
        guard let range = name.range(of: mark), range.upperBound < name.endIndex, !name[..<range.lowerBound].isEmpty,
              name[..<range.lowerBound].allSatisfy(\.isWholeNumber) else { return name }
        return String(name[range.upperBound...])
    }
}

/// Errors of files as Foundation has them.
enum FileFault {
    static func error(_ code: CocoaError.Code, _ path: String, _ cause: Errno?) -> CocoaError {
        var info: [String: Any] = [NSFilePathErrorKey: path]
        if let cause {
            info[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(cause.rawValue))
            info[NSLocalizedDescriptionKey] = "“\(path)”: \(cause)"
        }
        return CocoaError(code, userInfo: info)
    }

    static func error(_ cause: Errno, _ path: String, isWriting: Bool) -> CocoaError {
        let code: CocoaError.Code = switch cause {
        case .noSuchEntry: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
        case .accessDenied, .notPermitted: isWriting ? .fileWriteNoPermission : .fileReadNoPermission
        case .exists: .fileWriteFileExists
        case .noSpace, .quota: .fileWriteOutOfSpace
        case .readOnly: .fileWriteVolumeReadOnly
        default: isWriting ? .fileWriteUnknown : .fileReadUnknown
        }
        return error(code, path, cause)
    }

    /// What went wrong where an app wrote, told of the document: nobody knows the name under which it is written before it is saved.
    static func error(_ error: any Error, naming document: String, not written: String) -> any Error {
        // An error of the app's own, and one of those here, which say nothing else.
        guard type(of: error) is NSError.Type || error is CocoaError || error is POSIXError else { return error }
        return renamed(error as NSError, document, written)
    }

    private static func renamed(_ error: NSError, _ document: String, _ written: String) -> NSError {
        let names = [(written, document), (URL(fileURLWithPath: written).lastPathComponent, URL(fileURLWithPath: document).lastPathComponent)]
        func renamed(_ text: String) -> String { names.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) } }
        let info = error.userInfo.mapValues { value -> Any in
            switch value {
            case let text as String: renamed(text)
            case let url as URL where url.isFileURL: URL(fileURLWithPath: renamed(url.path))
            case let cause as NSError: self.renamed(cause, document, written)
            default: value
            }
        }
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }
}
