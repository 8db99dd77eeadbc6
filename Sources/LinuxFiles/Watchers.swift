/// Which files and folders of a file system programs watch (inotify), as far as this process may see: those of its user, and
/// for root all.
///
/// The kernel tells nobody who is watched. It tells of each program what that one watches, in /proc.
public enum Watchers {
    /// The inodes that are watched on a device.
    public static func inodes(on device: DeviceNumber) -> Set<UInt64> {
        var found: Set<UInt64> = []
        guard let processes = try? Descriptor.atPath("/proc", [.path, .folder]), var all = try? FolderReader(processes) else { return [] }
        // As the kernel numbers file systems within.
        let mark = Array("sdev:\(String(device.major << 20 | device.minor, radix: 16))".utf8)
        while let entry = try? all.next() {
            // One that ends meanwhile watches nothing.
            if entry.name.bytes.allSatisfy({ (0x30...0x39).contains($0) }) { try? addInodes(of: entry.name, processes, mark, to: &found) }
        }
        return found
    }

    private static func addInodes(
        of process: Name, _ processes: borrowing Descriptor, _ mark: [UInt8], to found: inout Set<UInt64>
    ) throws(Errno) {
        let place = try processes.open(process, [.path, .folder])
        let files = try place.open(Name(constant: "fd"), [.path, .folder])
        var reader = try FolderReader(files)
        while let file = try reader.next() {
            guard try files.readSymbolicLink(file.name).elementsEqual("anon_inode:inotify".utf8) else { continue }
            let facts = try place.open(Name(constant: "fdinfo"), [.path, .folder]).open(file.name, .read).readAll(limit: 64 << 20)
            for line in facts.split(separator: UInt8(ascii: "\n")) { if let inode = inode(in: line, mark) { found.insert(inode) } }
        }
    }

    /// "inotify wd:1 ino:9e7e sdev:800013 mask:…", in hexadecimal numbers.
    private static func inode(in line: ArraySlice<UInt8>, _ mark: [UInt8]) -> UInt64? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
        guard words.count > 3, words[0].elementsEqual("inotify".utf8), words[2].starts(with: "ino:".utf8), words[3].elementsEqual(mark) else { return nil }
        return UInt64(String(decoding: words[2].dropFirst(4), as: UTF8.self), radix: 16)
    }
}
