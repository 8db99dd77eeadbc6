import Hashes

/// Something that a device said, once and for ever. Whoever has the same facts sees the same (`View`), in whatever order and however
/// often they came.
public struct Fact: Hashable, Sendable {
    public let id: FactID
    /// In microseconds where a clock had a say. It orders what nobody ordered: what is after what, parents say.
    public let rank: Int64
    public let device: DeviceID
    public let statement: Statement

    public enum Statement: Hashable, Sendable {
        case version(Version)
        case place(Location)
        /// Two items that were made apart are one.
        case same(ItemID, ItemID)
        case key(Key)
        case kind(AddedKind)
        /// What the device that says it is called.
        case name([UInt8])
    }

    public init(id: FactID, rank: Int64, device: DeviceID, _ statement: Statement) {
        (self.id, self.rank, self.device) = (id, rank, device)
        // Two are the same two whoever is named first.
        if case .same(let one, let other) = statement, other < one { self.statement = .same(other, one) } else { self.statement = statement }
    }

    /// An id is of one fact only.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// What orders two registers, and two versions of which none is after the other.
    public var order: Order { Order(rank: rank, id: id) }

    public struct Order: Hashable, Comparable, Sendable {
        public let rank: Int64
        public let id: FactID
        public init(rank: Int64, id: FactID) { (self.rank, self.id) = (rank, id) }
        public static func < (left: Order, right: Order) -> Bool { left.rank == right.rank ? left.id < right.id : left.rank < right.rank }
    }
}

/// The content of an item at a time, or that it is deleted.
public struct Version: Hashable, Sendable {
    public let item: ItemID
    /// What the kind calls its content, so that a new thumbnail is no edit. Nil: the item is deleted. That of a folder is of no bytes.
    public let digest: Digest?
    /// The versions that it replaces, in order and each once.
    public let parents: [FactID]
    /// Nil once it is replaced: what a version was made of is kept for as long as somebody may need it.
    public var body: Body? {
        get { boxed?.body }
        set { boxed = newValue.map(Box.init) }
    }
    /// Apart, because most of what is kept for long is replaced and has none.
    private var boxed: Box?

    private final class Box: Hashable, Sendable {
        let body: Body
        init(_ body: Body) { self.body = body }
        static func == (left: Box, right: Box) -> Bool { left === right || left.body == right.body }
        func hash(into hasher: inout Hasher) { body.hash(into: &hasher) }
    }

    public init(of item: ItemID, digest: Digest?, parents: some Sequence<FactID>, body: Body? = nil) {
        let parents = Array(parents)
        (self.item, self.digest) = (item, digest)
        self.parents = zip(parents, parents.dropFirst()).allSatisfy(<) ? parents : Set(parents).sorted()
        self.body = body
    }

    public struct Body: Hashable, Sendable {
        public let size: UInt64
        /// In microseconds since 1970.
        public let time: Int64
        /// The computer's name.
        public let computer: [UInt8]
        /// By the bytes of their paths.
        public let parts: [Part]

        public init(size: UInt64, time: Int64, computer: [UInt8], parts: [Part]) {
            (self.size, self.time, self.computer) = (size, time, computer)
            func precedes(_ one: Part, _ other: Part) -> Bool { one.path.lexicographicallyPrecedes(other.path) }
            self.parts = zip(parts, parts.dropFirst()).allSatisfy(precedes) ? parts : parts.sorted(by: precedes)
        }
    }

    /// One of the things that a package is made of; of what is a single file, the one without a path.
    public struct Part: Hashable, Sendable {
        /// From the package's folder on, without a slash at either end.
        public let path: [UInt8]
        public let content: Content

        /// Small content travels with the fact, larger content as files that are called after their digests, in their order.
        public enum Content: Hashable, Sendable {
            case here([UInt8])
            case elsewhere([Digest])
            case folder
            /// A symbolic link to this.
            case link([UInt8])
        }

        public init(path: [UInt8], _ content: Content) { (self.path, self.content) = (path, content) }
    }

    /// What its parts lie in, beside the fact.
    public var contents: [Digest] {
        (body?.parts ?? []).flatMap { part -> [Digest] in
            if case .elsewhere(let digests) = part.content { digests } else { [] }
        }
    }
}

/// Where an item is.
public struct Location: Hashable, Sendable {
    public enum Kind: UInt8, Sendable {
        case document, plain, folder, link

        /// Whether one item can be this and be that later: a folder, a link and a file are each another thing.
        func isLike(_ other: Kind) -> Bool {
            switch self {
            case .folder, .link: other == self
            case .document, .plain: other == .document || other == .plain
            }
        }
    }

    public let item: ItemID
    /// Nil: the top.
    public let folder: ItemID?
    public let name: ItemName
    public let kind: Kind
    public let mode: UInt16
    /// The folder that it came from, where it goes back to if it went into itself.
    public let former: ItemID?
    /// Who may read, write and run it. What would run it as another user never travels. Nil: who said this could not know.
    public var permissions: UInt16? { mode & Self.permissionBits == 0 ? nil : mode & Self.permissionBits }

    public static let permissionBits: UInt16 = 0o777

    public init(of item: ItemID, folder: ItemID?, name: ItemName, kind: Kind, mode: UInt16 = 0, former: ItemID?) {
        (self.item, self.folder, self.name, self.kind, self.mode, self.former) = (item, folder, name, kind, mode, former)
    }
}

/// A value of the key-value store, or that it was removed.
public struct Key: Hashable, Sendable {
    public let key: [UInt8]
    public let value: [UInt8]?

    public init(_ key: [UInt8], value: [UInt8]?) { (self.key, self.value) = (key, value) }
}
