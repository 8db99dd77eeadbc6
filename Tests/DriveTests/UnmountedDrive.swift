import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Drive

/// A new container with a drive that is mounted nowhere, asked as the kernel would ask it: by nodes and names, and each name
/// a text. What the drive's calls are named and take is said here only.
final class UnmountedDrive {
    static let root = NodeID.root
    static let control = NodeID.control
    static let status = NodeID.status
    static let nobody = NodeID(rawValue: 77_777)

    let drive: Drive
    private let folder: TemporaryFolder
    let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    /// `prepare` gets the path of the documents before the drive looks at them. `kinds`: others than the shipped ones, and all are created. `keeps`: earlier
    /// versions, and what is deleted.
    init(readOnly: Bool = false, kinds: KindRegistry? = nil, keeps: Bool = false, _ prepare: (String) throws -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        try NewContainer.make(at: folder.path, kinds: nil, samples: false)
        try prepare(folder.path + "/Documents")
        let container = try Container.open(folder.path, access: readOnly ? .read : .readWrite, creating: kinds?.all.map(\.name), kinds: kinds ?? .shipped)
        var options = DriveOptions()
        options.changes = .off
        (options.keepsVersions, options.keepsDeleted) = (keeps, keeps)
        drive = Drive(
            container: container, options: options,
            workshop: readOnly ? nil : try Workshop.open(in: container, purpose: "tested", versions: keeps ? .standard : .off, deleted: keeps ? .standard : .off))
    }

    deinit { drive.close() }

    // MARK: The container

