/// How a ZIP names what is in a package.
public enum PackageShape: Hashable, Sendable {
    /// From the package's folder on.
    case bare
    /// Behind the package's own name: `Name.ext/…`.
    case inFolder(name: [UInt8])
    /// The same, as some programs of Apple's have it: `../Name.ext/…`.
    case besideFolder(name: [UInt8])

    private static let above = Array("../".utf8)

    /// What stands before each path.
    var prefix: [UInt8] {
        switch self {
        case .bare: []
        case .inFolder(let name): name + "/".utf8
        case .besideFolder(let name): Self.above + name + "/".utf8
        }
    }

    /// The shape of a ZIP with these names. A folder at the top is the package only with one of its extensions: it may be a part.
    init(of names: [[UInt8]], extensions: [String]) {
        self = .bare
        guard let first = names.first(where: { !AppleDouble.isAside($0) }) else { return }
        let isAbove = first.starts(with: Self.above), name = first.dropFirst(isAbove ? 3 : 0).prefix { $0 != UInt8(ascii: "/") }
        guard extensions.contains(where: { Self.has($0, name) }) else { return }
        let shape: PackageShape = isAbove ? .besideFolder(name: Array(name)) : .inFolder(name: Array(name)), prefix = shape.prefix
        if names.allSatisfy({ AppleDouble.isAside($0) || $0.starts(with: prefix) }) { self = shape }
    }

    private static func has(_ fileExtension: String, _ name: some Collection<UInt8>) -> Bool {
        let end = Array(("." + fileExtension).utf8)
        return name.count > end.count && zip(name.suffix(end.count), end).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// What a Mac puts beside a file where a store, or a ZIP, has no room for its extended attributes: `._Name` beside it, in a ZIP often in a
/// folder of its own, `__MACOSX`. In a package these files are parts, beside what they belong to: a Mac finds them there.
enum AppleDouble {
    private static let folder = Array("__MACOSX/".utf8), start = Array("._".utf8)

    /// Whether a name is in the folder for them, or one of them at the top: it says nothing about the shape.
    static func isAside(_ name: [UInt8]) -> Bool { name.starts(with: folder) || name.starts(with: start) && !name.contains(UInt8(ascii: "/")) }

    /// What a name in that folder is without it; nil if it is not there.
    static func moved(_ name: [UInt8]) -> [UInt8]? { name.starts(with: folder) ? Array(name.dropFirst(folder.count)) : nil }

    /// Whether it is the path of such a file.
    static func isOne(_ path: some BidirectionalCollection<UInt8>) -> Bool {
        path.suffix(from: path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex).starts(with: start)
    }

    /// What it is called that belongs to a file of this name.
    static func name(of file: some Collection<UInt8>) -> [UInt8] { start + file }
}
