import Glibc

/// Where an open folder lies now, for sentences, for /proc/mounts, and for SQLite. Otherwise never a way to open it again.
public enum AbsolutePath {
    public static func of(_ folder: borrowing Descriptor) throws(Errno) -> String {
        let link = Array("/proc/self/fd/\(folder.rawValue)".utf8CString)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try retrying { unsafe readlink(link, &buffer, buffer.count) }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
