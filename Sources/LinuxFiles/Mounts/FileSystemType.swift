/// Which file system something lies on, by the kernel's magic number: as <linux/magic.h> and their drivers number them.
public struct FileSystemType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// ext2 to ext4.
    public static let ext = FileSystemType(rawValue: 0xEF53)
    public static let xfs = FileSystemType(rawValue: 0x5846_5342)
    public static let btrfs = FileSystemType(rawValue: 0x9123_683E)
    public static let f2fs = FileSystemType(rawValue: 0xF2F5_2010)
    public static let bcachefs = FileSystemType(rawValue: 0xCA45_1A4E)
    public static let zfs = FileSystemType(rawValue: 0x2FC1_2FC1)
    public static let tmpfs = FileSystemType(rawValue: 0x0102_1994)
    /// All that programs serve.
    public static let fuse = FileSystemType(rawValue: 0x6573_5546)
    public static let automount = FileSystemType(rawValue: 0x0187)

    /// Those that only this kernel changes: it tells of all that happens there. Of others, as of those over a network, it knows what was done here.
    public var isOfThisKernel: Bool { [.ext, .xfs, .btrfs, .f2fs, .bcachefs, .zfs, .tmpfs].contains(self) }
}
