import LinuxFiles

/// Why nothing is kept of what programs change in a plain file. What lies there says most of it (`of`), for a drive and for
/// an app that saves without one. A drive adds what only it sees: locks, maps, and how often a file is saved.
public enum PlainFileRule: Sendable {
    /// Files that are there for a moment, and hidden ones.
    case passing, hidden
    case package
    // Databases, and what is written all the time.
    case busy, locked, mapped, database, journal
    case sparse
    /// No bytes are copied of so large a file.
    case large

    /// Whether that holds until the drive is unmounted, whatever the file is by then.
    public var lasts: Bool {
        switch self {
        case .busy, .locked, .mapped, .database, .journal: true
        case .passing, .hidden, .package, .sparse, .large: false
        }
    }

    /// For `valise info`.
    public var sentence: String {
        switch self {
        case .passing: "none: its name is that of a file that is there for a moment"
        case .hidden: "none: it is hidden"
        case .package: "none: it is a part of a package"
        case .busy: "none until the drive is mounted again: it was saved more than five times within a minute"
        case .locked: "none until the drive is mounted again: a program has locked it, as programs lock databases"
        case .mapped: "none until the drive is mounted again: a program writes to it in memory (mmap)"
        case .database: "none until the drive is mounted again: it is an SQLite database"
        case .journal: "none until the drive is mounted again: the journal of a database lies beside it"
        case .sparse: "none: it has holes, as a disk image has"
        case .large: "none: it is larger than 64 MiB, and its file system cannot share blocks between files"
        }
    }

    /// What is changed where it lies needs a copy.
    public static let tooLargeToCopy =
        "only when a new file replaces it: it is larger than 16 MiB, and its file system cannot share blocks between files"
    /// What is larger is copied nowhere, and is not kept at all where blocks cannot be shared.
    public static let mostCopied: Int64 = 16 << 20, largest: Int64 = 64 << 20

    private static let databaseStart = Array("SQLite format 3\0".utf8)
    private static let journalEnds = ["-wal", "-journal", "-shm"].map { Array($0.utf8) }
    private static let seekHole: Int32 = 4

    /// The rule for a file by its name and by what lies there; nil where it has versions.
    public static func of(
        _ name: Name, _ file: OpenFile, _ status: FileStatus, in folder: OpenFile, isInPackage: Bool,
        sharesBlocks: () -> Bool
    ) throws(Errno) -> PlainFileRule? {
        if Hidden.hides(name) { return .hidden }
        if PassingName.isOne(name) { return .passing }
        if isInPackage { return .package }
        if try file.descriptor.read(at: 0, count: databaseStart.count) == databaseStart { return .database }
        let journals = journalEnds.compactMap { Name(name.bytes + $0) }
        if journals.contains(where: { (try? folder.descriptor.exists($0)) == true }) { return .journal }
        // Not every store tells how many blocks there are, and some pack what they store.
        if status.blocks * 512 < status.size, try file.descriptor.seek(to: 0, whence: seekHole) < status.size {
            return .sparse
        }
        return status.size > largest && !sharesBlocks() ? .large : nil
    }
}
