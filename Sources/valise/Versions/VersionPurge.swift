import Containers
import Coordination
import LinuxFiles
import Shell

/// `valise versions --purge`: earlier versions go for good, and their room is free.
func purgeVersions(_ arguments: Arguments) throws(Stop) -> Int32 {
    guard !arguments.has(.json) else { throw Stop(2, "“--purge” answers no program: list what there is with --json, and remove it with --yes") }
    let moment = try arguments.values(of: .older).last.map { (word) throws(Stop) in try namedTime(word).beginning }
    let isOfAll = arguments.has(.allVersions) || moment != nil
    guard isOfAll || !arguments.operands.isEmpty else { throw Stop(2, "say whose versions are to go: a DOCUMENT, --all, or --older TIME") }
    var places: [VersionedPlace] = []
    for path in arguments.operands { places.append(try VersionedPlace(path, mayBeFolder: isOfAll)) }
    if places.isEmpty { for mount in try MountTable.now().ownContainers { places.append(try VersionedPlace(drive: mount)) } }
    var room = KeptSize(), found: [VersionedPlace] = []
    for place in places {
        let own = try place.room(before: moment)
        guard own.items > 0 else { continue }
        room = room + own
        found.append(place)
    }
    guard !found.isEmpty else {
        printUnlessQuiet("No earlier versions are kept there\(moment == nil ? "" : " from before then").\n", arguments)
        return 0
    }
    let what = "\(counted(room.items, "earlier version")) of \(counted(room.documents, "document")) (\(size(room.size)))"
    guard try PurgeQuestion.isMeant(what, "valise versions --purge --yes\(said(arguments))", arguments) else { return 1 }
    for place in found { try place.purge(before: moment) }
    printIfVerbose("\(what) \(room.items == 1 ? "is" : "are") gone", arguments)
    return 0
}

/// The rest of what was typed.
private func said(_ arguments: Arguments) -> String {
    let older = arguments.values(of: .older).last.map { " --older \(shellWord($0))" } ?? ""
    return (arguments.has(.allVersions) ? " --all" : "") + older + arguments.operands.map { " " + shellWord($0) }.joined()
}

/// Whose versions are to go: one document's, or those of all documents in a folder.
private struct VersionedPlace {
    /// As it was named.
    private let path: String
    private let container: Container
    /// From the documents on, in stored names.
    private let item: String

    /// `mayBeFolder`: nobody means all that is in a folder without having said so.
    init(_ named: String, mayBeFolder: Bool) throws(Stop) {
        try ContainerWriting.check(named)
        let item: ClaimableItem
        do throws(Stop) { item = try ClaimableItem(named) } catch { throw Stop(1, error.sentence) }
        // A folder that is one item has versions of its own.
        let isOneItem = item.isFolder && !mayBeFolder && (NamedDocument.isPackage(item) || (try? NamedDocument(named)) != nil)
        guard item.isFolder, !isOneItem else {
            let document = try NamedDocument(named)
            (path, container, self.item) = (named, document.container, document.item.path)
            return
        }
        guard mayBeFolder else { throw Stop(1, "\(quoted(named)) is a folder; to remove the versions of all documents there: valise versions --purge --all \(shellWord(named))") }
        (path, container, self.item) = (named, try NamedDocument.opened(item.container, item.options), item.path)
    }

    init(drive mount: MountTable.Mount) throws(Stop) {
        try ContainerWriting.check(mount)
        (path, container, item) = (mount.mountpoint, try NamedDocument.opened(on: mount), "")
    }

    func room(before moment: Int64?) throws(Stop) -> KeptSize {
        do throws(Errno) { return try container.versionsRoom(at: item.split(separator: "/").compactMap { Name(String($0)) }, before: moment) } catch {
            if let owner = StateOwner(of: container.path) { throw Stop(1, owner.sentence("the earlier versions")) }
            throw Stop(1, "cannot read the versions of \(quoted(path)): \(error)")
        }
    }

    func purge(before moment: Int64?) throws(Stop) {
        do {
            try ContainerWriting(container.path, by: path).change(item) { (item) throws(Failure) in try item.purgeVersions(before: moment) }
        } catch let stop as Stop { throw stop } catch let failure as Failure {
            if failure.errno == .notPermitted, let owner = StateOwner(of: container.path) { throw Stop(1, owner.sentence("the earlier versions")) }
            throw Stop(1, failure.sentence)
        } catch { throw Stop(1, "\(error)") }
    }
}
