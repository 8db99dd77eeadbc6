import Containers
import LinuxFiles

/// Reads and writes items of a container while nobody else does, whichever process that is: a drive, a backup, another
/// program that coordinates. What `NSFileCoordinator` is to an app's documents, for containers on Linux.
///
///     let coordinator = try FileCoordinator("/home/ann/Bookmarks")
///     try coordinator.coordinate(writing: "Holiday/Cat.ptk") { item in
///         try rewrite(item.path)
///     }
///
/// Items are named by their paths in the documents' folder. A package is one item, whatever is named inside it.
/// Readers run side by side, a writer runs alone, both in the order in which they came. Where a drive has the item open, it
/// saves before the block runs, and looks at the item anew after. The block gets the item's place, which is another one
/// than asked for if it was moved while the call waited.
///
/// Calls may come from any thread and wait there. A call inside a block of another one can wait for itself: to use two
/// items, claim both at once. One that would wait for a claim that the same thread has throws instead.
///
/// If nobody serves the container, this process does, until a drive is mounted there for writing or this object is gone. A claim that
/// was granted goes on at whoever serves next. A process that ends, however it ends, gives up its claims at once.
public final class FileCoordinator: Sendable {
    let desk: Locked<CoordinatorDesk>
    /// As it was opened last: where its documents are may be another folder later.
    var container: Container { desk.withLock { $0.container } }
    /// By whom its claims are made, where that is somebody who presents an item.
    let presenter: UInt64?
    let presentations: ItemPresentations
    let waits: ReconnectionWaits

    /// Throws where there is no such container. Nothing is claimed yet.
    public convenience init(_ container: String) throws(Failure) { try self.init(container, ReconnectionWaits()) }

    convenience init(_ container: String, _ waits: ReconnectionWaits) throws(Failure) {
        self.init(try Container.open(container, access: .readWrite, creating: [], kinds: PersonsKinds.own.registry), as: nil, waits)
    }

    /// For the claims of whoever presents an item, who is not asked before they are granted.
    public convenience init(as presentation: FilePresentation) throws(Failure) {
        self.init(try Container.open(presentation.container, access: .readWrite, creating: [], kinds: PersonsKinds.own.registry), as: presentation.name, ReconnectionWaits())
    }

    private init(_ container: Container, as presenter: UInt64?, _ waits: ReconnectionWaits) {
        desk = Locked(CoordinatorDesk(container: container), .coordinatorDesk)
        (self.presenter, self.waits) = (presenter, waits)
        presentations = ItemPresentations()
    }

    deinit {
        presentations.end()
        close()
        desk.withLock { $0.ends }?.stop()
    }

    /// From now on until `withdraw`, or until this object is gone, this item is presented: before others read or write it, whichever
    /// process they are in, `presenter` is asked. A folder is presented with all that is in it. Throws `ENOTSUP` where whoever serves
    /// the container is an older Valise, which asks nobody.
    public func present(_ item: String, by presenter: any FilePresenter) throws(Failure) -> FilePresentation {
        guard let path = ItemPath(text: item) else { throw Failure(.invalid, "“\(item)” is no item of a container: name it by its path in the documents' folder") }
        return try presentations.add(path, presenter, in: self)
    }

    /// Runs `body` while nobody writes the item.
    public func coordinate<Value>(
        reading item: String, for purpose: ClaimPurpose = .reading, timeout: Duration? = nil, throughDrive: Bool = false, _ body: (CoordinatedItem) throws -> Value
    ) throws -> Value {
        try coordinate([(item, purpose)], timeout, throughDrive) { try body($0[0]) }
    }

    /// Runs `body` with a copy of the item and all that is in it, made while nobody writes there. Writers do not wait
    /// until the copy has been sent somewhere.
    public func coordinate<Value>(uploading item: String, timeout: Duration? = nil, _ body: (CoordinatedItem) throws -> Value) throws -> Value {
        var snapshot: SnapshotCopy?
        let held: CoordinatedItem = try coordinate([(item, .readingAll)], timeout, false) { items in
            let copy = try SnapshotCopy(of: items[0].path, in: container)
            snapshot = copy
            return CoordinatedItem(path: items[0].path, container: container, held: nil, index: 0, copy: copy.path)
        }
        defer { withExtendedLifetime(snapshot) {} }
        return try body(held)
    }

