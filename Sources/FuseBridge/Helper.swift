import Glibc
import LinuxFiles

/// fusermount3, which mounts and unmounts for users who may not.
enum Helper {
    /// Where it is, if it is.
    static var path: String? {
        // SAFETY: the environment is not changed after the start.
        let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
        return (folders.split(separator: ":").map(String.init) + ["/usr/bin", "/bin"])
            .map { "\($0)/fusermount3" }
            .first { unsafe access($0, X_OK) == 0 }
    }

    /// The lines of /etc/fuse.conf that say something.
    static var configuration: Set<String> {
        guard let file = unsafe fopen("/etc/fuse.conf", "re") else { return [] }
        defer { _ = unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        // SAFETY: fread writes at most as many bytes as there are.
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        return Set(lines.map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\r" } })
    }

    /// Runs it and waits. Whether it did what was asked.
    static func run(_ arguments: [String]) -> Bool {
        guard let path else { return false }
        // SAFETY: the copies live until the program was started; the list ends in nil as exec wants it.
        var texts = unsafe ([path] + arguments).map { unsafe strdup($0) }
        defer { for unsafe text in unsafe texts { unsafe free(text) } }
        unsafe texts.append(nil)
        var process: pid_t = 0
        // With no signals blocked, whatever this process blocks.
        var attributes = posix_spawnattr_t(), none = sigset_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        guard unsafe posix_spawn(&process, path, nil, &attributes, texts, environ) == 0 else { return false }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }
}
