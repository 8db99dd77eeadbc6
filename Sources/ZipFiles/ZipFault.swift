import PropertyLists

/// Why a ZIP cannot be taken apart, or a package cannot become one. Each sentence names the entry that it is about.
public enum ZipFault: Error, Hashable, Sendable {
    /// It is something else than a ZIP.
    case foreign(String)
    /// It is a ZIP, and is broken or contradicts itself.
    case damaged(String)
    /// It is whole, and what it holds cannot be a package.
    case refused(String)
    /// Using it would take more than a limit allows.
    case excessive(String)
    /// Its bytes could not be read.
    case unreadable(SourceFailure)

    public var sentence: String {
        switch self {
        case .foreign(let sentence), .damaged(let sentence), .refused(let sentence), .excessive(let sentence): sentence
        case .unreadable(let failure): failure.errno == nil ? "The ZIP became shorter while it was read." : "The ZIP could not be read."
        }
    }

    /// A path as it stands in a sentence: what is not UTF-8 is replaced, control characters too, and a long one is shortened.
    static func shown(_ path: some Collection<UInt8>) -> String {
        let scalars = String(decoding: path.prefix(300), as: UTF8.self).unicodeScalars.prefix(120)
        var text = String.UnicodeScalarView(scalars.map { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? "\u{FFFD}" : $0 })
        if path.count > 300 || scalars.count == 120 { text.append("…") }
        return "“\(String(text))”"
    }
}

/// How much a ZIP may ask for.
public struct ZipLimits: Hashable, Sendable {
    public var entries = 1 << 18
    /// Bytes of the directory, with all names and extended attributes; it is taken into memory.
    public var directory: Int64 = 1 << 27
    /// Bytes of all files together, as they are unpacked.
    public var bytes: Int64 = 1 << 40
    /// How many times longer all files together may be than the ZIP. What is below 1 MiB is never too long.
    public var ratio: Int64 = 200

    public init() {}

    public static let standard = ZipLimits()
}
