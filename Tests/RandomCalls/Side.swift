import CLinux
import Glibc

enum Allocation {
    // The kernel passes no others on to a drive.
    static let keepSize: Int32 = 1, punch: Int32 = 3, zero: Int32 = 16
}

enum Renaming {
    static let noReplace: UInt32 = 1, exchange: UInt32 = 2
}

enum Attributes {
    static let create: Int32 = 1, replace: Int32 = 2
}

enum Times {
    static let now = (1 << 30) - 1, omit = (1 << 30) - 2
}

/// One of the two folders, with the files that are open in it: makes the calls.
final class Side {
    let name: String
    let root: String
    var files: [Int: Int32] = [:]

    init(name: String, root: String) {
        self.name = name
        self.root = root
    }

    func path(_ path: String) -> String { path.isEmpty ? root : root + "/" + path }

    private func outcome(_ result: Int, _ bytes: [UInt8]? = nil) -> Outcome { result < 0 ? Outcome(-Int(errno)) : Outcome(result, bytes) }
    private func done(_ result: Int32) -> Outcome { outcome(Int(result)) }

    /// Open files with an unused slot answer what a closed descriptor does.
    private func descriptor(_ slot: Int) -> Int32 { files[slot] ?? -1 }

    func openFile(_ slot: Int, _ path: String, _ flags: Int32, _ mode: UInt32) -> Outcome {
        let opened = CLinux_openat(AT_FDCWD, self.path(path), flags | O_NONBLOCK | O_CLOEXEC, mode)
        guard opened >= 0 else { return outcome(-1) }
        if let old = files.updateValue(opened, forKey: slot) { Glibc.close(old) }
        return Outcome()
    }

    func openNameless(_ slot: Int, _ path: String, _ mode: UInt32) -> Outcome { openFile(slot, path, CLinux_O_TMPFILE | O_RDWR, mode) }

    func close(_ slot: Int) -> Outcome {
        guard let open = files.removeValue(forKey: slot) else { return Outcome(-Int(EBADF)) }
        return done(Glibc.close(open))
    }

    func write(_ slot: Int, _ offset: Int, _ bytes: [UInt8]) -> Outcome { outcome(pwrite(descriptor(slot), bytes, bytes.count, offset)) }

    func append(_ path: String, _ bytes: [UInt8]) -> Outcome {
        let file = CLinux_openat(AT_FDCWD, self.path(path), O_WRONLY | O_APPEND | O_NONBLOCK, 0)
        guard file >= 0 else { return outcome(-1) }
        defer { Glibc.close(file) }
        return outcome(Glibc.write(file, bytes, bytes.count))
    }

    func read(_ slot: Int, _ offset: Int, _ count: Int) -> Outcome {
        var buffer = [UInt8](repeating: 0, count: count)
        let result = pread(descriptor(slot), &buffer, count, offset)
        return outcome(result, Array(buffer.prefix(max(result, 0))))
    }

    func truncate(_ slot: Int, _ size: Int) -> Outcome { done(ftruncate(descriptor(slot), size)) }
    func truncate(_ path: String, _ size: Int) -> Outcome { done(Glibc.truncate(self.path(path), size)) }
    func allocate(_ slot: Int, _ mode: Int32, _ offset: Int, _ count: Int) -> Outcome { done(CLinux_fallocate(descriptor(slot), mode, Int64(offset), Int64(count))) }
    func seek(_ slot: Int, _ offset: Int, _ whence: Int32) -> Outcome { outcome(lseek(descriptor(slot), offset, whence)) }
    func synchronize(_ slot: Int) -> Outcome { done(fsync(descriptor(slot))) }

    func copyRange(_ slot: Int, _ offset: Int, _ other: Int, _ place: Int, _ count: Int) -> Outcome {
        var from = Int64(offset), to = Int64(place)
        return outcome(CLinux_copy_file_range(descriptor(slot), &from, descriptor(other), &to, count, 0))
    }

