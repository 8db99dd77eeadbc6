/// Which files programs have locked (flock, fcntl), as far as the kernel tells this process: in /proc/locks.
///
/// The list stays open, for a process that may not open anything in /proc later.
public struct FileLocks: Sendable {
    static let path = "/proc/locks"
    private static let longest = 16 << 20
    private let list: OpenFile?

    public init() { list = try? OpenFile(Descriptor.atPath(Self.path, .read)) }

    /// Whether a program has a lock on a file. False where that cannot be known.
    public func isLocked(_ inode: UInt64, on device: DeviceNumber) -> Bool {
        guard let bytes = try? list?.descriptor.readAll(limit: Self.longest) else { return false }
        return Self.has(inode, on: device, in: bytes)
    }

    private static let kinds = ["POSIX", "FLOCK", "OFDLCK"].map { Array($0.utf8) }

    /// Each line is one lock: "1: POSIX  ADVISORY  WRITE 17330 fe:00:9839546 0 EOF", with the device in hexadecimal numbers. A lease is none.
    static func has(_ inode: UInt64, on device: DeviceNumber, in list: [UInt8]) -> Bool {
        let file = Array("\(twoDigits(device.major)):\(twoDigits(device.minor)):\(inode)".utf8)
        return list.split(separator: UInt8(ascii: "\n")).contains { line in
            let words = line.split(separator: UInt8(ascii: " "))
            return words.contains { $0.elementsEqual(file) } && words.contains { word in kinds.contains { word.elementsEqual($0) } }
        }
    }

    private static func twoDigits(_ number: UInt32) -> String { (number < 16 ? "0" : "") + String(number, radix: 16) }
}
