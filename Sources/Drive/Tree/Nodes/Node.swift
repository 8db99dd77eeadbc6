import Containers
import LinuxFiles

/// What a node of the tree is.
enum Role: UInt8, Sendable {
    case folder, plain, document
    /// The control folder, `/.valise`, and what is in it.
    case control, status
    /// The container as it is on disk, under `/.valise/originals`.
    case originalFolder, original
    /// The package of a document as it lies in the container, under the stored name, and what is in it. See `NodeTable+Growing.swift`.
    case packageFolder, packagePart
    /// What documents were, under `/.valise/versions`.
    case versionFolder, version
    /// What was deleted, under `/.valise/deleted`.
    case deletedFolder, deleted
    /// A folder of the control folder with a namespace of its own: see `ControlNamespaces.swift`.
    case controlNamespace

    var isFolder: Bool {
        self == .folder || self == .control || self == .originalFolder || self == .packageFolder || isRemadeFolder || self == .controlNamespace
    }
    /// Whether what is in such a folder is shown as it lies there, and all of it listed.
    var showsOriginals: Bool { self == .originalFolder || self == .packageFolder }
    /// Whether it is a folder whose entries are found anew each time, and that lies nowhere.
    var isRemadeFolder: Bool { self == .versionFolder || self == .deletedFolder }
    /// Whether it can never be changed, whoever asks.
    var isFixed: Bool { self != .folder && self != .plain && self != .document }
}

/// One entry of the tree. There are very many, so it holds what must be remembered and nothing that
/// the container can be asked for.
struct Node {
    /// What has no name is called.
    static let noName = Name(constant: "-")

    /// The number of its inode in the container, to notice that it was replaced.
    var inode: UInt64
    /// The state of it that was seen last. What the kernel has cached of it belongs to this state, or it was told that it does not.
    var stamp: ContentStamp
    /// What the kernel has cached of whose it is, and of what that one may.
    var cachedAccess = CachedAccess.nothing
    var parent: NodeNumber
    /// Counts the nodes that had this number.
    var generation: UInt32
    /// How often the kernel was told of it and has not forgotten it.
    var lookups: UInt32
    /// How many handles it has.
    var handles: UInt32 = 0
    var names: NodeNames
    // The bytes first: they lie behind the names where something else would leave a gap.
    var role: Role
    /// Where the kind of a document stands in the registry: see `NodeTable.kind(of:)`.
    var kind: UInt8
    var flags: NodeFlags
    /// The number of its watch, where it is a folder or a package and watched; or 0.
    var watch: Int32 = 0

    init(
        parent: NodeNumber, generation: UInt32, lookups: UInt32 = 0, stored: Name, shown: Name, inode: UInt64, stamp: ContentStamp, role: Role,
        kind: UInt8 = 0, flags: NodeFlags = []
    ) {
        (self.parent, self.generation, self.lookups) = (parent, generation, lookups)
        names = NodeNames(stored: stored, shown: shown)
        (self.inode, self.stamp, self.role, self.kind, self.flags) = (inode, stamp, role, kind, flags)
    }

    /// Its name in the container's folder, and the one that is shown.
    var stored: Name {
        get { names.stored }
        set { names = NodeNames(stored: newValue, shown: shown) }
    }
    var shown: Name {
        get { names.shown }
        set { names = NodeNames(stored: stored, shown: newValue) }
    }
    /// A plain file that the drive found: it stays one, whatever is written into it.
    var isFoundPlain: Bool { role == .plain && !flags.contains(.isNew) }
    /// A version of another document, as a sync tool left it.
    var isHiddenCopy: Bool { role != .document && flags.contains(.unlisted) && Container.copiedItem(by: stored) != nil }
}

extension Node {
    /// A new document that is a draft only.
    init(unborn name: Name, in folder: NodeNumber, inode: UInt64, _ kind: KindID) {
        self.init(
            parent: folder, generation: 0, stored: name, shown: name, inode: inode, stamp: .unknown, role: .document, kind: kind.place, flags: .isNew)
        become(.unborn)
    }
}

extension Node {
    /// As far as the node alone says it: whether a document has a draft is asked of the tree.
    var state: NodeState {
        if parent == .none { return .vacant }
        if isNameless { return .nameless }
        if isUnborn { return .unborn }
        return role == .document ? .document : .file
    }

