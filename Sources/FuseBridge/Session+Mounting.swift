import CFuse3
import Drive
import Glibc
import LinuxFiles

extension Session {
    /// Puts the drive into the tree. It answers from `run` on.
    public static func mount(_ drive: any ServedTree, on mountpoint: String, options: SessionOptions) throws(Failure) -> Session {
        // Whoever mounts for this process has looked at all this.
        guard options.mount == nil else { return try begin(drive, at: mountpoint, options) }
        let place = try checked(mountpoint)
        try checkDevice()
        try checkHelper(options)
        guard geteuid() == 0 else { return try begin(drive, at: place, options) }
        // Root mounts on the folder that the path leads to now, and on no other that somebody has it lead to meanwhile.
        let held: MountPlace
        do throws(Errno) {
            // The real path has no links: one that is there by now is another user's.
            guard !options.isWithoutLinks || place == mountpoint else { throw .notDirectory }
            held = try MountPlace(place)
        } catch {
            guard error != .notDirectory else { throw Failure(.tooManySymbolicLinks, "the path of the mountpoint “\(mountpoint)” leads elsewhere by now") }
            throw Failure(error, "cannot reach the mountpoint “\(mountpoint)”: \(error)", cause: error)
        }
        return try begin(drive, at: place, options, on: held)
    }

    /// The same without a mountpoint: answers whoever speaks the kernel's part at the other end of `device`, which is the
    /// session's from now on.
    static func serve(_ drive: any ServedTree, through device: consuming Descriptor, options: SessionOptions) throws(Failure) -> Session {
        // What libfuse takes for a device that was opened already. It is closed with the session.
        let place = "/dev/fd/\(device.rawValue)"
        let session = try begin(drive, at: place, options)
        _ = device.release()
        return session
    }

    private static func begin(_ drive: any ServedTree, at place: String, _ options: SessionOptions, on opened: MountPlace? = nil) throws(Failure) -> Session {
        LibraryLog.keep()
        // Before it is mounted: from then on nobody gives that folder another name.
        let held = opened ?? (try? MountPlace(place)), folder: OpenFile?
        do throws(Errno) { folder = try opened?.opened() } catch { throw Failure(error, "cannot reach the mountpoint “\(place)”: \(error)", cause: error) }
        let adapter = Adapter(drive: drive)
        guard let handle = unsafe newSession(adapter, options) else {
            throw Failure(.invalid, "cannot mount on “\(place)”: \(reasons("libfuse did not take the options"))")
        }
        guard let pool = unsafe CFuse3_pool_new(handle, UInt32(clamping: options.threads), needsNoStore) else {
            _ = LibraryLog.kept()
            unsafe CFuse3_session_destroy(handle)
            throw Failure(.noMemory, "cannot mount on “\(place)”: there is no memory for it")
        }
        // SAFETY: both are ours; the session object frees them.
        func refused(_ reason: String) -> Failure {
            unsafe CFuse3_pool_free(pool)
            unsafe CFuse3_session_destroy(handle)
            return Failure(.notPermitted, "cannot mount on “\(place)”: \(reason)")
        }
        var target = folder.map { "/proc/self/fd/\($0.descriptor.rawValue)" } ?? place
        if let mount = options.mount {
            // libfuse's way to say that it is mounted already; the session closes it.
            do throws(Errno) { target = "/dev/fd/\(try mount().descriptor.duplicate().release())" } catch { throw refused("\(error)") }
        }
        defer { withExtendedLifetime(folder) {} }
        guard unsafe CFuse3_session_mount(handle, target) == 0 else { throw refused(reasons("the system refused it; see `valise doctor`")) }
        for line in LibraryLog.kept() { log(line) }
        let session = unsafe Session(
            adopting: handle, pool: pool, adapter: adapter, mountpoint: place, place: held, mounted: options.mounted,
            unmount: options.unmount ?? { UnmountOutcome.unmount(place, lazily: $0) })
        drive.setListener(session)
        return session
    }

    private static func newSession(_ adapter: Adapter, _ options: SessionOptions) -> OpaquePointer? {
        var operations = CFuse3_Operations.all()
        let arguments = unsafe options.arguments.map { unsafe strdup($0) }
        defer { for unsafe argument in unsafe arguments { unsafe free(argument) } }
        // SAFETY: libfuse copies the arguments and the table; the adapter is kept by the session object that
        // is made around what this returns.
        let texts = unsafe arguments.compactMap { unsafe UnsafePointer($0) }
        return unsafe texts.withUnsafeBufferPointer { texts in
            guard let start = texts.baseAddress else { return nil }
            return unsafe CFuse3_session_new(
                start, Int32(texts.count), &operations, options.accessLists, Unmanaged.passUnretained(adapter).toOpaque())
        }
    }

    private static func reasons(_ otherwise: String) -> String {
        let lines = LibraryLog.kept()
        return lines.isEmpty ? otherwise : lines.joined(separator: "; ")
    }
}

// What can be told before trying is told in better words than libfuse's, and before a helper program writes its own.
extension Session {
    /// The mountpoint's real path, if it is a folder.
    private static func checked(_ mountpoint: String) throws(Failure) -> String {
        // SAFETY: realpath allocates its answer, which is freed after it was copied; stat fills the struct it is given.
        guard let real = unsafe realpath(mountpoint, nil) else {
            let error = Errno.current
            switch error.rawValue {
            case ENOENT:
                throw Failure(error, "the mountpoint “\(mountpoint)” is not there; make it with `mkdir -p '\(mountpoint)'`", cause: error)
            case ENOTCONN:
                throw Failure(error, "a drive on “\(mountpoint)” has died; clear it away with `fusermount3 -u -z '\(mountpoint)'`", cause: error)
            default:
                throw Failure(error, "cannot reach the mountpoint “\(mountpoint)”: \(error)", cause: error)
            }
        }
        defer { unsafe free(real) }
        let path = unsafe String(cString: real)
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else {
            let error = Errno.current
            throw Failure(error, "cannot reach the mountpoint “\(mountpoint)”: \(error)", cause: error)
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(.notDirectory, "the mountpoint “\(mountpoint)” is not a folder; name one, and best an empty one")
        }
        guard unsafe geteuid() == 0 || access(path, W_OK) == 0 else {
            throw Failure(.accessDenied, "you may only mount on a folder that you may write to, and “\(mountpoint)” is not one; choose another or change its owner")
        }
        return path
    }

    private static func checkDevice() throws(Failure) {
        guard unsafe access("/dev/fuse", F_OK) == 0 else {
            throw Failure(.noSuchDevice, "there is no /dev/fuse; load the kernel's module with `modprobe fuse`, or start this container with `--device /dev/fuse`")
        }
        guard unsafe geteuid() != 0 || access("/dev/fuse", R_OK | W_OK) == 0 else {
            throw Failure(.notPermitted, "/dev/fuse may not be opened here; a container needs `--device /dev/fuse --cap-add SYS_ADMIN`")
        }
    }

    private static func checkHelper(_ options: SessionOptions) throws(Failure) {
        guard geteuid() != 0 else { return }
        guard Helper.path != nil else {
            throw Failure(.noSuchEntry, "the program fusermount3 is missing, which users other than root mount with; install the package fuse3")
        }
        let open = options.kernelOptions.first { $0 == "allow_other" || $0 == "allow_root" }
        guard let open, !Helper.configuration.contains("user_allow_other") else { return }
        throw Failure(.notPermitted, "the option \(open) needs the line `user_allow_other` in /etc/fuse.conf; add it there, or leave the option out")
    }
}
