import Catalog
import Containers
import Foundation
import LinuxFiles
import Predicates

/// One place of a query, looked through and followed by a thread of its own: a catalog is one thread's.
final class MetadataSearch: Sendable {
    /// What is a result of the query, by where it lies. There may be very many, so nothing of it is kept besides.
    struct Key: Hashable, Sendable {
        /// The same one for all that one place has.
        let container: Container
        let found: FoundItem

        static func == (one: Key, other: Key) -> Bool {
            one.found.item.stored == other.found.item.stored && one.found.scope == other.found.scope && one.found.folder == other.found.folder
                && (one.container === other.container || one.container.path == other.container.path)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(found.item.stored)
            hasher.combine(found.folder)
            hasher.combine(found.scope)
        }

        func precedes(_ other: Key) -> Bool {
            found.folder == other.found.folder ? found.item.stored < other.found.item.stored : found.folder.lexicographicallyPrecedes(other.found.folder)
        }
    }

    enum News: Sendable {
        /// It is a result, and so.
        case there(Key, NSMetadataItem.Facts)
        case gone(Key)
        case gathered
        case failed(String)
    }

    /// What is looked for. What the catalog does not understand is asked of each item.
    struct Wanted: Sendable {
        let predicate: Predicates.Predicate
        let holds: (@Sendable (NSMetadataItem) -> Bool)?
    }

    private struct State {
        var isStopped = false
        var interruption: (@Sendable () -> Void)?
    }

    private let place: SearchedPlace
    private let scopes: Set<CatalogScope>
    private let wanted: Wanted
    private let state = Locked(State())

    init(_ place: SearchedPlace, _ scopes: Set<CatalogScope>, _ wanted: Wanted) {
        (self.place, self.scopes, self.wanted) = (place, scopes, wanted)
    }

    func start(_ tell: @escaping @Sendable ([News]) -> Void) {
        BackgroundThread.start { [self] in
            var hasGathered = false
            do throws(Failure) { try run(tell) { hasGathered = true } } catch {
                tell([.failed(error.sentence)])
                // Whoever waits for the end of gathering is told of it once.
                if !hasGathered { tell([.gathered]) }
            }
        }
    }

    func stop() {
        let interruption = state.withLock { state in
            state.isStopped = true
            return state.interruption
        }
        interruption?()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func run(_ tell: @escaping ([News]) -> Void, gathered: () -> Void) throws(Failure) {
        let container = try Container.open(place.container, access: .read, creating: [], kinds: ContentTypeTable.kinds(askedFor: wanted.predicate.askedExtensions))
        // Its own, and not the one in the user's cache: what another process writes down there first is no news to this one.
        let catalog = try Catalog(of: container, in: .memory)
        catalog.isForOneQuery = true
        catalog.readsTexts = wanted.predicate.attributes.contains(.text)
        // The program itself has something to do meanwhile, a window to be drawn say.
        catalog.isHurried = false
        defer { catalog.close() }
        var query = CatalogQuery(wanted.predicate)
        query.scopes = scopes
        query.folder = place.names
        let drive = place.drive
        query.pathOf = { [self] in Array(facts(of: $0, container, drive).path.utf8) }
        let live = try LiveQuery(query, in: catalog)
        let isStopped = state.withLock { state in
            state.interruption = live.interruption
            return state.isStopped
        }
        guard !isStopped else { return }
        try live.gatherEarly({ [self] in tell([news(of: $0, container, drive)]) }, gone: { tell([.gone(Key(container: container, found: $0))]) })
        gathered()
        tell([.gathered])
        // What was read is not needed any more, and was much perhaps.
        Memory.returnFree()
        while !self.isStopped {
            let update = try live.next(milliseconds: 60_000)
            // Together: what has gone from one place and come to another is one item.
            tell(update.removed.map { .gone(Key(container: container, found: $0)) } + (update.changed + update.added).map { news(of: $0, container, drive) })
        }
        live.stop()
    }

    private func news(of item: FoundItem, _ container: Container, _ drive: MountedDrives.Drive?) -> News {
        let facts = facts(of: item, container, drive)
        let key = Key(container: container, found: item)
        return wanted.holds?(NSMetadataItem(facts)) ?? true ? .there(key, facts) : .gone(key)
    }

    private func facts(of item: FoundItem, _ container: Container, _ drive: MountedDrives.Drive?) -> NSMetadataItem.Facts {
        NSMetadataItem.Facts(item, container, named: drive.map { path(of: item, on: $0) })
    }

    /// As the place was named.
    private func path(of item: FoundItem, on drive: MountedDrives.Drive) -> String {
        let folder = item.folder.map(\.text), stored = item.item.stored.text
        guard item.scope == .documents else { return ([drive.mountpoint, ".valise", "originals"] + folder + [stored]).joined(separator: "/") }
        return ([drive.mountpoint] + folder + [(drive.shownName(of: item.item.stored, in: item.folder, expected: item.item.shown) ?? item.item.shown).text]).joined(separator: "/")
    }
}
