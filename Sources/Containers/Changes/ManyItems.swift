import Documents
import LinuxFiles
import Transactions

/// Many new items at once, as an import has them, and the end of those that nobody has touched since.
///
/// Each item comes to its place, or leaves it, by one rename of its own, so that at every moment each is wholly there or not at all; what a crash
/// leaves undone is done by the next import. What lies in the folder that was handed over is on the store before the first of them has its name.
final class ManyItems: Sendable {
    private let container: Container
    private let staging: Staging
    private let staged: StagedSaving
    private let plans: PlanExecution
    private let removal: ItemRemoval

    init(container: Container, staging: Staging, staged: StagedSaving, plans: PlanExecution, removal: ItemRemoval) {
        (self.container, self.staging, self.staged, self.plans, self.removal) = (container, staging, staged, plans, removal)
    }

    private static let deepest = 256, longestList = 1 << 22

    /// What lies in the folder `name` in `.valise/handed` comes to the same places in the documents' folder, with the folders that are missing. Where
    /// something is already, the new one stays in the folder, which is there afterwards with what has stayed.
    func place(_ name: Name) throws(Errno) -> Outcome {
        let own = staging.nextHandedOver()
        try staged.take(name, as: own)
        defer { giveBack(own, as: name) }
        try staging.synchronize()
        try place(OpenFile(staging.folder.descriptor.open(own, [.path, .folder])), [own], container.documents, [])
        try staging.synchronize()
        return Outcome()
    }

    private func place(_ folder: OpenFile, _ source: [Name], _ home: OpenFile, _ path: [Name]) throws(Errno) {
        guard path.count < Self.deepest else { return }
        var entries = try FolderReader(folder.descriptor), inner: [Name] = []
        while let entry = try entries.next() {
            if path.isEmpty, Hidden.isState(entry.name) { continue }
            if entry.type == .folder, container.reader.candidate(for: entry.name, isFolder: true) == nil,
                !container.isFolderItem(entry.name, in: folder.descriptor) {
                inner.append(entry.name)
                continue
            }
            var plan = Plan()
            plan.know(home, at: path)
            plan.know(folder, at: source, of: .staging)
            plan.steps = [.add(Place(top: .staging, path: source, name: entry.name), .item(entry.name, in: path))]
            do throws(Errno) { try plans.carryOut(plan) } catch { if error != .exists { throw error } }
        }
        for name in inner {
            let below = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
            // As who handed it over made it: this process may have no mask.
            let mode = try below.descriptor.status().permissions & 0o777
            do throws(Errno) { try home.descriptor.makeFolder(name, mode: mode) } catch { if error != .exists { throw error } }
            let place: OpenFile
            // Something else has the name: all of it stays.
            do throws(Errno) { place = OpenFile(try home.descriptor.open(name, [.path, .folder])) } catch {
                guard error == .notDirectory || error == .tooManySymbolicLinks else { throw error }
                continue
            }
            try self.place(below, source + [name], place, path + [name])
            try? folder.descriptor.removeFolder(name)
        }
    }

    private func giveBack(_ own: Name, as name: Name) {
        guard let folder = try? container.handedFolder() else { return }
        try? staging.folder.descriptor.rename(own, to: folder.descriptor, as: name)
    }

    /// The items of a list in `.valise/handed` are among the deleted, each that is what the list says still. The list stays.
    func takeBack(_ name: Name) throws(Errno) -> Outcome {
        let list: [UInt8]
        let handed: OpenFile
        do throws(Failure) { handed = try container.handedFolder() } catch { throw error.errno }
        list = try handed.descriptor.open(name, [.read, .nonBlocking]).readAll(limit: Self.longestList)
        // Of several that are called so, the later ones have numbers, as on a drive: each comes back beside the others.
        var shown: Set<[Name]> = []
        for line in list.split(separator: 0x0A) {
            guard let item = MadeItem(line: line), let stored = item.path.last else { continue }
            guard let stamp = item.stamp else {
                // A folder, where nothing is in it any more.
                try? container.documents.folder(at: item.path.dropLast()).descriptor.removeFolder(stored)
                continue
            }
            guard try container.stampOfMade(at: item.path) == stamp else { continue }
            let folder = try container.documents.folder(at: item.path.dropLast())
            let place = ItemPlace(folder: folder, path: item.path.dropLast(), stored: stored)
            guard let status = try folder.descriptor.statusIfThere(stored) else { continue }
            let kind: KindID, ownName: Name
            if let document = try staged.document(place, status) {
                (kind, ownName) = (document.kind, document.shown)
            } else {
                guard container.isFolderItem(stored, in: folder.descriptor) else { continue }
                (kind, ownName) = (.folder, stored)
            }
            let name = ShownName.unused(ownName) { shown.contains(place.path + [$0]) }
            shown.insert(place.path + [name])
            let address = Address(folder: folder, path: place.path, shown: name)
            if let away = try removal.putAway(stored, kind, from: address).away { _ = removal.moveToDeleted(away) }
        }
        return Outcome()
    }
}

/// An item that an import has made: where it is, and what its content was then. A folder has no content.
public struct MadeItem: Hashable, Sendable {
    public let path: [Name]
    public let stamp: BaseStamp?

    public init(path: [Name], stamp: BaseStamp?) { (self.path, self.stamp) = (path, stamp) }

    /// “215.1795303653.5 Links/Bookmark_Swift-1.5”, without an end of line; of a folder “- Links”.
    public var line: String { "\(stamp?.text ?? "-") \(path.map(Place.escaped).joined(separator: "/"))" }

    public init?(line: some Sequence<UInt8>) {
        let words = Array(line).split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        let text = String(decoding: words[0], as: UTF8.self)
        var path: [Name] = []
        for word in words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let name = Place.unescaped(word) else { return nil }
            path.append(name)
        }
        guard !path.isEmpty, !path.contains(where: Hidden.isState) else { return nil }
        if text == "-" { self.init(path: path, stamp: nil) } else {
            guard let stamp = BaseStamp(text: text) else { return nil }
            self.init(path: path, stamp: stamp)
        }
    }
}
