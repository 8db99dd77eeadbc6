import Containers
import Documents
import LinuxFiles
import Shell

/// The versions of a document that somebody named, with what they are listed with: what it is now, and the others by their numbers.
struct ListedVersions {
    /// As it was named.
    let path: String
    let container: Container
    let place: DocumentPlace
    let clock: LocalClock
    let current: DocumentVersion
    let versions: [DocumentVersion]
    let list: VersionList

    init(_ document: NamedDocument) throws(Stop) {
        try self.init(path: document.path, in: document.container, document.place)
    }

    init(path: String, in container: Container, _ place: DocumentPlace) throws(Stop) {
        self.path = path
        self.container = container
        self.place = place
        let versions: [DocumentVersion], current: DocumentVersion
        do throws(Errno) { versions = try container.versions(of: place) } catch {
            if let owner = StateOwner(of: container.path) { throw Stop(1, owner.sentence("the earlier versions", on: StateOwner.drive(of: path), in: "versions")) }
            throw Stop(1, "cannot read the versions of \(quoted(path)): \(error)")
        }
        do throws(DocumentFault) { current = try container.currentVersion(of: place) } catch { throw Stop(1, "cannot read \(quoted(path)): \(Self.sentence(error))") }
        clock = .current
        self.versions = versions
        self.current = current
        list = VersionList(
            ([current] + versions).map { version in
                VersionList.Row(
                    id: version.id.text, modified: version.modified.seconds, size: (try? container.open(version, of: place))?.reading.length,
                    computer: version.computer, isConflict: version.isConflict, isResolved: version.isResolved)
            }, clock: clock)
    }

    static func sentence(_ fault: DocumentFault) -> String {
        switch fault {
        case .foreign(let reason), .damaged(let reason), .unfit(let reason): clause(reason)
        case .unreadable(let number): number.map { "\(Errno(rawValue: $0))" } ?? "it ends before its end"
        }
    }

    /// nil for what the document is now.
    func version(_ number: Int) -> DocumentVersion? { number > 0 ? versions[number - 1] : nil }

    /// The number of the version that somebody means.
    func number(_ word: String, code: Int32 = 1) throws(Stop) -> Int {
        let listing = "those that there are: valise versions \(shellWord(path))", path = quoted(path)
        switch list.choose(word) {
        case .one(let number): return number
        case .several(let numbers):
            throw Stop(code, "\(quoted(word)) may be each of \(numbers.count) versions of \(path); name one by its number:\n\(list.text(numbers).dropLast())")
        case .tooOld where list.rows.count == 1, .unknown where list.rows.count == 1: throw Stop(code, "\(path) has no earlier versions")
        case .tooOld: throw Stop(code, "\(path) has no version that old; \(listing)")
        case .unknown: throw Stop(code, "\(path) has no version \(quoted(word)); \(listing)")
        }
    }

    var text: String { list.text(Array(list.rows.indices), paint: .on(1)) }
    /// What waits for somebody to decide, beside what the document is.
    var conflictText: String { list.text([0] + conflicts, paint: .on(1)) }
    var conflicts: [Int] { versions.indices.filter { versions[$0].isUnresolved }.map { $0 + 1 } }

    var words: String { list.words.map { "\($0)\n" }.joined() }

    var json: JSON {
        .object([
            JSON.Member("path", .string(writtenPath(path))), JSON.Member("current", json(0)),
            JSON.Member("versions", .array(versions.indices.map { json($0 + 1) })),
        ])
    }

    var conflictJSON: JSON {
        .object([
            JSON.Member("path", .string(writtenPath(path))), JSON.Member("current", json(0)), JSON.Member("conflicts", .array(conflicts.map { json($0) })),
        ])
    }

    func json(_ number: Int) -> JSON {
        let version = version(number) ?? current
        var members = number > 0 ? [JSON.Member("number", .integer(Int64(number))), JSON.Member("version", .string(version.id.text))] : []
        members += [
            JSON.Member("modified", JSONAnswer.time(version.modified.seconds, nanoseconds: version.modified.nanoseconds)),
            JSON.Member("size", list.rows[number].size.map(JSON.integer) ?? .null), JSON.Member("computer", .string(version.computer)),
        ]
        guard number > 0 else { return .object(members) }
        return .object(members + [
            JSON.Member("conflict", .bool(version.isConflict)), JSON.Member("resolved", .bool(version.isResolved)),
            JSON.Member("discardable", .bool(version.isDiscardable)),
        ])
    }
}
