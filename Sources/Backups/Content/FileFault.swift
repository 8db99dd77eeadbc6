import LinuxFiles

/// What is wrong with a file of a backup.
package enum FileFault: Hashable, Sendable {
    /// The manifest has it, and the backup has not.
    case missing
    /// Its name in the backup can be none.
    case nameless
    /// It is encrypted, and its key is not among those of the backup.
    case locked
    /// It is encrypted, and has a part of a block too much or too little.
    case cut
    /// The padding of its last block is none: it is damaged, or its key is another one.
    case padding
    case unreadable(Errno)

    package var sentence: String {
        switch self {
        case .missing: "it is in the backup's list and not in the backup"
        case .nameless: "the backup's list has a name for its content that can be none"
        case .locked: "it is encrypted, and its key is not among the keys of the backup"
        case .cut: "its content is encrypted and cut off"
        case .padding: "its content is encrypted and damaged at its end"
        case .unreadable(let error): "its content cannot be read: \(error)"
        }
    }
}

extension Backup {
    /// How long a file's content is, without opening it mostly. nil where it is not in the backup.
    package func length(of file: StoredFile, _ keys: BackupKeys?) throws(Errno) -> Int64? {
        try BackupContent.length(file, blobs, keys)
    }

    /// Looks at a file's content without reading it; nil where nothing is wrong.
    package func fault(of file: StoredFile, _ keys: BackupKeys?) -> FileFault? {
        guard file.id != nil else { return .nameless }
        do throws(Errno) { return try open(file, keys).fault } catch {
            return error == .noData
                ? .missing : error == .accessDenied && file.key != nil ? .locked : .unreadable(error)
        }
    }
}
