import Glibc
import LinuxFiles

// Short questions to files by a path: what a person named, and what lies in /proc.

func contents(of path: String, limit: Int = 1 << 20) throws(Errno) -> [UInt8] {
    try Descriptor.atPath(path, [.read, .nonBlocking]).readAll(limit: limit)
}

/// What is at a path, or at the end of the symbolic link there.
func status(of path: String) throws(Errno) -> FileStatus {
    try Descriptor.atPath(path, .path).status()
}

/// The names in a folder, "." and ".." excepted.
func names(in path: String) throws(Errno) -> [String] {
    var reader = try FolderReader(try Descriptor.atPath(path, [.path, .folder]))
    var names: [String] = []
    while let entry = try reader.next() { names.append(String(decoding: entry.name.bytes, as: UTF8.self)) }
    return names
}

/// Whether this user may do that (R_OK, W_OK, X_OK) with a file, or it is there at all (F_OK).
func isPermitted(_ deed: Int32, _ path: String) -> Bool {
    // SAFETY: reads the path.
    unsafe access(path, deed) == 0
}

/// A device's number as /proc/self/mountinfo writes it: "0:52".
func deviceText(_ device: UInt64) -> String {
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
    let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
    return "\(major):\(minor)"
}

extension Errno {
    static let connectionAborted = Errno(rawValue: ECONNABORTED)
    static let connectionRefused = Errno(rawValue: ECONNREFUSED)
}
