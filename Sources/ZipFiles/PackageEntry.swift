/// A file, folder or link of a package, without its bytes.
public struct PackageEntry: Hashable, Sendable {
    /// From the package's folder on, without a slash at either end.
    public let path: [UInt8]
    public let kind: Kind
    /// Permissions and nothing else.
    public let mode: UInt16
    public let modified: Moment
    /// Those that begin with `user.`, each name once, by the bytes of their names.
    public let attributes: [Attribute]

    public enum Kind: Hashable, Sendable {
        case file(length: Int64)
        case folder
        case link(target: [UInt8])
    }

    /// A time since 1970.
    public struct Moment: Hashable, Sendable {
        public let seconds: Int64
        public let nanoseconds: Int32

        public init(seconds: Int64, nanoseconds: Int32 = 0) { (self.seconds, self.nanoseconds) = (seconds, nanoseconds) }
    }

    /// An extended attribute.
    public struct Attribute: Hashable, Sendable {
        public let name: [UInt8]
        public let value: [UInt8]

        public init(name: [UInt8], value: [UInt8]) { (self.name, self.value) = (name, value) }
    }

    /// A link has no permissions of its own.
    public init(path: [UInt8], kind: Kind, mode: UInt16, modified: Moment, attributes: [Attribute] = []) {
        (self.path, self.kind, self.modified) = (path, kind, modified)
        if case .link = kind { self.mode = 0o777 } else { self.mode = mode & 0o777 }
        self.attributes = attributes.count < 2 ? attributes : attributes.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// How many bytes it has in a ZIP: a link has its target.
    public var length: Int64 {
        switch kind {
        case .file(let length): length
        case .folder: 0
        case .link(let target): Int64(target.count)
        }
    }

    public var isFolder: Bool { kind == .folder }
}
