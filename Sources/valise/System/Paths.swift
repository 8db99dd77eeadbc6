import Glibc
import LinuxFiles

/// A path with every symbolic link followed and without "..".
func realPath(_ path: String) throws(Errno) -> String {
    try AbsolutePath.of(try Descriptor.atPath(path, .path))
}

/// A mountpoint's path as the kernel lists it, without asking the drive that may be mounted on it:
/// a dead or stopped one could not answer. So the last part is not looked into, only read as a link.
///
/// What is above the mountpoint may be on a drive, too: `foundPath` asks with a deadline.
func mountpointPath(_ path: String) throws(Errno) -> String {
    var path = path
    for _ in 0..<40 {
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.last, !last.isEmpty, last != ".", last != ".." else {
            return path == "." ? try currentFolder() : try realPath(path)
        }
        let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        let folder = parent.isEmpty ? "/" : parent == "." ? try currentFolder() : try realPath(parent)
        let whole = folder == "/" ? "/\(last)" : "\(folder)/\(last)"
        guard let target = linkTarget(whole) else { return whole }
        path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    throw .tooManySymbolicLinks
}

/// What a symbolic link says, or nil for anything else.
func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    // SAFETY: readlink writes at most as many bytes as it is told there are.
    let count = unsafe readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}

/// Why a file cannot be looked at.
func unseen(_ path: String, _ error: Errno) -> String {
    // A drive says so of a document that is written in its place, for as long as it is not whole.
    error == .busy ? "somebody writes \(quoted(path)) at this moment, and it is not whole: try again in a few seconds" : "cannot look at \(quoted(path)): \(error)"
}

/// The mountpoint's path for a verb, or the sentence why there is none.
func foundPath(_ path: String) throws(Stop) -> String {
    switch Child.ask({ () throws(Errno) in Array(try mountpointPath(path).utf8) }) {
    case .answer(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .failed(.noSuchEntry): throw Stop(1, missing(path))
    case .failed(let error): throw Stop(1, unseen(path, error))
    case .silent: throw Stop(1, "\(quoted(path)) lies on a file system that does not answer; to see which: valise doctor")
    }
}

/// Whether there is anything at a path. What cannot be looked at is there, too: a drive that does not answer, or is dead.
func isThere(_ path: String) -> Bool {
    switch Child.ask({ () throws(Errno) in
        _ = try Descriptor.atPath(path, .path)
        return []
    }) {
    case .failed(.noSuchEntry), .failed(.notDirectory): false
    case .answer, .failed, .silent: true
    }
}

func checkThere(_ path: String) throws(Stop) {
    guard isThere(path) else { throw Stop(1, missing(path)) }
}

/// What is said of a path that leads to nothing.
func missing(_ path: String) -> String { "there is no \(quoted(path))" }

/// The path as it is written, from the root on: nothing is looked at, so symbolic links stay.
func writtenPath(_ path: String) -> String {
    var parts: [Substring] = []
    let whole = path.hasPrefix("/") ? path : "\((try? currentFolder()) ?? "")/\(path)"
    for part in whole.split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
}

/// As a link in /proc, which asks no drive anything.
private func currentFolder() throws(Errno) -> String {
    guard let folder = linkTarget("/proc/self/cwd") else { throw .noSuchEntry }
    return folder
}

/// Whether a path is the folder or lies in it. Both are real paths.
func isInside(_ path: String, _ folder: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
}
