import Containers
import Documents
import LinuxFiles

/// Which item of a container a claim is about: its names, from the documents' folder on. A package is one item, so
/// what lies in one is the package.
public struct ItemPath: Hashable, Comparable, Sendable {
    public let names: [Name]

    /// No deeper than any path that the kernel takes.
    public static let deepest = 256
    static let longest = 4096

    public init?(_ names: [Name]) {
        guard names.count <= Self.deepest else { return nil }
        self.names = Self.package(in: names).map { Array(names[...$0]) } ?? names
    }

    /// "Holiday/Cat.ptk"; empty for the documents' folder itself.
    init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.longest else { return nil }
        var names: [Name] = []
        for word in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: bytes.isEmpty) {
            guard let name = Name(word) else { return nil }
            names.append(name)
        }
        self.init(names)
    }

    /// Of a path in which nothing is a package: outside of containers.
    package init(whole names: [Name]) { self.names = names }

    /// The folder that so many names lead to.
    func above(_ depth: Int) -> ItemPath { depth < names.count ? ItemPath(whole: Array(names[..<depth])) : self }

    private static func package(in names: [Name]) -> Int? { names.dropLast().firstIndex(where: PackageExtensions.isPackage) }

    var bytes: [UInt8] { Array(names.map(\.bytes).joined(separator: [UInt8(ascii: "/")])) }

    /// A folder comes before what is in it: in this order claims on several items are made, everywhere.
    public static func < (left: ItemPath, right: ItemPath) -> Bool { left.names.lexicographicallyPrecedes(right.names) }

    public func isInside(_ folder: ItemPath) -> Bool { names.starts(with: folder.names) }

    /// Where this item is after a folder above it, or itself, has moved.
    package func moved(from old: ItemPath, to new: ItemPath) -> ItemPath? {
        isInside(old) ? ItemPath(new.names + names.dropFirst(old.names.count)) : nil
    }
}

extension ItemPath: CustomStringConvertible {
    public var description: String { names.map { "\($0)" }.joined(separator: "/") }
}

/// One item of a claim.
public struct ClaimedItem: Hashable, Sendable {
    public var path: ItemPath
    public let purpose: ClaimPurpose

    public init(_ path: ItemPath, _ purpose: ClaimPurpose) {
        self.path = path
        self.purpose = purpose
    }
}
