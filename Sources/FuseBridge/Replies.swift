import CFuse3
import Drive
import Glibc
import LinuxFiles

/// A request that waits for its one answer. Whoever takes it answers it; one that is let go of answers EIO and says so.
///
/// The replies below are made of this, one type for each kind of answer, so that a
/// callback cannot answer twice, not at all, or with the wrong thing.
@safe struct Reply: ~Copyable {
    private let request: OpaquePointer

    init(_ request: OpaquePointer) { unsafe self.request = request }

    deinit {
        // SAFETY: nobody took the request, so it is still libfuse's to be answered.
        _ = unsafe CFuse3_reply_error(request, EIO)
        log("a request was not answered; it got an input/output error")
    }

    /// The request, for the call that answers it.
    consuming func take() -> OpaquePointer {
        let taken = unsafe request
        discard self
        return unsafe taken
    }

    consuming func fail(_ error: Errno) {
        let request = unsafe take(), error = unsafe Adapter.of(request).drive.explained(error)
        // An answer without an error number would be a success that did not happen.
        _ = unsafe CFuse3_reply_error(request, error.rawValue > 0 ? error.rawValue : EIO)
    }
}

/// An answer that is a value: sent, or turned into an errno.
protocol ValueReply: ~Copyable {
    associatedtype Value
    consuming func send(_ value: Value)
    consuming func fail(_ error: Errno)
}

extension ValueReply where Self: ~Copyable {
    /// Makes the value and sends it, or sends what was thrown instead.
    @inline(__always)
    consuming func answer(_ value: () throws(Errno) -> Value) {
        let made: Result<Value, Errno>
        do throws(Errno) { made = .success(try value()) } catch { made = .failure(error) }
        switch made {
        case .success(let value): send(value)
        case .failure(let error): fail(error)
        }
    }
}

// MARK: Values

// One type for each kind of answer. SAFETY, for all of them: `take` gives out a request that libfuse
// still waits to have answered, once; the structs that are pointed to live through the call.

/// Nothing but that it was done.
struct DoneReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }
    consuming func send(_: Void) { _ = unsafe CFuse3_reply_error(reply.take(), 0) }
}

/// A name's node. If the kernel does not take the answer, it has not learned of the node either.
struct EntryReply: ValueReply, ~Copyable {
    private let reply: Reply
    private let drive: any ServedTree

    init(_ request: OpaquePointer, _ drive: any ServedTree) {
        reply = unsafe Reply(request)
        self.drive = drive
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ entry: Entry) {
        let drive = drive
        var answer = CFuse3_Entry(entry)
        if unsafe CFuse3_reply_entry(reply.take(), &answer) != 0 { drive.forget(entry.node, count: 1) }
    }
}

struct AttributesReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ attributes: Attributes) {
        var facts = stat(attributes)
        _ = unsafe CFuse3_reply_attributes(reply.take(), &facts, lasting(attributes.keeps))
    }
}

struct LinkReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ target: [UInt8]) {
        let text = target.map { CChar(bitPattern: $0) } + [0]
        _ = unsafe CFuse3_reply_link(reply.take(), text)
    }
}

/// How many bytes were written or copied.
struct CountReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }
    consuming func send(_ count: Int) { _ = unsafe CFuse3_reply_count(reply.take(), count) }
}

/// How many bytes were written, told when nobody can read any more what was there before.
struct WriteReply: ValueReply, ~Copyable {
    private let reply: Reply
    private let node: UInt64
    private let offset: Int64
    private let directWrites: DirectWrites?

    /// `directWrites`, for a write that goes past the kernel's pages.
    init(_ request: OpaquePointer, _ node: UInt64, _ offset: Int, _ directWrites: DirectWrites?) {
        reply = unsafe Reply(request)
        self.node = node
        self.offset = Int64(offset)
        self.directWrites = directWrites
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ count: Int) {
        let (directWrites, node, offset) = (directWrites, node, offset)
        // SAFETY: it is answered once, on whichever thread.
        nonisolated(unsafe) let request = unsafe reply.take()
        guard let directWrites, count > 0 else { return _ = unsafe CFuse3_reply_count(request, count) }
        directWrites.forget(node, from: offset, count: count) { _ = unsafe CFuse3_reply_count(request, count) }
    }
}

struct OffsetReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }
    consuming func send(_ offset: Int64) { _ = unsafe CFuse3_reply_offset(reply.take(), offset) }
}

/// What was read: a range of a file goes from page cache to page cache.
struct ContentReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ content: Content) {
        let request = unsafe reply.take()
        switch content {
        case .file(let file, let offset, let count):
            _ = unsafe CFuse3_reply_file(request, file.descriptor.rawValue, offset, count)
        case .bytes(let bytes):
            _ = unsafe bytes.withUnsafeBytes { unsafe CFuse3_reply_bytes(request, $0.baseAddress, $0.count) }
        }
    }
}