    var path: String { folder.path }
    func stored(_ name: String) -> String { folder.path + "/Documents/" + name }
    func storedNames(_ folder: String = "") throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: stored(folder)).sorted() }
    func storedBytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: stored(name)).map { Array($0) } }

    // MARK: Names

    private func name(_ text: String) throws -> Name { try #require(Name(text)) }

    func lookUp(_ text: String, in folder: NodeID = root) throws -> NodeID { try drive.lookUp(name(text), in: folder, caller: caller).node }
    func parent(of folder: NodeID) throws -> NodeID { try drive.lookUp(.parent, in: folder, caller: caller).node }
    func again(_ node: NodeID) throws -> NodeID { try drive.lookUpAgain(node).node }
    func forget(_ node: NodeID, _ count: UInt64) { drive.forget(node, count: count) }
    func target(of link: NodeID) throws -> String { String(decoding: try drive.readLink(link), as: UTF8.self) }

    /// The names, "." and ".." not among them, from `position` on and no more than `most`; and where to go on.
    func list(_ node: NodeID = root, from position: UInt64 = 0, most: Int = .max, counting: Bool = false) throws -> (names: [String], next: UInt64) {
        let opened = try drive.openFolder(node, caller: caller)
        defer { drive.releaseFolder(opened.handle) }
        return try list(opened.handle, from: position, most: most, counting: counting)
    }

    func openFolder(_ node: NodeID) throws -> FolderHandleID { try drive.openFolder(node, caller: caller).handle }
    func releaseFolder(_ handle: FolderHandleID) { drive.releaseFolder(handle) }
    func syncFolder(_ node: NodeID) throws { try drive.syncFolder(node) }

    func list(_ handle: FolderHandleID, from position: UInt64 = 0, most: Int = .max, counting: Bool = false) throws -> (names: [String], next: UInt64) {
        var names: [String] = [], next = position, taken = 0
        try drive.readFolder(handle, from: position, counting: counting) { entry in
            guard taken < most else { return false }
            taken += 1
            next = entry.next
            if let name = entry.name { names.append(name.description) }
            return true
        }
        return (names, next)
    }

    // MARK: Making and removing

    func makeFolder(_ text: String, in folder: NodeID = root, mode: UInt32 = 0o755) throws -> NodeID {
        try drive.makeFolder(name(text), in: folder, mode: mode, caller: caller).node
    }

    func makeNode(_ text: String, in folder: NodeID = root, mode: UInt32 = 0o100644, device: UInt64 = 0) throws -> NodeID {
        try drive.makeNode(name(text), in: folder, mode: mode, device: device, caller: caller).node
    }

    func makeLink(_ text: String, to target: String, in folder: NodeID = root) throws -> NodeID {
        try drive.makeSymbolicLink(name(text), in: folder, to: Array(target.utf8), caller: caller).node
    }

    func link(_ node: NodeID, as text: String, in folder: NodeID = root) throws -> NodeID { try drive.link(node, as: name(text), in: folder, caller: caller).node }
    func unlink(_ text: String, in folder: NodeID = root) throws { try drive.unlink(name(text), in: folder, caller: caller) }
    func removeFolder(_ text: String, in folder: NodeID = root) throws { try drive.removeFolder(name(text), in: folder, caller: caller) }

    func rename(_ old: String, in folder: NodeID = root, to new: String, into newFolder: NodeID? = nil, flags: UInt32 = 0) throws {
        try drive.rename(name(old), in: folder, to: name(new), in: newFolder ?? folder, flags: flags, caller: caller)
    }

    // MARK: Content

    func create(_ text: String, in folder: NodeID = root, mode: UInt32 = 0o644, flags: Int32 = O_RDWR | O_EXCL) throws -> (node: NodeID, handle: HandleID) {
        let (entry, opened) = try drive.create(name(text), in: folder, mode: mode, flags: flags | O_CREAT, caller: caller)
        return (entry.node, opened.handle)
    }

    func createNameless(in folder: NodeID = root, flags: Int32 = O_RDWR) throws -> (node: NodeID, handle: HandleID) {
        let (entry, opened) = try drive.createNameless(in: folder, mode: 0o600, flags: flags, caller: caller)
        return (entry.node, opened.handle)
    }

    func open(_ node: NodeID, _ flags: Int32 = O_RDONLY) throws -> HandleID { try drive.open(node, flags: flags, caller: caller).handle }
    func release(_ handle: HandleID) { drive.release(handle) }
    func flush(_ handle: HandleID) throws { try drive.flush(handle) }
    func sync(_ handle: HandleID, dataOnly: Bool = false) throws { try drive.sync(handle, dataOnly: dataOnly) }

    func read(_ handle: HandleID, at offset: Int64 = 0, _ count: Int = 1 << 16) throws -> [UInt8] {
        switch try drive.read(handle, at: offset, count: count) {
        case .bytes(let bytes): return Array(bytes)
        case .file(let file, let offset, let count): return try file.descriptor.read(at: offset, count: count)
        }
    }

    @discardableResult
    func write(_ bytes: [UInt8], to handle: HandleID, at offset: Int64 = 0, _ end: WriteEnd = .asAsked) throws -> Int {
        try drive.write(handle, at: offset, count: bytes.count, end) { (descriptor, offset) throws(Errno) in
            let count = pwrite(descriptor, bytes, bytes.count, off_t(offset))
            guard count >= 0 else { throw .current }
            return count
        }
    }

    func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws -> Int64 { try drive.seek(handle, to: offset, whence: whence) }
    func allocate(_ handle: HandleID, mode: Int32 = 0, at offset: Int64 = 0, _ length: Int64) throws { try drive.allocate(handle, mode: mode, offset: offset, length: length, caller: caller) }

    func copy(from: HandleID, at fromOffset: Int64 = 0, to: HandleID, at toOffset: Int64 = 0, _ count: Int) throws -> Int {
        try drive.copyRange(from: from, at: fromOffset, to: to, at: toOffset, count: count, caller: caller)
    }

    /// A file with this content, closed.
    func make(_ text: String, _ content: String, in folder: NodeID = root) throws -> NodeID {
        let made = try create(text, in: folder)
        try write(Array(content.utf8), to: made.handle)
        try flush(made.handle)
        release(made.handle)
        return try lookUp(text, in: folder)
    }

    // MARK: Attributes

    func attributes(_ node: NodeID, _ handle: HandleID? = nil) throws -> Attributes { try drive.attributes(of: node, handle: handle) }

    @discardableResult
    func set(_ node: NodeID, handle: HandleID? = nil, _ change: (inout AttributeChange) -> Void) throws -> Attributes {
        var wanted = AttributeChange()
        change(&wanted)
        return try drive.setAttributes(of: node, wanted, handle: handle, caller: caller)
    }

    func attribute(_ text: String, of node: NodeID) throws -> String {
        String(decoding: try drive.extendedAttribute(Array(text.utf8), of: node, caller: caller), as: UTF8.self)
    }

    func attributeNames(of node: NodeID) throws -> [String] { try drive.extendedAttributeNames(of: node).map { String(decoding: $0, as: UTF8.self) }.sorted() }

    func setAttribute(_ text: String, of node: NodeID, to value: [UInt8], flags: Int32 = 0) throws {
        try drive.setExtendedAttribute(Array(text.utf8), of: node, to: value, flags: flags, caller: caller)
    }

    func removeAttribute(_ text: String, of node: NodeID) throws { try drive.removeExtendedAttribute(Array(text.utf8), of: node, caller: caller) }
    var space: FileSystemStatus { get throws { try drive.fileSystemStatus(of: .root) } }
}

/// Calls that are refused, each with its own error.
func expectRefusals(_ calls: [(String, Errno, () throws -> Void)], sourceLocation: SourceLocation = #_sourceLocation) {
    for (what, error, call) in calls { #expect(throws: error, "\(what)", sourceLocation: sourceLocation) { try call() } }
}

/// `SEEK_DATA` and `SEEK_HOLE`.
let seekData: Int32 = 3, seekHole: Int32 = 4
