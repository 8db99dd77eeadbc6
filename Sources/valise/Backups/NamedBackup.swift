import Backups
import Glibc
import LinuxFiles
import Shell

/// A backup of an iPhone or iPad that a person named, opened: with its keys, where it has a password.
struct NamedBackup {
    let path: String
    let backup: Backup
    let keys: BackupKeys?

    /// Whether a path leads to one.
    static func isMeant(_ path: String) -> Bool {
        guard
            case .answer(let bytes) = Child.ask({ () throws(Errno) in
                Backup.isBackup(OpenFile(try Descriptor.atPath(path, [.path, .folder]))) ? [1] : []
            })
        else { return false }
        return !bytes.isEmpty
    }

    /// Asks for the password, where there is one, before anything else is done with it.
    init(_ named: String, _ password: GivenPassword?, keepingKey isKept: Bool = false, code: Int32) throws(Stop) {
        // Before there is anything to be seen.
        Memory.hide()
        let folder: OpenFile
        do throws(Errno) {
            path = try realPath(named)
            folder = OpenFile(try Descriptor.atPath(path, [.path, .folder]))
        } catch { throw Stop(code, "cannot look at the backup \(quoted(named)): \(error)") }
        do throws(Failure) { backup = try Backup(folder) } catch {
            throw Stop(code, "\(quoted(named)): \(error.sentence)")
        }
        guard backup.needsPassword || password != nil else {
            keys = nil
            return
        }
        keys = try BackupPassword.unlock(backup, called: named, password, isKept: isKept, code: code)
    }

    func tree(code: Int32) throws(Stop) -> BackupTree {
        do throws(Failure) { return try backup.readTree(keys) } catch {
            throw Stop(code, "\(quoted(path)): \(error.sentence)")
        }
    }

    /// “Anna’s iPhone, iOS 17.4, 2026-03-01”.
    var title: String {
        let info = backup.info
        let day = info.date.map { String(zonedTime($0, nanoseconds: 0).prefix(10)) }
        return
            ([info.deviceName ?? "a backup", info.productVersion.map { "iOS \($0)" }, day].compactMap(\.self)
            as [String]).map(printable).joined(separator: ", ")
    }
}
