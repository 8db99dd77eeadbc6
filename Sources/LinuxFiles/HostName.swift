import Glibc

/// What this computer is called.
public enum HostName {
    public static let current: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        // SAFETY: gethostname writes at most as many bytes as it is told; the last one stays zero.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0, buffer[0] != 0 else { return "localhost" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
}
