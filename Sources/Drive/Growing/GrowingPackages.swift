import Containers
import Coordination
import Dispatch
import Documents
import Glibc
import LinuxFiles
import Synchronization

/// Packages that programs make on the drive, file by file (`cp -r Cat.ptk`, `rsync`, `tar`): each grows beside its place, is shown as the folder that it is, and
/// becomes the document when it is whole. It is whole when it can be read as one of its kind, nothing in it is open for writing, and the programs that filled it have
/// ended; or nothing in it was changed for a while, since some programs never end; or a program synchronizes the folder; or the drive ends.
final class GrowingPackages: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let options: DriveOptions
    private let kernel: KernelMemory
    private let moves: MovesUnderWay
    private let places: Places
    private let folders: FolderContents
    private let changes: FolderChanges
    private let removed: AwayDocuments
    private let returned: ReturnedDocuments
    private let claims: ExternalClaims
    private let appSaves: AppSaves
    private let thinning: VersionThinning
    private let programs: FillingPrograms
    /// Somebody will look.
    private let isTimed = Atomic(false)
    private let hasEnded = Atomic(false)

    /// How often somebody looks whether programs have ended, as long as something grows.
    private static let pause = DispatchTimeInterval.milliseconds(250)
    /// How long a look waits for the kernel to say that a file is closed whose program has ended, in milliseconds.
    private static let closing: Int64 = 2000

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container, options: DriveOptions, kernel: KernelMemory,
        moves: MovesUnderWay, places: Places, folders: FolderContents, changes: FolderChanges, removed: AwayDocuments, returned: ReturnedDocuments,
        claims: ExternalClaims, appSaves: AppSaves, thinning: VersionThinning
    ) {
        (self.tree, self.coordinator, self.workshop, self.container, self.options) = (tree, coordinator, workshop, container, options)
        (self.kernel, self.moves, self.places, self.folders, self.changes) = (kernel, moves, places, folders, changes)
        (self.removed, self.returned, self.claims, self.appSaves, self.thinning) = (removed, returned, claims, appSaves, thinning)
        programs = FillingPrograms(options)
    }

    // MARK: Changes

    /// Runs a request that changes something in or of a node. In a package that grows, it is not settled meanwhile. In the folder as which a document's package
    /// is shown, the package begins to grow first, unless the request leaves all as it is. In no lane.
    func changing<Value>(
        _ node: NodeID, by caller: Caller, unlessSame isSame: (NodeNumber) throws(Errno) -> Value? = { _ in nil }, _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        while true {
            switch tree.beginChange(of: node, by: caller) {
            case .elsewhere: return try body()
            case .settling: usleep(1000)
            case .packageFolder(let folder):
                if let id = try? tree.known(node), let value = try isSame(id) { return value }
                try beginGrowing(folder, by: caller)
            case .growing(let folder, let isKnown):
                if !isKnown { tree.note(caller, of: programs.process(of: caller), filling: folder) }
                defer {
                    tree.endChange(filling: folder)
                    order()
                }
                return try body()
            }
        }
    }

    /// The same of two folders between which something is moved.
    func changing<Value>(_ first: NodeID, _ second: NodeID, by caller: Caller, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        guard first != second else { return try changing(first, by: caller, body) }
        return try changing(first, by: caller) { () throws(Errno) in try changing(second, by: caller, body) }
    }

    /// A document is not moved into its own package, as no folder is moved into itself.
    func checkMoving(_ name: Name, of folder: NodeID, into target: NodeID) throws(Errno) {
        guard folder != target, let from = try? tree.known(folder), let to = try? tree.known(target) else { return }
        if tree.withLock({ $0.isInPackage(ofDocument: name, in: from, to) }) { throw .invalid }
    }

    /// A folder was made that grows: by whom.
    func made(_ folder: NodeID, by caller: Caller) {
        guard let id = try? tree.known(folder), tree.growing(id) != nil else { return }
        tree.note(caller, of: programs.process(of: caller), filling: id)
        order()
    }

    /// The document's package gets a copy that grows, and this node is its folder from then on.
    private func beginGrowing(_ id: NodeNumber, by caller: Caller) throws(Errno) {
        guard let node = tree.namedNode(id) else { throw .stale }
        let workshop = try workshop.required()
        let isDone = try changes.changing(node.parent, for: caller) { (place) throws(Errno) in
            guard let document = tree.withLock({ $0.contains(id) && $0.isPackageFolder(id) && $0[id].parent == node.parent ? $0.node(stored: $0[id].stored, of: node.parent) : nil })
            else { return false }
            return try coordinator.write(LaneID(id), LaneID(document)) { () throws(Errno) in
                let path = tree.withLock { $0.storedPath(of: node.parent)?.names ?? [] }, before = try place.descriptor.status()
                let base = try container.contentStamp(at: path + [node.stored])
                try moves.during { () throws(Errno) in
                    let outcome = try removed.makingRoom { () throws(Errno) in
                        try workshop.commit(.copyToGrow(node.stored, in: tree.address(node.shown, in: node.parent, place)), unfit: .invalid)
                    }
                    let growing = try outcome.storedName(), status = try place.descriptor.status(of: growing)
                    tree.withLock { tree in
                        tree.beginGrowing(id, as: growing, since: base)
                        tree[id].inode = status.identity.number
                    }
                }
                keepTime(of: place, before)
                follow(id)
                return true
            }
        }
        // It went, or is something else.
        if !isDone, tree.namedNode(id)?.role != .folder { throw .stale }
        guard isDone else { return }
        kernel.tell([.content(node.parent)])
        kernel.echo([Echo(folder: NodeID(node.parent), name: node.shown, number: tree[id].inode, what: .came(.folder))])
    }

    /// What is known in a folder is what lies there by now. In its lane.
    private func follow(_ id: NodeNumber) {
        coordinator.checkWriting(LaneID(id))
        var changed: [KernelChange] = [.attributes(id)]
        for (folder, entries) in tree.known(below: id) {
            guard let place = try? places.place(of: folder) else { continue }
            for entry in entries {
                let status = try? place.descriptor.status(of: entry.stored)
                tree.withLock { tree in
                    guard tree.contains(entry.id) else { return }
                    if let status {
                        tree[entry.id].inode = status.identity.number
                        tree[entry.id].stamp = .unknown
                        changed.append(.attributes(entry.id))
                    } else {
                        tree.remove(entry.shown, of: folder)
                    }
                }
            }
        }
        kernel.tell(changed)
    }

    // MARK: Becoming the document

    /// Who asks for a folder's names finds what is whole by now. In no lane.
    func settle(in folder: NodeNumber, for caller: Caller) {
        guard workshop != nil else { return }
        // Who asks has not ended.
        let others = tree.growingPackages(in: folder) { $0.programs[caller.thread] == nil }
        if !others.isEmpty { settleDue(of: others, waitsForClosing: true) }
    }

    /// A folder was read, and perhaps one found in it that an earlier drive left.
    func found() { if tree.hasGrowingPackages { order() } }

    /// A program says that this folder is filled.
    func synchronized(_ id: NodeNumber) {
        if tree.growing(id) != nil { settle(id) }
    }

    /// The drive ends.
    func settleAll() {
        hasEnded.store(true, ordering: .relaxed)
        for id in tree.allGrowingPackages() { settle(id) }
    }

    /// Those that nobody will change any more, as far as that can be known.
    private func settleDue(of all: [(id: NodeNumber, package: GrowingPackage)], waitsForClosing: Bool = false) {
        // Most are filled by one program, which is asked for once.
        var ended: [Set<Int32>: Bool] = [:]
        for (id, package) in all {
            let processes = Set(package.programs.values)
            let haveEnded = ended[processes] ?? programs.haveEnded(processes)
            ended[processes] = haveEnded
            guard haveEnded && !package.isOrdinary || isOver(package) else { continue }
            // The kernel says a little later than the program ends that its files are closed.
            let end = Monotonic.milliseconds + (waitsForClosing && haveEnded ? Self.closing : 0)
            while tree.growing(id)?.isOpen == true, Monotonic.milliseconds < end { usleep(1000) }
            settle(id)
        }
    }

    private func isOver(_ package: GrowingPackage) -> Bool {
        Monotonic.milliseconds - package.changed >= options.growingPatience
    }

    /// Unless something is open in it.
    private func settle(_ id: NodeNumber) {
        HeldLanes.checkNone()
        guard workshop != nil, let node = tree.namedNode(id), let stored = GrowingName.package(in: node.stored) else { return }
        let document = tree.withLock { $0.node(stored: stored, of: node.parent) }
        // Another program may be writing it. It is looked at again, and the last look waits for nobody.
        if let document, !hasEnded.load(ordering: .relaxed), claims.isClaimedByOthers(document) { return order() }
        guard tree.beginSettling(id) else { return }
        var reason: String?
        defer { tree.endSettling(id, reason) }
        let use = claims.askPresenters(of: document, for: .writing, by: nil)
        defer { use?.end() }
        do throws(Errno) {
            try changes.changing(node.parent) { (place) throws(Errno) in
                guard tree.namedNode(id)?.stored == node.stored, tree[id].parent == node.parent else { return }
                reason = try settle(id, node, as: stored, in: place)
            }
        } catch { reason = Self.sentence(for: error) }
        thinning.order()
    }

    /// Why it stays a folder; nil where it is the document.
    private func settle(_ id: NodeNumber, _ node: Node, as stored: Name, in place: OpenFile) throws(Errno) -> String? {
        let folder = node.parent
        coordinator.checkWriting(LaneID(folder))
        let before = try place.descriptor.status()
        guard let kind = container.reader.candidate(for: stored, isFolder: true) else { return "no kind of documents has packages of this name" }
        do throws(DocumentFault) { _ = try container.reader.open(node.stored, as: kind, in: place.descriptor, called: stored) } catch {
            guard case .foreign = error else { return ItemReader.sentence(of: error) }
            tree.noteOrdinary(id)
            let isDue = hasEnded.load(ordering: .relaxed) || tree.growing(id).map { isOver($0.package) } == true
            guard isDue, try !place.descriptor.exists(stored) else { return ItemReader.sentence(of: error) }
            try becomeFolder(id, node, as: stored, in: place)
            keepTime(of: place, before)
            return nil
        }
        try bringBack(stored, kind, in: folder, place)
        let address = tree.address(node.shown, in: folder, place)
        if let document = tree.withLock({ $0.node(stored: stored, of: folder) }) {
            try coordinator.write(LaneID(id), LaneID(document)) { () throws(Errno) in
                let outcome = try commit(kind, stored, address, id)
                // Where its program looks again, it is to find what it wrote.
                if !outcome.isUnchanged { appSaves.follow(document, stored, in: place, makesThumbnail: false) }
            }
        } else {
            try coordinator.write(LaneID(id)) { () throws(Errno) in _ = try commit(kind, stored, address, id) }
            returned.rejoinPackage(stored, in: folder, place)
        }
        keepTime(of: place, before)
        try folders.lookAgain(at: stored, in: folder, place)
        kernel.tell([.content(folder)] + (kind.kind.flat != nil ? [.entry(node.shown, in: folder)] : []))
        kernel.echo([Echo(folder: NodeID(folder), name: node.shown, number: node.inode, what: .went(isFolder: true))])
        return nil
    }

    /// A person's own folder may have the extension of a package. It gets its name.
    private func becomeFolder(_ id: NodeNumber, _ node: Node, as stored: Name, in place: OpenFile) throws(Errno) {
        coordinator.checkWriting(LaneID(node.parent))
        let address = tree.address(node.shown, in: node.parent, place)
        try coordinator.write(LaneID(id)) { () throws(Errno) in
            try moves.during { () throws(Errno) in
                let change = Change.move(node.stored, from: address, to: address, as: stored)
                try workshop.required().commit(change, unfit: .invalid)
                tree.withLock { $0.endGrowing(id, asFolder: stored) }
            }
        }
        kernel.tell([.attributes(id)])
    }

    /// Programs set a folder's time when they have filled it (`rsync`, `tar`), and that names change in it afterwards is not their doing.
    private func keepTime(of place: OpenFile, _ before: FileStatus) { try? place.descriptor.setTimes(accessed: nil, modified: .at(before.modified)) }

    /// A document that went away a moment ago, and whose package comes, is the same document.
    private func bringBack(_ stored: Name, _ kind: KindID, in folder: NodeNumber, _ place: OpenFile) throws(Errno) {
        guard let (away, shown) = removed.take(stored: stored, kind, in: folder) else { return }
        do throws(Errno) {
            try workshop.required().commit(.putBack(away, at: tree.address(shown, in: folder, place), with: nil), unfit: .invalid)
        } catch {
            removed.rememberAgain(away, as: shown, in: folder)
            throw error
        }
        try folders.lookAgain(at: stored, in: folder, place)
    }

    /// In the lanes of both.
    private func commit(_ kind: KindID, _ stored: Name, _ address: Address, _ id: NodeNumber) throws(Errno) -> Outcome {
        coordinator.checkWriting(LaneID(id))
        let workshop = try workshop.required(), base = tree.growing(id)?.package.base
        defer { follow(id) }
        return try moves.during { () throws(Errno) in
            let outcome = try removed.makingRoom { () throws(Errno) in
                try workshop.commit(.placeGrown(kind, as: stored, since: base, in: address), unfit: .invalid)
            }
            let status = try address.folder.descriptor.status(of: stored)
            tree.withLock { tree in
                tree.endGrowing(id, as: stored, status.identity.number)
                // A flat file has that name itself.
                if kind.kind.flat != nil { tree.remove(address.shown, of: tree[id].parent) }
            }
            return outcome
        }
    }

    private static func sentence(for error: Errno) -> String {
        switch error {
        case .stale: "another program has changed the document meanwhile, and no versions are kept on this drive; give the folder another name"
        case .exists, .isDirectory, .notDirectory: "something else has its name in the container; give the folder another name"
        default: "it cannot be put in its place: \(error)"
        }
    }

    // MARK: When

    /// Somebody looks again and again, as long as something may become whole by itself.
    func order() {
        guard workshop != nil, !hasEnded.load(ordering: .relaxed), !isTimed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.look() }
    }

    private func look() {
        isTimed.store(false, ordering: .sequentiallyConsistent)
        guard !hasEnded.load(ordering: .relaxed) else { return }
        settleDue(of: tree.growingPackages())
        if !tree.growingPackages().isEmpty { order() }
    }
}
