/// Why nothing is kept of what programs change in a plain file.
enum PlainFileRule: Sendable {
    /// Files that are there for a moment, and hidden ones.
    case passing, hidden
    case package
    // Databases, and what is written all the time.
    case busy, locked, mapped, database, journal
    case sparse
    /// No bytes are copied of so large a file.
    case large

    /// Whether that holds until the drive is unmounted, whatever the file is by then.
    var lasts: Bool {
        switch self {
        case .busy, .locked, .mapped, .database, .journal: true
        case .passing, .hidden, .package, .sparse, .large: false
        }
    }

    /// For `valise info`.
    var sentence: String {
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
    static let tooLargeToCopy = "only when a new file replaces it: it is larger than 16 MiB, and its file system cannot share blocks between files"
}
