import Foundation
import Glibc

/// Calls by a path, each with what it answers: nothing less than zero, or -1 and the errno.
enum ReadOnlyCalls {
    typealias Call = @Sendable (String) -> Int

    static let table: [Row] = opening + byPath + byDescriptor

    /// A row of a table: a call of its own, so that the compiler looks at one after another.
    struct Row: Sendable {
        let name: String
        let call: Call

        init(_ name: String, _ call: @escaping Call) { (self.name, self.call) = (name, call) }

        /// The error's name, or “done”. What was opened is closed.
        func answer(_ path: String) -> String {
            errno = 0
            return call(path) < 0 ? String(cString: strerror(errno)) : "done"
        }
    }

    private static let byPath: [Row] = [
        Row("access", { Int(access($0, F_OK)) }),
        Row("access to read", { Int(access($0, R_OK)) }),
        Row("access to write", { Int(access($0, W_OK)) }),
        Row("access to run", { Int(access($0, X_OK)) }),
        Row("statvfs", { path in
            var facts = statvfs()
            return statvfs(path, &facts) == 0 && facts.f_flag & 1 != 0 ? 0 : -1
        }),
        Row("mkdir", { Int(mkdir($0, 0o755)) }),
        Row("mkdir in it", { Int(mkdir($0 + "/new", 0o755)) }),
        Row("mknod of a file", { Int(mknod($0, S_IFREG | 0o644, 0)) }),
        Row("mknod of a pipe in it", { Int(mknod($0 + "/new", S_IFIFO | 0o644, 0)) }),
        Row("symlink", { Int(symlink("plain", $0)) }),
        Row("symlink in it", { Int(symlink("plain", $0 + "/new")) }),
        Row("link to it", { Int(link($0, beside($0, "second"))) }),
        Row("link to it by a name that is there", { Int(link($0, beside($0, "script"))) }),
        Row("unlink", { Int(unlink($0)) }),
        Row("rmdir", { Int(rmdir($0)) }),
        Row("rename", { Int(rename($0, beside($0, "other"))) }),
        Row("rename to itself", { Int(rename($0, $0)) }),
        Row("rename over a file", { Int(rename($0, beside($0, "script"))) }),
        Row("rename over a document", { Int(rename($0, beside($0, "Cat.png"))) }),
        Row("rename over a folder", { Int(rename($0, beside($0, "Full"))) }),
        Row("rename into a folder", { Int(rename($0, beside($0, "Album/other"))) }),
        Row("rename over nothing", { Int(renamed($0, beside($0, "script"), 1)) }),
        Row("exchange", { Int(renamed($0, beside($0, "script"), 2)) }),
        Row("exchange with nothing", { Int(renamed($0, beside($0, "other"), 2)) }),
        Row("chmod", { Int(chmod($0, 0o600)) }),
        Row("chown", { Int(lchown($0, 1, 1)) }),
        Row("chown to nobody else", { Int(lchown($0, .max, .max)) }),
        Row("truncate", { Int(truncate($0, 0)) }),
        Row("truncate to less than nothing", { Int(truncate($0, -1)) }),
        Row("times of now", { Int(utimensat(AT_FDCWD, $0, nil, 0)) }),
        Row("times of now, by the link", { Int(utimensat(AT_FDCWD, $0, nil, AT_SYMLINK_NOFOLLOW)) }),
        Row("times of before", { Int(utimensat(AT_FDCWD, $0, [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 2, tv_nsec: 0)], 0)) }),
        Row("times left as they are", { Int(utimensat(AT_FDCWD, $0, [timespec(tv_sec: 0, tv_nsec: omitted), timespec(tv_sec: 0, tv_nsec: omitted)], 0)) }),
        Row("getxattr", { get($0, "user.there", nil, 0) }),
        Row("setxattr", { Int(set($0, "user.new", "1", 1, 0)) }),
        Row("setxattr of one that is there", { Int(set($0, "user.there", "1", 1, 1)) }),
        Row("removexattr", { Int(remove($0, "user.there")) }),
        Row("removexattr of none", { Int(remove($0, "user.absent")) }),
    ]

    private static let opening: [Row] = ([
        ("to read", O_RDONLY), ("to write", O_WRONLY), ("to read and write", O_RDWR), ("to append", O_WRONLY | O_APPEND), ("to cut", O_RDONLY | O_TRUNC),
        ("to cut and write", O_WRONLY | O_TRUNC), ("its place", pathOnly), ("a folder", O_RDONLY | O_DIRECTORY),
        ("to read or make", O_RDONLY | O_CREAT), ("to write or make", O_WRONLY | O_CREAT), ("to cut or make", O_RDWR | O_CREAT | O_TRUNC),
        ("to make to read", O_RDONLY | O_CREAT | O_EXCL), ("to make", O_RDWR | O_CREAT | O_EXCL), ("a file without a name", O_RDWR | nameless),
    ] as [(String, Int32)]).map { name, flags in
        Row("open \(name)", { path in
            let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o644)
            if descriptor >= 0 { close(descriptor) }
            return Int(descriptor)
        })
    }

    /// By what was opened for reading.
    private static let byDescriptor: [Row] = openCalls.map { name, call in
        Row(name + " by its descriptor", { path in
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return -1 }
            let answer = call(descriptor), error = errno
            close(descriptor)
            errno = error
            return answer
        })
    }

    private static let openCalls: [(String, @Sendable (Int32) -> Int)] = [
        ("write", { write($0, "1", 1) }), ("ftruncate", { Int(ftruncate($0, 0)) }), ("fallocate", { failed(posix_fallocate($0, 0, 10)) }),
        ("fchmod", { Int(fchmod($0, 0o600)) }), ("fchown", { Int(fchown($0, 1, 1)) }), ("futimens", { Int(futimens($0, nil)) }),
        ("fsetxattr", { Int(set("/proc/self/fd/\($0)", "user.new", "1", 1, 0)) }), ("fremovexattr", { Int(remove("/proc/self/fd/\($0)", "user.there")) }),
        ("fsync", { Int(fsync($0)) }), ("link to what is open", { Int(linkat(AT_FDCWD, "/proc/self/fd/\($0)", $0, "new", AT_SYMLINK_FOLLOW)) }),
        ("a shared map to write", { descriptor in
            let start = mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
            guard start != MAP_FAILED else { return -1 }
            munmap(start, 1)
            return 0
        }),
    ]

    /// -1 and the errno that a function returns instead of setting it.
    private static func failed(_ error: Int32) -> Int {
        errno = error
        return error == 0 ? 0 : -1
    }

    // What Swift does not import.

    private static let renamed2 = unsafeBitCast(
        dlsym(nil, "renameat2"), to: (@convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32).self)
    private static let get = unsafeBitCast(
        dlsym(nil, "getxattr"), to: (@convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int).self)
    private static let set = unsafeBitCast(
        dlsym(nil, "setxattr"), to: (@convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, Int, Int32) -> Int32).self)
    private static let remove = unsafeBitCast(
        dlsym(nil, "removexattr"), to: (@convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32).self)

    private static func renamed(_ path: String, _ new: String, _ flags: UInt32) -> Int32 { renamed2(AT_FDCWD, path, AT_FDCWD, new, flags) }

    private static func beside(_ path: String, _ name: String) -> String {
        let shown = ["/plain/below", "/."].first(where: path.hasSuffix).map { path.dropLast($0.count) + "/x" } ?? path[...]
        return (String(shown) as NSString).deletingLastPathComponent + "/" + name
    }

    /// `O_PATH`, `O_TMPFILE` and `UTIME_OMIT`, which Swift does not import.
    private static let pathOnly: Int32 = 0o10000000, nameless: Int32 = 0o20200000, omitted = (1 << 30) - 2
}