    /// Runs `body` while nobody else reads or writes the item.
    public func coordinate<Value>(
        writing item: String, for purpose: ClaimPurpose = .writing, timeout: Duration? = nil, throughDrive: Bool = false, _ body: (CoordinatedItem) throws -> Value
    ) throws -> Value {
        try coordinate([(item, purpose)], timeout, throughDrive) { try body($0[0]) }
    }

    /// Runs `body` while nobody writes the first and nobody else uses the second.
    public func coordinate<Value>(
        reading first: String, for firstPurpose: ClaimPurpose = .reading, writing second: String, for secondPurpose: ClaimPurpose = .writing,
        timeout: Duration? = nil, _ body: (CoordinatedItem, CoordinatedItem) throws -> Value
    ) throws -> Value {
        try coordinate([(first, firstPurpose), (second, secondPurpose)], timeout, false) { try body($0[0], $0[1]) }
    }

    /// Runs `body` while nobody else uses either item: for moving one to the other's place, say.
    public func coordinate<Value>(
        writing first: String, for firstPurpose: ClaimPurpose = .writing, writing second: String, for secondPurpose: ClaimPurpose = .writing,
        timeout: Duration? = nil, _ body: (CoordinatedItem, CoordinatedItem) throws -> Value
    ) throws -> Value {
        try coordinate([(first, firstPurpose), (second, secondPurpose)], timeout, false) { try body($0[0], $0[1]) }
    }

    /// Ends every call that waits still, with “Operation canceled”. Blocks that run go on.
    public func cancel() {
        let waiting = desk.withLock { desk in
            desk.cancellations += 1
            return Array(desk.waiting.values)
        }
        for connection in waiting { connection.shutDown() }
    }

    private func coordinate<Value>(
        _ asked: [(item: String, purpose: ClaimPurpose)], _ timeout: Duration?, _ throughDrive: Bool, _ body: ([CoordinatedItem]) throws -> Value
    ) throws -> Value {
        var items: [ClaimedItem] = []
        for (item, purpose) in asked {
            guard let path = ItemPath(text: item) else { throw Failure(.invalid, "“\(item)” is no item of a container: name it by its path in the documents' folder") }
            items.append(ClaimedItem(path, purpose))
        }
        let held = try claim(items, timeout, throughDrive: throughDrive)
        defer { give(held) }
        return try body(held.items.enumerated().map { CoordinatedItem(path: $1.path, container: container, held: held, index: $0, copy: nil) })
    }
}

/// An item as a block of `FileCoordinator` gets it.
public struct CoordinatedItem: Sendable {
    /// Its place in the container now.
    public let path: ItemPath
    let container: Container
    let held: HeldClaim?
    /// Which of the claim's items it is.
    let index: Int
    let copy: String?

    /// The absolute path of its file or folder; for uploading, of a copy that is gone after the block.
    public var place: String {
        if let copy { return copy }
        let documents = (try? AbsolutePath.of(container.documents.descriptor)) ?? container.path
        return path.names.isEmpty ? documents : documents + "/" + String(decoding: path.bytes, as: UTF8.self)
    }

    /// Tells those who wait for the item that it has been moved, so that they get its new place: a path in the documents'
    /// folder. For blocks that write.
    public func didMove(to new: String) {
        guard let to = ItemPath(text: new) else { return }
        moved(from: path, to: to)
    }

    /// Tells those who present something in the item, or the item itself, that it was moved out of the container, to this absolute path.
    package func left(from old: ItemPath, to place: String) {
        guard let held, held.items[index].purpose.isWriting, old.isInside(path) else { return }
        held.left(from: old, to: place)
    }

    /// The same of something in the item.
    package func moved(from old: ItemPath, to new: ItemPath) {
        guard let held, held.items[index].purpose.isWriting, old.isInside(path) else { return }
        held.moved(from: old, to: new)
    }
}

extension ItemPath {
    init?(text: String) {
        var text = Substring(text)
        while text.hasSuffix("/") { text.removeLast() }
        self.init(bytes: Array(text.utf8)[...])
    }
}
