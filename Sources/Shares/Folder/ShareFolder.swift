import Hashes
import LinuxFiles

/// The folder through which devices agree, as it lies on this computer's disk. Whoever can write there, and whoever carries it, may have put anything
/// into it: what is no file, too large or cannot be read is not there.
public struct ShareFolder: Sendable {
    let top: OpenFile
    /// Of its files: as the share itself is, whoever may read that may read them.
    private let permissions: UInt32

    static let marker = Name(constant: "valise-share"), head = Name(constant: "head"), contents = Name(constant: "c")
    /// What is not whole yet, of this device's own, is called so.
    private static let unfinished = UInt8(ascii: "~")
    /// More than these are looked at in no share.
    static let mostDevices = 1000, mostFiles = 10_000

    public init(path: String) throws(Failure) {
        do throws(Errno) {
            top = OpenFile(try Descriptor.atPath(path, [.path, .folder]))
            permissions = try top.descriptor.status().permissions & 0o777
        } catch { throw Failure(error, "the share “\(Name.printable(path.utf8))” cannot be opened: \(error)", cause: error) }
    }

    /// Whether an error says that something is not there yet, or not to be had now, and nothing of what this process may still do.
    static func isAbsence(_ error: Errno) -> Bool { ![.tooManyOpenFiles, .noMemory].contains(error) && !error.isShortageForNow }

    // MARK: Reading

    func devices() throws(Errno) -> [ShareDevice] {
        var reader = try FolderReader(top.descriptor), devices: [ShareDevice] = []
        while devices.count < Self.mostDevices, let entry = try reader.next() {
            if entry.type == .folder, let device = ShareDevice(folder: entry.name) { devices.append(device) }
        }
        return devices.sorted()
    }

    /// A device's folder; nil where there is none.
    func folder(of device: ShareDevice) throws(Errno) -> OpenFile? {
        guard let name = device.folder else { return nil }
        return try Self.present { () throws(Errno) in OpenFile(try top.descriptor.open(name, [.path, .folder])) }
    }

    static func names(in folder: OpenFile) throws(Errno) -> [FolderReader.Entry] {
        var reader = try FolderReader(folder.descriptor), entries: [FolderReader.Entry] = []
        while entries.count < mostFiles, let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    /// Nil where there is no such file, or it is larger than that.
    static func read(_ name: Name, in folder: OpenFile, limit: Int) throws(Errno) -> [UInt8]? {
        try present { () throws(Errno) in
            let file = try folder.descriptor.open(name, [.read, .nonBlocking]), status = try file.status()
            guard status.type == .regular else { return nil }
            return try file.readAll(limit: limit, status)
        } ?? nil
    }

    /// Nil where it is not there.
    static func present<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value? {
        do throws(Errno) { return try body() } catch {
            guard isAbsence(error) else { throw error }
            return nil
        }
    }

    /// One content's file, and how long it is now: nil where none of these devices has it. Whether it is whole is seen by who reads it.
    func content(_ digest: Digest, of device: ShareDevice) throws(Errno) -> (file: OpenFile, size: Int64)? {
        guard let place = ContentPlace(digest), let folder = try folder(of: device) else { return nil }
        do throws(Errno) {
            let half = try folder.folder(at: [Self.contents, place.half])
            let file = OpenFile(try half.descriptor.open(place.name, [.read, .nonBlocking])), status = try file.descriptor.status()
            return status.type == .regular && status.size <= ContentPlace.largest ? (file, status.size) : nil
        } catch {
            guard Self.isAbsence(error) else { throw error }
            return nil
        }
    }

    // MARK: Writing

    private var folderMode: UInt32 { permissions | 0o700 }
    private var fileMode: UInt32 { permissions & 0o666 | 0o600 }

    /// This device's own folder, which is made where it is missing.
    func ownFolder(_ device: ShareDevice) throws(Errno) -> OpenFile {
        guard let name = device.folder else { throw .invalid }
        return try made(name, in: top)
    }

    func made(_ name: Name, in folder: OpenFile) throws(Errno) -> OpenFile {
        do throws(Errno) { return OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch { guard error == .noSuchEntry else { throw error } }
        do throws(Errno) { try folder.descriptor.makeFolder(name, mode: folderMode) } catch { guard error == .exists else { throw error } }
        return OpenFile(try folder.descriptor.open(name, [.path, .folder]))
    }

    /// The file is there with all its bytes, or not at all, also after the power failed.
    func write(_ bytes: [UInt8], as name: Name, in folder: OpenFile) throws(Errno) {
        try write(as: name, in: folder) { (file) throws(Errno) in
            try file.write(bytes, at: 0)
            return true
        }
    }

    /// `fill` answers whether it is what it is to be; if not, nothing is there.
    @discardableResult
    func write(as name: Name, in folder: OpenFile, fill: (borrowing Descriptor) throws(Errno) -> Bool) throws(Errno) -> Bool {
        guard let unfinished = Name([Self.unfinished] + name.bytes) else { throw .nameTooLong }
        do throws(Errno) {
            let file = try folder.descriptor.open(unfinished, [.readWrite, .create, .truncate], mode: fileMode)
            guard try fill(file) else {
                try folder.descriptor.unlink(unfinished)
                return false
            }
            try file.synchronize()
            try file.close()
            try folder.descriptor.rename(unfinished, to: folder.descriptor, as: name)
        } catch {
            try? folder.descriptor.unlink(unfinished)
            throw error
        }
        // Not every store synchronizes folders.
        do throws(Errno) { try folder.descriptor.reopened([.read, .folder]).synchronize() } catch { guard error == .invalid || error == .notSupported else { throw error } }
        return true
    }

    static func isUnfinished(_ name: Name) -> Bool { name.bytes.first == unfinished }

    static func remove(_ name: Name, in folder: OpenFile) throws(Errno) {
        do throws(Errno) { try folder.descriptor.unlink(name) } catch { guard error == .noSuchEntry else { throw error } }
    }
}

/// Where a content lies in a device's folder: `c/ab/<64 digits>`.
struct ContentPlace {
    let half: Name
    let name: Name

    static let largest: Int64 = 4 << 20

    init?(_ digest: Digest) {
        let text = Array(digest.text.utf8)
        guard let half = Name(text.prefix(2)), let name = Name(text) else { return nil }
        (self.half, self.name) = (half, name)
    }

    /// The content that a file of this name is to be.
    static func content(_ name: Name) -> Digest? {
        guard name.bytes.count == Digest.count * 2, let bytes = Hexadecimal.bytes(name.bytes) else { return nil }
        return Digest(bytes)
    }
}
