import LinuxFiles

/// `.Cat.ptk.valise-growing`: the folder in which programs fill the package `Cat.ptk` on a drive, until it is whole and becomes the document. It lies
/// beside the document's place. To everything that reads a container it is nothing.
public enum GrowingName {
    private static let ending = Array(".valise-growing".utf8)

    /// What the folder of a package with this stored name is called while it grows; nil where that is too long to be a name.
    public static func of(_ package: Name) -> Name? { Name([UInt8(ascii: ".")] + package.bytes + ending) }

    /// The stored name of the package that grows in a folder of this name; nil for any other name.
    public static func package(in name: Name) -> Name? {
        let bytes = name.bytes
        guard bytes[0] == UInt8(ascii: "."), bytes.count > ending.count + 1, bytes.suffix(ending.count).elementsEqual(ending) else { return nil }
        return Name(bytes[1..<(bytes.count - ending.count)])
    }
}
