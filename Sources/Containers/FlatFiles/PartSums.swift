import LinuxFiles
import Synchronization

/// The checksums (CRC-32) of packages' parts, as long as each is the file that it was. To find one takes a pass over the part.
///
/// A stamp says which file it is of, and on which device. So there is one table for all kinds and containers, and a drive's catalog has what
/// was found for the next drive (`Catalog.keep`).
public final class PartSums: Sendable {
    typealias Part = ReadingMemory.Part

    public static let known = PartSums()

    private let table = RecentTable<Part, UInt32>(most: 1 << 17)
    /// What no catalog has taken yet, by its number. Of very many, some are found again on the next drive.
    private let untaken = RecentTable<UInt64, Found>(most: 1 << 17)
    private let count = Atomic<UInt64>(0), taken = Atomic<UInt64>(0)

    /// A checksum, and the file that it is of.
    package struct Found: Hashable, Sendable {
        package let identity: FileIdentity
        package let size: Int64
        package let modified: Timestamp
        package let changed: Timestamp
        package let sum: UInt32

        package init(_ identity: FileIdentity, size: Int64, modified: Timestamp, changed: Timestamp, sum: UInt32) {
            (self.identity, self.size, self.modified, self.changed, self.sum) = (identity, size, modified, changed, sum)
        }
    }

    public init() {}

    func sum(of part: Part) -> UInt32? { table[part] }

    func remember(_ sum: UInt32, of part: Part) {
        table[part] = sum
        let number = count.add(1, ordering: .relaxed).oldValue
        untaken[number] = Found(part.identity, size: part.size, modified: part.modified, changed: part.changed, sum: sum)
    }

    /// What was found since somebody asked last. One that is being noted comes the next time, or is found again.
    package func takeFound() -> [Found] {
        let end = count.load(ordering: .relaxed), start = taken.exchange(end, ordering: .relaxed)
        guard start < end else { return [] }
        return (start..<end).compactMap { untaken.take($0) }
    }

    /// What an earlier drive has found.
    package func learn(_ found: Found) {
        table[Part(identity: found.identity, size: found.size, modified: found.modified, changed: found.changed)] = found.sum
    }
}

extension ReadingMemory.Part {
    fileprivate init(identity: FileIdentity, size: Int64, modified: Timestamp, changed: Timestamp) {
        (self.identity, self.size, self.modified, self.changed) = (identity, size, modified, changed)
    }
}
