import Glibc
import LinuxFiles

/// Where the worker's program lies: said by VALISE_THUMBNAILER, beside this program, or where it is installed.
public enum ThumbnailProgram {
    public static let name = "valise-thumbnailer"
    /// With this it ends where it cannot give up its rights.
    public static let unsealedCode: Int32 = 77

    public static func find() -> String? {
        // SAFETY: a C string that is copied at once; nothing here changes the environment.
        if let path = unsafe getenv("VALISE_THUMBNAILER").map({ unsafe String(cString: $0) }) {
            return isProgram(path) ? path : nil
        }
        guard let own = ownFolder() else { return nil }
        return ["\(own)/\(name)", "\(own)/../libexec/valise/\(name)"].first(where: isProgram)
    }

    private static func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    /// The folder of the program that runs.
    private static func ownFolder() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // SAFETY: readlink writes at most the buffer's count.
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