    /// Its name is gone.
    var isNameless: Bool { flags.contains(.nameless) }
    /// It has its name, and no item in the container has.
    var isUnborn: Bool { flags.contains(.unborn) }
    /// An item in the container has its name.
    var hasItem: Bool { flags.isDisjoint(with: [.nameless, .unborn]) }

    /// For the tree, which knows what may follow what: see `NodeTable.become`.
    mutating func become(_ state: NodeState) {
        flags.subtract([.nameless, .unborn])
        switch state {
        case .vacant: (parent, flags) = (.none, [])
        case .file: if role == .document { role = .plain }
        case .document, .drafted: role = .document
        case .unborn: flags.insert(.unborn)
        case .nameless: flags.insert(.nameless)
        }
    }
}

struct NodeFlags: OptionSet {
    let rawValue: UInt8
    /// Found by name, not listed.
    static let unlisted = NodeFlags(rawValue: 1)
    /// Something is written about it in the table of faults.
    static let faulty = NodeFlags(rawValue: 4)
    /// One more name of another node.
    static let alias = NodeFlags(rawValue: 16)
    /// Its file has, or had, more names than one.
    static let linked = NodeFlags(rawValue: 32)
    /// A plain file that went, and has a name where deleted items are kept.
    static let kept = NodeFlags(rawValue: 64)
    /// It got its name on this drive, and no plain file that was found had it: what is written into it may make it a document. See `PlainNames`.
    static let isNew = NodeFlags(rawValue: 128)
    // What is left of its `NodeState`; in here because there is no room for a byte more.
    fileprivate static let nameless = NodeFlags(rawValue: 2), unborn = NodeFlags(rawValue: 8)
}

/// A number that changes when a file does: the upper part with its size, its inode and its modification time, which change when
/// its content does, the lower with its change time, which changes with its attributes too.
///
/// Of a node's last state it says, too, whether the kernel was told of another content a moment ago, and may have pages of
/// the one before until it has heard that. That is no difference between two states.
struct ContentStamp: Hashable, Sendable {
    private let rawValue: UInt64

    static let unknown = ContentStamp(rawValue: 0)

    private init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ status: FileStatus) {
        let content = Self.mixed([UInt64(bitPattern: status.size), status.identity.number] + Self.parts(of: status.modified))
        let attributes = Self.mixed(Self.parts(of: status.changed) + [UInt64(status.mode), UInt64(status.links)])
        rawValue = content & ~0xFF_FFFF | (attributes >> 40) & ~Self.oldPages | 1
    }

    private static let oldPages: UInt64 = 2

    var mayHaveOldPages: Bool { rawValue & Self.oldPages != 0 }
    var withOldPages: ContentStamp { ContentStamp(rawValue: rawValue | Self.oldPages) }

    static func == (left: Self, right: Self) -> Bool { (left.rawValue ^ right.rawValue) & ~oldPages == 0 }
    func hash(into hasher: inout Hasher) { hasher.combine(rawValue & ~Self.oldPages) }

    /// Whether two states differ in their attributes at the most, unless somebody has set a time back.
    func hasContent(of other: ContentStamp) -> Bool { (rawValue ^ other.rawValue) & ~0xFF_FFFF == 0 }

    private static func parts(of time: Timestamp) -> [UInt64] { [UInt64(bitPattern: time.seconds), UInt64(UInt32(bitPattern: time.nanoseconds))] }

    private static func mixed(_ parts: [UInt64]) -> UInt64 {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            value = (value ^ part) &* 0x9E37_79B9_7F4A_7C15
            value ^= value >> 29
        }
        return value &* 0x9E37_79B9_7F4A_7C15
    }
}

/// The names of a node, in the container's folder and as it is shown, in as little memory as may be: there are very many, and
/// mostly the one is the other with another extension.
///
/// Its bytes are the length of the stored name, how much of that the shown one begins with, the stored name, and the rest of the
/// shown one. They lie in the node itself where they are few.
struct NodeNames {
    private enum Form {
        /// Filled up with zeros, which no name has.
        case short(UInt64, UInt64, UInt64)
        case long([UInt8])
    }

    private let form: Form
    private static let head = 2, room = 24

