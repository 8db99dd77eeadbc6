/// What is so in some worlds only, beside all that goes wrong everywhere.
package struct Trouble: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Stores refuse what is to be done there now and then, for a while.
    package static let stubborn = Trouble(rawValue: 1)
    /// Devices make thumbnails of documents, each its own, and keep them in these.
    package static let thumbnails = Trouble(rawValue: 2)

    /// Folders cannot be listed for a while, and a store is not there, so that its folder is empty.
    package static let vanishing = Trouble(rawValue: 4)

    /// Stores refuse some names, take some for one, and answer others than they were given, each its own.
    package static let names = Trouble(rawValue: 8)

    /// There are links and plain files, and devices keep no conflicts of them, or of few.
    package static let unkept = Trouble(rawValue: 16)

    /// Files have permissions, where their store has some.
    package static let modes = Trouble(rawValue: 32)

    /// Clocks stand elsewhere after a restart, and numbers of files come back.
    package static let restarts = Trouble(rawValue: 64)
    /// Documents are put back from a backup, under a database that is newer.
    package static let backups = Trouble(rawValue: 128)

    /// Times of stores that are of some seconds' grain: what changes twice in it looks as it did.
    package static let grains = Trouble(rawValue: 256)
    /// Programs write where a document lies, and are at it for a while.
    package static let writers = Trouble(rawValue: 512)

    /// Keys are set and removed in stores that take few, and forget removals.
    package static let keys = Trouble(rawValue: 1024)

    /// There are packages of a kind that is written down on some computers only.
    package static let kinds = Trouble(rawValue: 2048)

    /// As they are called by hand (`Tests/Worlds/run`).
    package static let all: [(name: String, trouble: Trouble)] = [
        ("stubborn", .stubborn), ("thumbnails", .thumbnails), ("vanishing", .vanishing), ("names", .names), ("unkept", .unkept), ("modes", .modes), ("restarts", .restarts), ("backups", .backups),
        ("grains", .grains), ("writers", .writers), ("keys", .keys), ("kinds", .kinds),
    ]

    package var words: [String] { Self.all.filter { contains($0.trouble) }.map(\.name) }
}
