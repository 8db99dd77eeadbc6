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

    /// As they are called by hand (`Tests/Worlds/run`).
    package static let names: [(name: String, trouble: Trouble)] = [("stubborn", .stubborn), ("thumbnails", .thumbnails), ("vanishing", .vanishing)]

    package var words: [String] { Self.names.filter { contains($0.trouble) }.map(\.name) }
}
