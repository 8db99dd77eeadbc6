import Containers
import Coordination
import LinuxFiles
import Shell

/// `valise conflicts`: the documents that two sides changed at once.
func conflictsVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    var found: [ListedVersions] = []
    if let path = arguments.operands.first {
        found = try conflicted(at: path)
    } else {
        for mount in try MountTable.now().ownContainers { found += try conflicted(in: container(of: mount), on: mount) }
    }
    if arguments.has(.json) { printOut(JSONAnswer.line("documents", found.map(\.conflictJSON))) } else {
        for document in found { printOut(printable(document.path) + "\n" + document.conflictText) }
        if let first = found.first { printUnlessQuiet("  \(advice(first))\n", arguments) }
    }
    return 0
}

/// How somebody decides: on a drive that is read-only nobody does.
private func advice(_ document: ListedVersions) -> String {
    let number = document.conflicts.first ?? 1, seeing = "to see in what they differ: valise diff \(shellWord(document.path))"
    func deciding(_ path: String) -> String { "valise resolve \(shellWord(path)) \(number), or --current for what it is now, or --both" }
    guard (try? ContainerWriting.check(document.path)) == nil else { return "To decide: \(deciding(document.path)); \(seeing)" }
    return "This drive is read-only. To decide in the container: \(deciding(storedPath(of: document.place, in: document.container))); \(seeing)"
}

/// On a drive or in a container, or below a folder there.
private func conflicted(at path: String) throws(Stop) -> [ListedVersions] {
    switch try NamedPlace.existing(path) {
    case .drive(let mount): return try conflicted(in: container(of: mount), on: mount)
    case .apps(let drive):
        var found: [ListedVersions] = []
        for mount in try MountTable.now().apps(on: drive) { found += try conflicted(in: container(of: mount), on: mount) }
        return found
    case .onDrive(let mount):
        let folder = try foundPath(path)
        return try conflicted(in: container(of: mount), on: mount).filter { isInside($0.path, folder) }
    case .container(let container): return try conflicted(in: NamedDocument.opened(container), on: nil)
    case .inContainer(let container, let rest):
        return try conflicted(in: NamedDocument.opened(container), on: nil).filter { isInside($0.path, "\(container)/\(rest)") }
    case .other(let folder):
        // A mountpoint without its drive is no container without conflicts.
        guard (try? names(in: folder))?.isEmpty != true else { throw Stop(1, "\(quoted(path)) is empty: no drive is mounted there, and it is no container") }
        let found = try conflicted(in: NamedDocument.opened(folder), on: nil)
        if found.isEmpty, try !NamedDocument.hasDocuments(folder) { throw Stop(1, "\(NamedPlace.neither(path)), and there is no document in it") }
        return found
    }
}

private func container(of mount: MountTable.Mount) throws(Stop) -> Container { try NamedDocument.opened(on: mount) }

private func conflicted(in container: Container, on mount: MountTable.Mount?) throws(Stop) -> [ListedVersions] {
    let found: [ConflictedDocument]
    do throws(Errno) { found = try container.conflictedDocuments() } catch {
        if let owner = StateOwner(of: container.path) { throw Stop(1, owner.sentence("the conflicts", on: mount, in: "versions")) }
        throw Stop(1, "cannot read \(quoted(container.path)): \(error)")
    }
    let named = found.map { (path: path(of: $0, in: container, on: mount), place: $0.place) }
    return try named.sorted { $0.path < $1.path }.map { (document) throws(Stop) in try ListedVersions(path: document.path, in: container, document.place) }
}

/// Where a document is: on the drive, or else in the container.
private func path(of document: ConflictedDocument, in container: Container, on mount: MountTable.Mount?) -> String {
    if let mount, let path = driveFile(of: document.place, on: mount.mountpoint) { return path }
    return storedPath(of: document.place, in: container)
}

private func storedPath(of place: DocumentPlace, in container: Container) -> String {
    let names = (place.path + [place.stored]).map { String(decoding: $0.bytes, as: UTF8.self) }
    return ([container.path] + (container.hasDocumentsFolder ? ["Documents"] : []) + names).joined(separator: "/")
}

private func driveFile(of place: DocumentPlace, on mountpoint: String) -> String? {
    guard case .answer(let bytes) = Child.ask({ () throws(Errno) in Array(try place.file(on: mountpoint).utf8) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
}

/// `valise resolve`: somebody decides.
func resolveVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let chosen = arguments.operands.dropFirst().first
    guard [chosen != nil, arguments.has(.current), arguments.has(.both)].filter({ $0 }).count == 1 else {
        throw Stop(2, "say what the document is to be: a VERSION, --current or --both")
    }
    let document = try NamedDocument(arguments.operands[0]), listed = try ListedVersions(document)
    guard !listed.conflicts.isEmpty else { throw Stop(1, "\(quoted(document.path)) has no conflict to resolve") }
    var decision = arguments.has(.both) ? ConflictDecision.both : .current
    if let chosen, let version = listed.version(try listed.number(chosen)) { decision = .version(version.id) }
    try document.change { (item) throws(Failure) in try item.resolveConflicts(decision) }
    if decision == .both {
        let count = listed.conflicts.count
        printUnlessQuiet("\(quoted(document.path)) stays what it is, and \(count == 1 ? "the other version is a document of its own" : "\(count) other versions are documents of their own") beside it.\n", arguments)
    }
    printIfVerbose("the conflict of \(quoted(document.path)) is resolved", arguments)
    return 0
}
