import Containers
import Documents
import Glibc
import LinuxFiles
import PropertyLists
import Shell

/// `valise diff`: in what two versions of a document differ. Its exit codes are diff(1)'s.
func diffVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let listed: ListedVersions
    do throws(Stop) { listed = try ListedVersions(try NamedDocument(arguments.operands[0])) } catch { throw Stop(2, error.sentence) }
    let words = Array(arguments.operands.dropFirst())
    // Where two sides wait for a decision, it is about them.
    let first = words.isEmpty ? listed.versions.firstIndex(where: \.isUnresolved).map { $0 + 1 } ?? 1 : try listed.number(words[0], code: 2)
    let second = words.count > 1 ? try listed.number(words[1], code: 2) : 0
    guard listed.list.rows.indices.contains(first) else { throw Stop(2, "\(quoted(listed.path)) has no versions to compare it with") }
    let sides = [try VersionCopy(listed, first), try VersionCopy(listed, second)]
    let folder = try CopyFolder()
    defer { folder.remove() }
    if let tool = arguments.values(of: .tool).last { return try compare(sides, in: folder, by: tool) }
    if sides.allSatisfy(\.isText) {
        return try compare(sides, in: folder, by: "diff", ["-u"] + (isatty(1) == 1 && environment("NO_COLOR") == nil ? ["--color=auto"] : []) + sides.flatMap { ["--label", $0.label] } + ["--"])
    }
    guard sides[0].bytes != sides[1].bytes else { return 0 }
    printOut(printable(listed.path) + "\n" + zip([first, second], sides).map { "  \(padded(VersionList.name($0), 4))  \(listed.clock.shown(listed.list.rows[$0].modified))  \($1.facts)\n" }.joined())
    return 1
}

/// Runs a program on both, and answers its exit code.
private func compare(_ sides: [VersionCopy], in folder: CopyFolder, by tool: String, _ options: [String] = []) throws(Stop) -> Int32 {
    let paths = try sides.enumerated().map { (place, side) throws(Stop) in try folder.add(side, place) }
    let words = tool.split(separator: " ").map(String.init)
    guard !words.isEmpty else { throw Stop(2, "say which program is to compare: --tool PROGRAM") }
    let code = runCommand(words + options + paths)
    return [126, 127].contains(code) ? 2 : code
}

/// The content of one version.
private struct VersionCopy {
    let bytes: [UInt8]
    let label: String
    /// What its file is to be called: programs go by extensions.
    let name: String

    /// What is larger is compared by nobody.
    private static let largest = 1 << 30

    init(_ listed: ListedVersions, _ number: Int) throws(Stop) {
        let version = listed.version(number) ?? listed.current
        let shown = listed.path.split(separator: "/").last.map(String.init) ?? "document"
        label = "\(printable(shown)) \(VersionList.name(number)) (\(listed.clock.shown(version.modified.seconds)))"
        do throws(DocumentFault) {
            let opened = try listed.container.open(version, of: listed.place)
            name = "\(VersionList.name(number)).\(opened.reading.fileExtension)"
            switch opened.reading.content {
            case .bytes(let made): bytes = made
            case .elsewhere: throw DocumentFault.unreadable(ENETUNREACH)
            case .flat(let length):
                guard length <= Self.largest else { throw DocumentFault.unreadable(EFBIG) }
                do throws(SourceFailure) { bytes = try opened.shownContent.bytes(at: 0, count: Int(length)) } catch { throw .unreadable(error.errno) }
            case .range(let part, let offset, let length):
                guard let file = opened.parts.indices.contains(part) ? opened.parts[part] : nil, length <= Self.largest, length >= 0 else { throw DocumentFault.unreadable(EFBIG) }
                do throws(Errno) { bytes = try Self.read(file, offset, Int(length)) } catch { throw .unreadable(error.rawValue) }
            }
        } catch { throw Stop(2, "cannot read a version of \(quoted(listed.path)): \(ListedVersions.sentence(error))") }
    }

    private static func read(_ file: OpenFile, _ offset: Int64, _ count: Int) throws(Errno) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let next = try file.descriptor.read(at: offset + Int64(all.count), count: min(count - all.count, 1 << 20))
            guard !next.isEmpty else { break }
            all += next
        }
        return all
    }

    var isText: Bool { ImageType(prefix: bytes) == nil && !bytes.prefix(8192).contains(0) }

    /// "3.2 kB, PNG, 64 × 48"
    var facts: String {
        let type = ImageType(prefix: Array(bytes.prefix(ImageType.prefixLength)))
        let extent = ImageSize(prefix: Array(bytes.prefix(ImageSize.prefixLength)))
        return [size(Int64(bytes.count)), type.map { $0.rawValue.uppercased() } ?? "of no known type", extent.map { "\($0.width) × \($0.height)" }]
            .compactMap { $0 }.joined(separator: ", ")
    }
}

/// A folder for copies that somebody looks at.
private struct CopyFolder {
    private let path: String

    init() throws(Stop) {
        let temporary = environment("TMPDIR") ?? "/tmp"
        var template = Array("\(temporary)/valise-diff-XXXXXX".utf8CString)
        // SAFETY: mkdtemp writes into the template, which ends with a zero.
        guard unsafe mkdtemp(&template) != nil else { throw Stop(2, "cannot make a folder for copies in \(quoted(temporary)): \(Errno.current); in another one: TMPDIR=FOLDER valise diff …") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func add(_ copy: VersionCopy, _ place: Int) throws(Stop) -> String {
        do throws(Errno) {
            guard let folder = Name(place == 0 ? "a" : "b"), let name = Name(copy.name) else { throw .invalid }
            let parent = try Descriptor.atPath(path, [.path, .folder])
            try parent.makeFolder(folder, mode: 0o700)
            let file = try parent.open(folder, [.path, .folder]).open(name, [.write, .create, .exclusive], mode: 0o400)
            try file.write(copy.bytes, at: 0)
        } catch { throw Stop(2, "cannot write a copy to compare in \(quoted(path)): \(error)") }
        return "\(path)/\(place == 0 ? "a" : "b")/\(copy.name)"
    }

    func remove() {
        for folder in (try? names(in: path)) ?? [] {
            // SAFETY: each call reads the path.
            for name in (try? names(in: "\(path)/\(folder)")) ?? [] { _ = unsafe unlink("\(path)/\(folder)/\(name)") }
            _ = unsafe rmdir("\(path)/\(folder)")
        }
        _ = unsafe rmdir(path)
    }
}
