import Foundation

/// A folder of a test's own, gone with it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        var template = Array((NSTemporaryDirectory() + "/valise-test.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Failed("cannot make a temporary folder: \(String(cString: strerror(errno)))") }
        // As the kernel will list it.
        let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let real = realpath(made, nil) else { throw Failed("cannot find the temporary folder again") }
        defer { free(real) }
        path = String(cString: real)
    }

    deinit {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return }
        Self.clear(AT_FDCWD, path, on: facts.st_dev, depth: 0)
        // What lies deep, and what something is mounted on.
        if rmdir(path) != 0 { _ = try? Program.runQuietly(["rm", "-rf", "--one-file-system", "--", path]) }
    }

    /// Takes away what is in a folder, on this file system only: never what a forgotten mount shows. By the kernel's calls, because names may be no
    /// UTF-8, and because a tool for each folder would take longer than most tests.
    private static func clear(_ parent: Int32, _ name: UnsafePointer<CChar>, on device: dev_t, depth: Int) {
        let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0, let entries = fdopendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    var facts = stat()
                    guard strcmp(name, ".") != 0, strcmp(name, "..") != 0, fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_dev == device else { return }
                    let isFolder = facts.st_mode & S_IFMT == S_IFDIR
                    if isFolder, depth < 100 { clear(folder, name, on: device, depth: depth + 1) }
                    unlinkat(folder, name, isFolder ? AT_REMOVEDIR : 0)
                }
            }
        }
    }
}
