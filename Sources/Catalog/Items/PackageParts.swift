import LinuxFiles

/// What is in a package of which no kind knows the parts, folders in it too.
struct PackageParts {
    private(set) var statuses: [FileStatus] = []
    private static let deepest = 64, most = 100_000

    init(in package: OpenFile) { add(package, depth: 0) }

    /// What its files have together.
    var size: Int64 { files.reduce(0) { $0 &+ $1.size } }
    /// When the newest of its files was changed.
    var modified: Timestamp? { files.map(\.modified).max() }

    private var files: [FileStatus] { statuses.filter { $0.type == .regular } }

    private mutating func add(_ folder: OpenFile, depth: Int) {
        for name in Self.names(in: folder) {
            guard statuses.count < Self.most, let status = try? folder.descriptor.status(of: name) else { continue }
            statuses.append(status)
            if status.type == .folder, let inner = Self.open(name, in: folder, depth) { add(inner, depth: depth + 1) }
        }
    }

    /// What is written in it: its texts, one below the other, up to so many bytes; nil where there is none. A file whose name does not say what it is
    /// counts as a text if it begins as one.
    static func text(in package: OpenFile, most: Int) -> [UInt8]? {
        var text: [UInt8] = []
        add(package, depth: 0, to: &text, most)
        return text.isEmpty ? nil : text
    }

    private static func add(_ folder: OpenFile, depth: Int, to text: inout [UInt8], _ most: Int) {
        for name in names(in: folder) where name.bytes.first != UInt8(ascii: ".") {
            guard text.count < most, let status = try? folder.descriptor.status(of: name) else { continue }
            if status.type == .folder {
                if let inner = open(name, in: folder, depth) { add(inner, depth: depth + 1, to: &text, most) }
            } else if status.type == .regular, ContentTypeTable.isText(name) ?? beginsAsText(name, in: folder), let more = ItemReading.text(of: name, in: folder, most: most - text.count) {
                text += text.isEmpty ? more : [0x0A] + more
            }
        }
    }

    private static let beginning = 512

    private static func beginsAsText(_ name: Name, in folder: OpenFile) -> Bool {
        guard let bytes = ItemReading.text(of: name, in: folder, most: beginning) else { return false }
        return !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }

    /// The folders that lie in it. One that comes later is noticed in the one around it.
    static func eachFolder(in package: OpenFile, _ body: (OpenFile) -> Void) { eachFolder(in: package, depth: 0, body) }

    private static func eachFolder(in folder: OpenFile, depth: Int, _ body: (OpenFile) -> Void) {
        guard var entries = try? FolderReader(untraced: folder.descriptor) else { return }
        while let entry = (try? entries.next()) ?? nil {
            guard entry.type == .folder || entry.type == .unknown, let inner = open(entry.name, in: folder, depth) else { continue }
            body(inner)
            eachFolder(in: inner, depth: depth + 1, body)
        }
    }

    /// In an order that is the same each time.
    private static func names(in folder: OpenFile) -> [Name] {
        guard var entries = try? FolderReader(untraced: folder.descriptor) else { return [] }
        var names: [Name] = []
        while names.count < most, let entry = (try? entries.next()) ?? nil { names.append(entry.name) }
        return names.sorted()
    }

    private static func open(_ name: Name, in folder: OpenFile, _ depth: Int) -> OpenFile? {
        guard depth < deepest, let inner = try? folder.descriptor.open(name, [.path, .folder]) else { return nil }
        return OpenFile(inner)
    }
}
