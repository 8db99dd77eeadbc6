import LinuxFiles

/// The checksums (CRC-32) of packages' parts, as long as each is the file that it was. To find one takes a pass over the part.
public final class PartSums: Sendable {
    typealias Part = ReadingMemory.Part

    private let table = RecentTable<Part, UInt32>(most: 1 << 15)

    public init() {}

    func sum(of part: Part) -> UInt32? { table[part] }
    func remember(_ sum: UInt32, of part: Part) { table[part] = sum }
}