struct FileSystemReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ status: FileSystemStatus) {
        var facts = statvfs(status)
        _ = unsafe CFuse3_reply_file_system(reply.take(), &facts)
    }
}

/// An extended attribute's value or the list of their names: its size, where room for 0 bytes was offered.
struct AttributeValueReply: ValueReply, ~Copyable {
    private let reply: Reply
    private let room: Int

    init(_ request: OpaquePointer, room: Int) {
        reply = unsafe Reply(request)
        self.room = room
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ value: [UInt8]) {
        if room == 0 {
            _ = unsafe CFuse3_reply_value_size(reply.take(), value.count)
        } else if value.count > room {
            reply.fail(.range)
        } else {
            let request = unsafe reply.take()
            _ = unsafe value.withUnsafeBytes { unsafe CFuse3_reply_bytes(request, $0.baseAddress, $0.count) }
        }
    }
}

// MARK: What is opened

// Answers that hand the kernel a number it will bring back: if it does not take the answer (the
// program was killed meanwhile), nobody will ever close what was opened, so that is done here.

/// A request to open something, with libfuse's struct of what was opened, which the answer fills in.
@safe struct OpenRequest: ~Copyable {
    private let reply: Reply
    private let file: OpaquePointer
    private let drive: any ServedTree

    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: any ServedTree) {
        reply = unsafe Reply(request)
        unsafe self.file = file
        self.drive = drive
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    /// `undo` closes it where the kernel did not take the answer.
    consuming func send(_ opened: CFuse3_Opened, undo: (any ServedTree) -> Void) {
        let (file, drive) = unsafe (file, drive)
        var opened = opened
        // SAFETY: the struct lives through the request, which is answered here and only here.
        if unsafe CFuse3_reply_opened(reply.take(), file, &opened) != 0 { undo(drive) }
    }

    consuming func send(_ entry: CFuse3_Entry, _ opened: CFuse3_Opened, undo: (any ServedTree) -> Void) {
        let (file, drive) = unsafe (file, drive)
        var entry = entry, opened = opened
        // SAFETY: as above.
        if unsafe CFuse3_reply_created(reply.take(), &entry, file, &opened) != 0 { undo(drive) }
    }
}

struct OpenReply: ValueReply, ~Copyable {
    private let request: OpenRequest
    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: any ServedTree) { self.request = unsafe OpenRequest(request, file, drive) }
    consuming func fail(_ error: Errno) { request.fail(error) }
    consuming func send(_ opened: Opened) { request.send(CFuse3_Opened(opened)) { $0.release(opened.handle) } }
}

struct CreateReply: ValueReply, ~Copyable {
    private let request: OpenRequest
    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: any ServedTree) { self.request = unsafe OpenRequest(request, file, drive) }
    consuming func fail(_ error: Errno) { request.fail(error) }

    consuming func send(_ created: (entry: Entry, opened: Opened)) {
        request.send(CFuse3_Entry(created.entry), CFuse3_Opened(created.opened)) { drive in
            drive.release(created.opened.handle)
            drive.forget(created.entry.node, count: 1)
        }
    }
}

struct OpenFolderReply: ValueReply, ~Copyable {
    private let request: OpenRequest
    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: any ServedTree) { self.request = unsafe OpenRequest(request, file, drive) }
    consuming func fail(_ error: Errno) { request.fail(error) }
    consuming func send(_ opened: OpenedFolder) { request.send(CFuse3_Opened(opened)) { $0.releaseFolder(opened.handle) } }
}

// MARK: The kernel's values

// The drive's values as the kernel wants them, and the other way round.

/// How long the kernel may remember what it may remember. What changes sooner is told by a notice.
private let remembered = 3600.0

private let rememberedBriefly = 1.0

func lasting(_ keeps: Keeping) -> Double {
    switch keeps {
    case .long: remembered
    case .briefly: rememberedBriefly
    case .not: 0
    }
}

extension stat {
    init(_ attributes: Attributes) {
        self.init()
        st_ino = UInt(attributes.node.rawValue)
        st_mode = attributes.mode
        st_nlink = UInt(attributes.links)
        st_uid = attributes.owner
        st_gid = attributes.group
        st_rdev = UInt(attributes.device)
        st_size = Int(attributes.size)
        st_blksize = 4096
        st_blocks = Int(attributes.blocks)
        st_atim = timespec(attributes.accessed)
        st_mtim = timespec(attributes.modified)
        st_ctim = timespec(attributes.changed)
    }
}

extension timespec {
    init(_ time: Timestamp) { self.init(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds)) }
}

