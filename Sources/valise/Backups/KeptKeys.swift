import Backups
import LinuxFiles
import Shell

/// Keys of backups' passwords that the kernel keeps, where their owner said so (`--keep-key`): who mounts the backup again in that time is not asked.
///
/// The process that serves a drive cannot reach them: it is sealed, and has no call for that.
enum KeptKeys {
    private static let keyring = UserKeyring("valise-backups")
    /// 8 hours.
    private static let seconds: UInt32 = 8 * 3600

    /// nil where none is kept, or one that opens nothing.
    static func open(_ backup: Backup) -> BackupKeys? {
        guard let name = backup.keyName, keyring.has(name) else { return nil }
        let key = unsafe SecretBytes(count: Crypto.keySize) { (memory) in unsafe keyring.read(name, into: memory) == Crypto.keySize }
        guard let key, let keys = try? backup.open(with: key) else { return nil }
        return keys
    }

    static func keep(_ key: SecretBytes, of backup: Backup) throws(Errno) {
        guard let name = backup.keyName else { return }
        let outcome: Result<Void, Errno> = key.withBytes { bytes in
            do throws(Errno) { return .success(try unsafe keyring.keep(bytes, as: name, seconds: seconds)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    /// False where none was kept.
    static func forget() throws(Stop) -> Bool {
        do throws(Errno) { return try keyring.forgetAll() } catch { throw Stop(1, "the keys of backups that are kept cannot be forgotten: \(error)") }
    }
}