    func makeFolder(_ path: String, _ mode: UInt32) -> Outcome { done(mkdir(self.path(path), mode)) }
    func removeFolder(_ path: String) -> Outcome { done(rmdir(self.path(path))) }
    func unlink(_ path: String) -> Outcome { done(Glibc.unlink(self.path(path))) }
    func rename(_ old: String, _ new: String, _ flags: UInt32) -> Outcome { done(CLinux_renameat2(AT_FDCWD, path(old), AT_FDCWD, path(new), flags)) }
    func link(_ old: String, _ new: String) -> Outcome { done(linkat(AT_FDCWD, path(old), AT_FDCWD, path(new), 0)) }
    func link(_ slot: Int, _ new: String) -> Outcome { done(linkat(AT_FDCWD, "/proc/self/fd/\(descriptor(slot))", AT_FDCWD, path(new), AT_SYMLINK_FOLLOW)) }
    func symbolicLink(_ target: String, _ path: String) -> Outcome { done(symlink(target, self.path(path))) }
    func makeNode(_ path: String, _ mode: UInt32) -> Outcome { done(mknod(self.path(path), mode, 0)) }

    func setPermissions(_ path: String, _ mode: UInt32) -> Outcome { done(chmod(self.path(path), mode)) }
    func setPermissions(_ slot: Int, _ mode: UInt32) -> Outcome { done(fchmod(descriptor(slot), mode)) }
    func setOwner(_ path: String, _ user: UInt32, _ group: UInt32) -> Outcome { done(lchown(self.path(path), user, group)) }
    func setTimes(_ path: String, _ accessed: timespec, _ modified: timespec) -> Outcome { done(utimensat(AT_FDCWD, self.path(path), [accessed, modified], AT_SYMLINK_NOFOLLOW)) }
    func setTimes(_ slot: Int, _ accessed: timespec, _ modified: timespec) -> Outcome { done(futimens(descriptor(slot), [accessed, modified])) }

    func setAttribute(_ path: String, _ key: String, _ value: [UInt8], _ flags: Int32) -> Outcome { done(lsetxattr(self.path(path), key, value, value.count, flags)) }
    func setAttribute(_ slot: Int, _ key: String, _ value: [UInt8]) -> Outcome { done(fsetxattr(descriptor(slot), key, value, value.count, 0)) }
    func removeAttribute(_ path: String, _ key: String) -> Outcome { done(lremovexattr(self.path(path), key)) }

    func attribute(_ path: String, _ key: String, room: Int) -> Outcome {
        var buffer = [UInt8](repeating: 0, count: max(room, 1))
        let result = lgetxattr(self.path(path), key, &buffer, room)
        return outcome(result, room == 0 ? nil : Array(buffer.prefix(max(result, 0))))
    }

    func list(_ path: String) -> Outcome {
        guard let folder = opendir(self.path(path)) else { return outcome(-1) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) } }
            if name != ".", name != ".." { names.append(name) }
        }
        return Outcome(0, Array(names.sorted().joined(separator: "/").utf8))
    }

    // MARK: What there is

    func status(_ path: String) -> stat? {
        var facts = stat()
        return lstat(self.path(path), &facts) == 0 ? facts : nil
    }

    func status(_ slot: Int) -> stat? {
        var facts = stat()
        return fstat(descriptor(slot), &facts) == 0 ? facts : nil
    }

    func content(_ path: String) -> [UInt8]? {
        let file = CLinux_openat(AT_FDCWD, self.path(path), O_RDONLY | CLinux_O_NOFOLLOW, 0)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        return content(of: file)
    }

    func content(_ slot: Int) -> [UInt8]? { content(of: descriptor(slot)) }

    private func content(of file: Int32) -> [UInt8]? {
        var facts = stat()
        guard fstat(file, &facts) == 0 else { return nil }
        // One more byte than there should be: what is too much is seen.
        var buffer = [UInt8](repeating: 0, count: Int(facts.st_size) + 1)
        let result = pread(file, &buffer, buffer.count, 0)
        return result < 0 ? nil : Array(buffer.prefix(result))
    }

    func target(_ path: String) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let result = buffer.withUnsafeMutableBytes { readlink(self.path(path), $0.baseAddress!.assumingMemoryBound(to: CChar.self), 4096) }
        return result < 0 ? nil : Array(buffer.prefix(result))
    }

    func attributes(_ path: String) -> [String: [UInt8]]? {
        var names = [CChar](repeating: 0, count: 4096)
        let length = llistxattr(self.path(path), &names, names.count)
        guard length >= 0 else { return nil }
        var found: [String: [UInt8]] = [:]
        for name in names.prefix(length).split(separator: 0) {
            let key = String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            found[key] = attribute(path, key, room: 4096).bytes
        }
        return found
    }
}
