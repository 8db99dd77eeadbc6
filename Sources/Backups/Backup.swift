import LinuxFiles

/// A folder that iTunes, Finder or libimobiledevice has backed an iPhone or iPad up into (FORMATS 11). It is only read.
///
/// Opened, it says what it is. After `unlock`, where it has a password, `readTree` reads the list of all files.
package final class Backup: Sendable {
    package let folder: OpenFile
    package let info: BackupInfo
    package let blobs: BlobFolder
    private let manifest: Manifest
    private let keybag: Keybag?

    private enum Manifest: Sendable {
        case database(OpenFile, size: Int64, isPlain: Bool)
        case records(OpenFile)

        var isEncrypted: Bool {
            if case .database(_, _, isPlain: false) = self { return true }
            return false
        }
    }

    package static let database = Name(constant: "Manifest.db"), records = Name(constant: "Manifest.mbdb")

    /// Whether a folder is one, as far as names say it.
    package static func isBackup(_ folder: OpenFile) -> Bool {
        [database, records].contains { (try? folder.descriptor.status(of: $0))?.type == .regular }
            && (try? folder.descriptor.status(of: Name(constant: "Manifest.plist")))?.type == .regular
    }

    package init(_ folder: OpenFile) throws(Failure) {
        self.folder = folder
        info = try BackupInfo(in: folder)
        manifest = try Self.manifest(in: folder)
        var isFlat = false
        if case .records = manifest { isFlat = true }
        blobs = BlobFolder(folder, isFlat: isFlat)
        if let bytes = info.keybag {
            do throws(Keybag.Fault) { keybag = try Keybag(bytes) } catch {
                // One that nobody needs may be as it is.
                guard !manifest.isEncrypted, !info.isSaidToBeEncrypted else {
                    throw Failure(
                        .inputOutput,
                        "the keys of the backup (BackupKeyBag in Manifest.plist) cannot be used: \(error.sentence)",
                        cause: error)
                }
                keybag = nil
            }
        } else {
            keybag = nil
        }
        if manifest.isEncrypted, keybag == nil || info.manifestKey == nil {
            throw Failure(
                .inputOutput,
                "the backup's list of files (Manifest.db) is no database, and Manifest.plist has no key for it: the backup is damaged"
            )
        }
    }

    private static func manifest(in folder: OpenFile) throws(Failure) -> Manifest {
        do throws(Errno) {
            let flags: OpenFlags = [.read, .nonBlocking]
            if try folder.descriptor.exists(database) {
                let file = OpenFile(try folder.descriptor.open(database, flags)), status = try file.descriptor.status()
                guard status.type == .regular else { throw .invalid }
                let isPlain =
                    try file.descriptor.read(at: 0, count: ManifestSource.beginning.count) == ManifestSource.beginning
                return .database(file, size: status.size, isPlain: isPlain)
            }
            return .records(OpenFile(try folder.descriptor.open(records, flags)))
        } catch {
            guard error != .noSuchEntry else {
                throw Failure(error, "this is no backup: it has neither Manifest.db nor Manifest.mbdb", cause: error)
            }
            throw Failure(error, "the backup's list of files cannot be read: \(error)", cause: error)
        }
    }

    /// Whether nothing, or next to nothing, can be read without it.
    package var needsPassword: Bool { keybag != nil && (manifest.isEncrypted || info.isSaidToBeEncrypted) }

    package var derivation: Keybag.Derivation? { keybag?.derivation }

    /// How long `unlock` takes about.
    package var unlockSeconds: Double {
        keybag.flatMap { bag in Crypto.system.map { BackupKeys.estimate(bag.derivation, $0) } } ?? 0
    }

    /// The key that is made of the password, for who keeps it. Takes seconds; nil where it opens nothing.
    package func key(of password: SecretBytes) throws(Failure) -> SecretBytes? {
        let (keybag, crypto) = try locked()
        return BackupKeys.derived(keybag, password, crypto)
    }

    /// nil where the key is another one.
    package func open(with key: SecretBytes) throws(Failure) -> BackupKeys? {
        let (keybag, crypto) = try locked()
        return BackupKeys.opened(keybag, with: key, crypto)
    }

    private func locked() throws(Failure) -> (Keybag, Crypto) {
        guard let keybag else { throw Failure(.invalid, "the backup has no password") }
        guard let crypto = Crypto.system else { throw Failure(.notSupported, Crypto.missing) }
        return (keybag, crypto)
    }

    /// What such a key is known by: another password, and another backup, have another one. nil where there is no password.
    package var keyName: String? { keybag.map { $0.derivation.salt.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() } }

    /// All of its files, in the order in which a drive shows them.
    package func readTree(_ keys: BackupKeys?) throws(Failure) -> BackupTree {
        var builder = TreeBuilder(info), faults = 0
        switch manifest {
        case .database(let file, let size, let isPlain):
            let source: ManifestSource
            if isPlain {
                source = ManifestSource(plain: file, size: size)
            } else {
                guard let keys, let wrapped = info.manifestKey, let key = keys.unwrap(wrapped) else {
                    throw Failure(
                        .accessDenied,
                        "the backup's list of files (Manifest.db) is encrypted, and its key is not among those of the backup"
                    )
                }
                source = ManifestSource(EncryptedRanges(file, size: size, key: key, keys.crypto))
            }
            try ManifestDatabase.read(source, faults: &faults) { (entry) throws(Failure) in try builder.add(entry) }
        case .records(let file):
            let bytes: [UInt8]
            do throws(Errno) { bytes = try file.descriptor.readAll(limit: ManifestRecords.longest) } catch {
                throw Failure.cannot("read", Self.records, error)
            }
            try ManifestRecords.read(bytes, faults: &faults) { (entry) throws(Failure) in try builder.add(entry) }
        }
        return builder.finish(notUnderstood: faults)
    }

    /// A file's content, opened.
    package func open(_ file: StoredFile, _ keys: BackupKeys?) throws(Errno) -> BackupContent {
        try BackupContent(file, blobs, keys)
    }

}

extension Keybag.Fault {
    var sentence: String {
        switch self {
        case .damaged(let text), .excessive(let text): text
        }
    }
}