    init(stored: Name, shown: Name) {
        let (stored, shown) = (stored.bytes, shown.bytes)
        var shared = 0
        while shared < min(stored.count, shown.count), stored[shared] == shown[shared] { shared += 1 }
        let count = Self.head + stored.count + shown.count - shared
        if count > Self.room {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            bytes += [UInt8(stored.count), UInt8(shared)]
            bytes += stored
            bytes += shown[shared...]
            form = .long(bytes)
        } else {
            var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
            // SAFETY: there is room for all of them, as was just found.
            unsafe withUnsafeMutableBytes(of: &words) { bytes in
                unsafe bytes[0] = UInt8(stored.count)
                unsafe bytes[1] = UInt8(shared)
                for (index, byte) in stored.enumerated() { unsafe bytes[Self.head + index] = byte }
                for index in shared..<shown.count { unsafe bytes[Self.head + stored.count + index - shared] = shown[index] }
            }
            form = .short(words.0, words.1, words.2)
        }
    }

    // SAFETY: nothing keeps the bytes that it is given.
    var stored: Name { unsafe withStored(Self.name) }
    var shown: Name { unsafe withShown(Self.name) }

    func isStored(_ name: Name) -> Bool { unsafe withStored { unsafe Self.isSame($0, name.bytes) } }
    func isShown(_ name: Name) -> Bool { unsafe withShown { unsafe Self.isSame($0, name.bytes) } }

    var storedHash: Int { unsafe withStored { unsafe nameHash($0) } }
    var shownHash: Int { unsafe withShown { unsafe nameHash($0) } }

    /// What was made of a name is one.
    private static func name(_ bytes: UnsafeRawBufferPointer) -> Name { unsafe Name(Array(bytes)) ?? Node.noName }

    private static func isSame(_ bytes: UnsafeRawBufferPointer, _ others: [UInt8]) -> Bool {
        guard bytes.count == others.count else { return false }
        for index in others.indices where unsafe bytes[index] != others[index] { return false }
        return true
    }

    @inline(__always)
    private func withStored<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        // SAFETY: the bytes live through the call, and the first tells how many of them are the name.
        unsafe withBytes { bytes in
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[Self.head..<(Self.head + Int(bytes[0]))]))
        }
    }

    @inline(__always)
    private func withShown<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        // SAFETY: the bytes live through the call, and so does the copy, which has room for all of them.
        unsafe withBytes { bytes in
            let stored = unsafe Int(bytes[0]), shared = unsafe Int(bytes[1]), rest = Self.head + stored
            var end = bytes.count
            while end > rest, unsafe bytes[end - 1] == 0 { end -= 1 }
            if shared == stored, end == rest { return unsafe body(UnsafeRawBufferPointer(rebasing: bytes[Self.head..<rest])) }
            return unsafe withUnsafeTemporaryAllocation(byteCount: shared + end - rest, alignment: 1) { copy in
                unsafe copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Self.head..<(Self.head + shared)]))
                unsafe UnsafeMutableRawBufferPointer(rebasing: copy[shared...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[rest..<end]))
                return unsafe body(UnsafeRawBufferPointer(copy))
            }
        }
    }

    @inline(__always)
    private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        switch form {
        // SAFETY: the words and the array live through the call.
        case .short(let first, let second, let third): unsafe withUnsafeBytes(of: (first, second, third), body)
        case .long(let bytes): unsafe bytes.withUnsafeBytes(body)
        }
    }
}

/// Some of the nodes, with one bit for each: there are very many nodes, and `NodeFlags` has no bit left.
struct NodeSet {
    private var words: [UInt64] = []

    func contains(_ id: NodeNumber) -> Bool {
        let (word, bit) = Self.place(of: id)
        return word < words.count && words[word] & bit != 0
    }

    mutating func insert(_ id: NodeNumber) {
        let (word, bit) = Self.place(of: id)
        while words.count <= word { words.append(0) }
        words[word] |= bit
    }

    mutating func remove(_ id: NodeNumber) {
        let (word, bit) = Self.place(of: id)
        if word < words.count { words[word] &= ~bit }
    }

    private static func place(of id: NodeNumber) -> (word: Int, bit: UInt64) { (id.index >> 6, 1 << (id.rawValue & 63)) }
}
