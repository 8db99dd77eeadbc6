import LinuxFiles

/// What is known of a file's content before it is opened.
package struct StoredFile: Sendable {
    package let id: FileID?
    /// As the manifest has it, which is wrong for what changed while it was backed up.
    package let size: Int64
    package let key: WrappedKey?
}

/// A file of a backup, opened: any range of its true content.
package struct BackupContent: Sendable {
    private enum Form {
        case plain(OpenFile)
        case encrypted(EncryptedRanges)
    }

    private let form: Form
    package let length: Int64
    /// Of what is encrypted: whether its end is as it should be.
    package let fault: FileFault?

    /// Where a range of it is.
    package enum Piece: Sendable {
        /// As it lies in the backup.
        case file(OpenFile, offset: Int64, count: Int)
        case bytes(ArraySlice<UInt8>)
    }

    /// Throws `.noData` for what is not in the backup, and `.accessDenied` for what has a key that nobody has.
    init(_ stored: StoredFile, _ blobs: BlobFolder, _ keys: BackupKeys?) throws(Errno) {
        guard let id = stored.id else { throw .noData }
        let file: OpenFile, size: Int64
        do throws(Errno) {
            file = try blobs.open(id)
            size = try file.descriptor.status().size
        } catch { throw error == .noSuchEntry ? .noData : error }
        guard let wrapped = stored.key, Self.isEncrypted(stored, size, keys) else {
            (form, length, fault) = (.plain(file), size, nil)
            return
        }
        guard let keys, let key = keys.unwrap(wrapped) else { throw .accessDenied }
        let ranges = EncryptedRanges(file, size: size, key: key, keys.crypto)
        form = .encrypted(ranges)
        // The padding knows it best: what the manifest says is wrong for what was written meanwhile. One that was cut
        // off has what is left of it.
        guard size == ranges.encryptedSize else {
            (length, fault) = (ranges.encryptedSize, .cut)
            return
        }
        if let padded = try ranges.lengthByPadding() {
            (length, fault) = (padded, nil)
        } else {
            (length, fault) = (EncryptedRanges.encryptedSize(of: stored.size) == size ? stored.size : size, .padding)
        }
    }

    package func piece(at offset: Int64, count: Int) throws(Errno) -> Piece {
        let there = Int(max(0, min(Int64(count), length - offset)))
        switch form {
        case .plain(let file): return .file(file, offset: offset, count: there)
        case .encrypted(let ranges): return .bytes(try ranges.bytes(at: offset, count: there))
        }
    }

    /// How long the content of a file is that is not opened: what the manifest says where that goes with what is there.
    /// nil where it is not in the backup.
    static func length(_ stored: StoredFile, _ blobs: BlobFolder, _ keys: BackupKeys?) throws(Errno) -> Int64? {
        guard let id = stored.id else { return nil }
        let size: Int64
        do throws(Errno) { size = try blobs.status(of: id).size } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
        guard isEncrypted(stored, size, keys) else { return size }
        if EncryptedRanges.encryptedSize(of: stored.size) == size { return stored.size }
        // Only now the file is opened.
        do throws(Errno) { return try BackupContent(stored, blobs, keys).length } catch {
            guard error == .accessDenied else { throw error }
            return stored.size
        }
    }

    /// One that has a key in a backup without a password is what it is: encrypted content is longer than it is said to
    /// be.
    private static func isEncrypted(_ stored: StoredFile, _ size: Int64, _ keys: BackupKeys?) -> Bool {
        stored.key != nil && size > 0 && (keys != nil || size != stored.size)
    }
}
