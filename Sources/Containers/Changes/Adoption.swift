import LinuxFiles

/// What another computer has of an item, or has done with it. It holds as long as what is here is what that computer knew.
public struct Adoption: Sendable {
    public enum What: Sendable {
        /// This is what the item is: it lies in `.valise/handed` under this name, whole. A file, a package, an empty folder, a symbolic link.
        case current(Name)
        /// This is what the document was once, or is over there while it is something else here. It lies there in the same way.
        case version(Name, isConflict: Bool)
        /// The item has these permissions over there, and gets them here.
        case permissions(UInt32)
        /// It was deleted.
        case gone
        /// It is there now: its names from the documents on, where nothing is.
        case moved(to: [Name])
        /// It and another one have each other's place now. Both stay as they are, whatever their names say.
        case exchanged(with: [Name], expecting: Expectation)
    }

    /// What has to be here: what that computer's device found when it looked last.
    public enum Expectation: Hashable, Sendable {
        case anything, nothing
        /// This, and nothing of it is other than it was.
        case state(ItemState)
        /// A folder with items in it, whichever it is.
        case folder

        func holds(at place: ItemPlace, in container: Container) throws(Errno) -> Bool {
            if self == .anything { return true }
            let state = try container.state(of: place.stored, in: place.folder)
            return switch self {
            case .anything: true
            case .nothing: state == nil
            case .state(let expected): state == expected
            case .folder: state?.form == .folder
            }
        }
    }

    public let what: What
    /// Its names from the documents on, as it is stored.
    public let item: [Name]
    public let expected: Expectation
    /// Where its content was saved, and when. Of what has no content, nobody asks.
    public let provenance: Provenance

    public init(_ what: What, of item: [Name], expecting expected: Expectation, from provenance: Provenance) {
        (self.what, self.item, self.expected, self.provenance) = (what, item, expected, provenance)
    }
}

// As a program says it: "-" nothing, "*" anything, "/" a folder, or a state.
extension Adoption.Expectation {
    public var text: String {
        switch self {
        case .nothing: "-"
        case .anything: "*"
        case .folder: "/"
        case .state(let state): state.text
        }
    }

    public init?(text: some StringProtocol) {
        switch text {
        case "-": self = .nothing
        case "*": self = .anything
        case "/": self = .folder
        default:
            guard let state = ItemState(text: text) else { return nil }
            self = .state(state)
        }
    }
}

/// What came of an adoption, for who asked for it.
public struct Adopted: Hashable, Sendable {
    /// What the item is now, and, of two that changed places, what the other one is. Nil where nothing is there, or
    /// that could not be looked at.
    public let state, other: ItemState?
    /// What was replaced or deleted, where a program had written to it in the last instant.
    public let replaced: ItemState?
    /// The version that the item has because of it: of what was replaced, or what was handed over.
    public let version: VersionID?

    public init(state: ItemState?, other: ItemState?, replaced: ItemState?, version: VersionID?) {
        (self.state, self.other, self.replaced, self.version) = (state, other, replaced, version)
    }

    public init(_ outcome: Outcome) {
        self.init(
            state: outcome.state, other: outcome.otherState, replaced: outcome.replacedState, version: outcome.kept)
    }

    /// Four words, "-" for what there is none of.
    public var text: String {
        ([state, other, replaced].map { $0?.text ?? "-" } + [version?.text ?? "-"]).joined(separator: " ")
    }

    public init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, words.prefix(3).allSatisfy({ $0 == "-" || ItemState(text: $0) != nil }),
            words[3] == "-" || VersionID(words[3]) != nil
        else { return nil }
        self.init(
            state: ItemState(text: words[0]), other: ItemState(text: words[1]), replaced: ItemState(text: words[2]),
            version: VersionID(words[3]))
    }
}
