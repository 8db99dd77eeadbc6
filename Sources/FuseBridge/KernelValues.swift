import CFuse3
import Drive
import Glibc
import LinuxFiles

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