extension Timestamp {
    init(kernel time: timespec) { self.init(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec)) }
}

extension statvfs {
    init(_ status: FileSystemStatus) {
        self.init()
        f_bsize = UInt(status.blockSize)
        f_frsize = UInt(status.fragmentSize)
        f_blocks = UInt(status.blocks)
        f_bfree = UInt(status.freeBlocks)
        f_bavail = UInt(status.availableBlocks)
        f_files = UInt(status.files)
        f_ffree = UInt(status.freeFiles)
        f_favail = UInt(status.availableFiles)
        f_namemax = UInt(status.longestName)
    }
}

extension CFuse3_Entry {
    init(_ entry: borrowing Entry) {
        self.init(
            node: entry.node.rawValue, generation: entry.generation, lasts: lasting(entry.isItsName ? entry.attributes.keeps : .not),
            facts: stat(entry.attributes))
    }
}

extension CFuse3_Opened {
    init(_ opened: Opened) {
        self.init(
            handle: opened.handle.rawValue, keepsCache: opened.keepsCache && !opened.bypassesCache,
            bypassesCache: opened.bypassesCache, closesSilently: opened.closesSilently, unseekable: !opened.seekable,
            cachesListing: false)
    }

    init(_ opened: OpenedFolder) {
        self.init(
            handle: opened.handle.rawValue, keepsCache: opened.keepsCache, bypassesCache: false, closesSilently: false,
            unseekable: false, cachesListing: opened.caches)
    }
}

/// Places in files, as requests name them. Room is left above the highest one, so that what is added to it (the count of a
/// request, what stands in a file before the content) comes to a number.
enum FilePlace {
    static let highest = Int64.max - 1 << 40
    /// Far more than one request brings or fetches.
    static let mostBytes = 1 << 30

    static func checked(_ offset: some BinaryInteger) throws(Errno) -> Int64 {
        guard offset >= 0 else { throw .invalid }
        guard offset <= highest else { throw .fileTooLarge }
        return Int64(offset)
    }
}

extension AttributeChange {
    init(_ what: Int32, _ facts: stat) throws(Errno) {
        self.init()
        func asked(_ bit: Int) -> Bool { what & Int32(bit) != 0 }
        if asked(CFuse3_SET_MODE) { permissions = facts.st_mode & 0o7777 }
        if asked(CFuse3_SET_OWNER) { owner = facts.st_uid }
        if asked(CFuse3_SET_GROUP) { group = facts.st_gid }
        if asked(CFuse3_SET_SIZE) { size = try FilePlace.checked(facts.st_size) }
        if asked(CFuse3_SET_ACCESSED) { accessed = .at(Timestamp(kernel: facts.st_atim)) }
        if asked(CFuse3_SET_MODIFIED) { modified = .at(Timestamp(kernel: facts.st_mtim)) }
        if asked(CFuse3_SET_ACCESSED_NOW) { accessed = .now }
        if asked(CFuse3_SET_MODIFIED_NOW) { modified = .now }
        losesSetIDs = CFuse3_loses_set_ids()
    }
}

extension KernelMeans {
    /// What came of the kernel's greeting.
    init(_ agreement: CFuse3_Agreement) {
        // SAFETY: a constant of libfuse's.
        let library = unsafe String(cString: CFuse3_library_version())
        func missing(_ isOffered: Bool, because reason: String) -> String { isOffered ? reason : "the kernel does not offer it" }
        let all: [(Means, isUsed: Bool, whyNot: String)] = [
            (.readdirplus, agreement.listsWithAttributes, "the kernel does not offer it"),
            (.parallelLookups, agreement.looksUpInParallel, "the kernel does not offer it"),
            (.spliceOut, agreement.splicesOut, "the kernel does not offer it"),
            (.silentClose, agreement.closesSilently, "the kernel does not offer it"),
            (.setIDs, agreement.keepsSetIDs, "the kernel does not offer it"),
            (.spliceIn, agreement.splicesIn, "each small request would cost two calls more"),
            (.writeBack, agreement.writesBack, "the kernel would take its own word for sizes and times, and not see what other programs change in the container"),
            (.passthrough, false, missing(agreement.offersPassthrough, because: "it pays for the first reading of plain files and texts alone, and takes root")),
            (.ioUring, false, missing(agreement.offersRing, because: "libfuse \(library) has no call for it")),
        ]
        self.init(
            version: "\(agreement.major).\(agreement.minor)", library: library, mostRead: Int(agreement.mostRead), mostWrite: Int(agreement.mostWrite),
            used: all.filter(\.isUsed).map(\.0), unused: all.filter { !$0.isUsed }.map { ($0.0, $0.whyNot) })
    }
}
