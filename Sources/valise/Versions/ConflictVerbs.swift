import Containers
import Coordination
import LinuxFiles
import Shell

/// `valise conflicts`: the documents that two sides changed at once.
func conflictsVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let table = try MountTable.now()
    guard let path = arguments.operands.first else {
        for mount in table.drives { try list(container(of: mount), on: mount, arguments) }
        return 0
    }
    let folder = try foundPath(path)
    if let mount = table.mount(at: folder), mount.isDrive {
        try list(container(of: mount), on: mount, arguments)
    } else {
        try list(NamedDocument.opened(folder), on: nil, arguments)
    }
    return 0
}

/// The container of a drive, as its process says.
private func container(of mount: MountTable.Mount) throws(Stop) -> Container {
    switch StatusSource.read(mount.mountpoint) {
    case .answer(let bytes):
        guard let path = JSON(bytes)?["container"]?.string else { throw Stop(1, "the drive on \(quoted(mount.mountpoint)) does not say what it shows") }
        return try NamedDocument.opened(path)
    case .failed(let error): throw Stop(1, DriveSentence.failed(mount, error))
    case .silent: throw Stop(1, DriveSentence.silent(mount))
    }
}

private func list(_ container: Container, on mount: MountTable.Mount?, _ arguments: Arguments) throws(Stop) {
    let found: [ConflictedDocument]
    do throws(Errno) { found = try container.conflictedDocuments() } catch { throw Stop(1, "cannot read \(quoted(container.path)): \(error)") }
    let named = found.map { (path: path(of: $0, in: container, on: mount), conflicts: $0.conflicts) }
    for (path, conflicts) in named.sorted(by: { $0.path < $1.path }) {
        if arguments.has(.json) {
            say(JSON.object([JSON.Member("path", .string(path)), JSON.Member("conflicts", .array(conflicts.map(json)))]).line + "\n")
        } else {
            say(printable(path) + "\n" + conflicts.map(line).joined())
        }
    }
}

/// Where a document is: on the drive, or else in the container.
private func path(of document: ConflictedDocument, in container: Container, on mount: MountTable.Mount?) -> String {
    if let mount, let path = driveFile(of: document.place, on: mount.mountpoint) { return path }
    let names = (document.place.path + [document.place.stored]).map { String(decoding: $0.bytes, as: UTF8.self) }
    return ([container.path] + (container.hasDocumentsFolder ? ["Documents"] : []) + names).joined(separator: "/")
}

/// The file of a document on a drive: the one in its folder whose item it is.
private func driveFile(of place: DocumentPlace, on mountpoint: String) -> String? {
    let folder = ([mountpoint] + place.path.map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/")
    guard case .answer(let bytes) = Child.ask({ () throws(Errno) in
        for name in try names(in: folder) {
            let file = try Descriptor.atPath("\(folder)/\(name)", .path)
            if (try? file.extendedAttribute(Array("user.valise.stored-name".utf8))) == place.stored.bytes { return Array(name.utf8) }
        }
        throw .noSuchEntry
    }) else { return nil }
    return "\(folder)/\(String(decoding: bytes, as: UTF8.self))"
}

/// `valise resolve`: somebody decides.
func resolveVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let chosen = arguments.operands.dropFirst().first
    guard [chosen != nil, arguments.has(.current), arguments.has(.both)].filter({ $0 }).count == 1 else {
        throw Stop(2, "say what the document is to be: a VERSION, --current or --both")
    }
    let document = try NamedDocument(arguments.operands[0])
    guard try document.versions().contains(where: \.isUnresolved) else { throw Stop(1, "\(quoted(document.path)) has no conflict to resolve") }
    let decision: ConflictDecision = if let chosen { .version(try document.version(chosen).id) } else { arguments.has(.both) ? .both : .current }
    try document.change { (item) throws(Failure) in try item.resolveConflicts(decision) }
    return 0
}
