import LinuxFiles

/// A folder that is exported into: a file gets its name there when it is whole, and an export that was stopped goes on where it was.
///
/// Nothing that has another content is replaced.
package final class ExportFolder {
    package let top: OpenFile
    private let mode: UInt32
    /// How many files were written, and how many were there already.
    package private(set) var written = 0, present = 0

    /// What says in the folder that an export is under way there, and of what; and what is being written.
    private static let marker = Name(constant: ".valise-export"), part = Name(constant: ".valise-part")

    /// The folder is new or empty, or one in which an export of the same `source` was stopped. `mode`: the permissions of the files.
    package init(_ top: OpenFile, of source: String, called path: String, mode: UInt32) throws(Failure) {
        (self.top, self.mode) = (top, mode)
        do throws(Errno) { try begin(Array((source + "\n").utf8)) } catch {
            switch error {
            case .exists:
                throw Failure(error, "in “\(path)” the export of something else was stopped; name a new or an empty folder")
            case .notEmpty: throw Failure(error, "“\(path)” has files in it; name a new or an empty folder")
            default: throw Failure(error, "nothing can be written in “\(path)”: \(error)", cause: error)
            }
        }
    }

    private func begin(_ own: [UInt8]) throws(Errno) {
        if try top.descriptor.exists(Self.marker) {
            guard try top.descriptor.open(Self.marker, [.read, .nonBlocking]).readAll(limit: 8192) == own else {
                throw .exists
            }
            return
        }
        var entries = try FolderReader(top.descriptor)
        while let entry = try entries.next() { guard entry.name == Self.part else { throw .notEmpty } }
        // Whole, too: who is stopped in this moment goes on.
        try top.descriptor.open(Self.part, [.write, .create, .truncate], mode: 0o600).write(own, at: 0)
        try top.descriptor.rename(Self.part, to: top.descriptor, as: Self.marker, .exclusive)
    }

    /// A folder, which may be there already.
    package func folder(_ name: Name, in place: OpenFile, mode: UInt32) throws(Errno) -> OpenFile {
        do throws(Errno) { try place.descriptor.makeFolder(name, mode: mode) } catch { if error != .exists { throw error } }
        return OpenFile(try place.descriptor.open(name, [.path, .folder]))
    }

    /// A file with a content that `fill` writes, unless it is there already. False where `fill` said false: the export was stopped.
    package func file(
        _ name: Name, in place: OpenFile, length: Int64, modified: Timestamp, _ fill: (OpenFile) throws(Errno) -> Bool
    ) throws(Errno) -> Bool {
        if try place.descriptor.exists(name) {
            let status = try place.descriptor.status(of: name)
            // A stick may know even seconds only.
            let (there, wanted) = (status.modified.seconds, modified.seconds)
            guard status.type == .regular, status.size == length, (-2...2).contains(there &- wanted) else { throw .exists }
            present += 1
            return true
        }
        let file = OpenFile(try top.descriptor.open(Self.part, [.write, .create, .truncate], mode: mode))
        guard try fill(file) else { return false }
        try file.descriptor.setTimes(accessed: nil, modified: .at(modified))
        try top.descriptor.rename(Self.part, to: place.descriptor, as: name, .exclusive)
        written += 1
        return true
    }

    /// What a name is that something else has.
    package static let taken = "something else has its name there; put that elsewhere, and export again"

    /// All was gone through. `isWhole`: nothing is missing, and the next export of this is another one.
    package func end(isWhole: Bool) throws(Failure) {
        do throws(Errno) {
            try? top.descriptor.unlink(Self.part)
            if isWhole { try top.descriptor.unlink(Self.marker) }
            try top.descriptor.reopened([.read, .folder]).synchronizeFileSystem()
        } catch { throw Failure(error, "the export cannot be finished: \(error)", cause: error) }
    }
}
