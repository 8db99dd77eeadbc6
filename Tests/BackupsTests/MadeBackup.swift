import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Backups

/// A backup of a phone that never was (Tests/Support/make_backup.py), and a plain folder of what is shown of it.
final class MadeBackup: Sendable {
    static let password = "correct horse"

    private let folder: TemporaryFolder
    let isEncrypted: Bool
    var path: String { folder.path + "/backup" }
    var expected: String { folder.path + "/expected" }
    func beside(_ name: String) -> String { folder.path + "/" + name }

    init(_ words: String..., encrypted: Bool = false) throws {
        folder = try TemporaryFolder()
        isEncrypted = encrypted
        let made = [
            "python3", Places.support("make_backup.py"), folder.path + "/backup", "--expected",
            folder.path + "/expected",
        ]
        try Program(made + words + (encrypted ? ["--password", Self.password] : [])).wait().good()
    }

    func opened() throws -> Backup { try Backup(OpenFile(Descriptor.atPath(path, [.path, .folder]))) }

    func keys(of backup: Backup, _ password: String = password) throws -> BackupKeys? {
        guard let secret = SecretBytes(Array(password.utf8)) else { throw Failed("no memory") }
        guard isEncrypted, let key = try backup.key(of: secret) else { return nil }
        return try backup.open(with: key)
    }
}

/// What a machine without libcrypto cannot do.
extension Trait where Self == ConditionTrait {
    static var needsCrypto: ConditionTrait { .enabled(if: Crypto.system != nil, "there is no libcrypto") }
}

/// What lies in a folder, or is shown of a backup: by its path, what it is.
enum Shown: Hashable {
    case folder
    case link(String)
    case file(Data)

    static func of(folder: String) throws -> [String: Shown] {
        var shown: [String: Shown] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let whole = folder + "/" + path
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: whole) {
                shown[path] = .link(target)
            } else {
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
                shown[path] = isFolder.boolValue ? .folder : .file(try Data(contentsOf: URL(fileURLWithPath: whole)))
            }
        }
        return shown
    }

    /// Without what is not in the backup.
    static func of(_ backup: Backup, _ keys: BackupKeys?) throws -> [String: Shown] {
        let tree = try backup.readTree(keys)
        var shown: [String: Shown] = [:]
        for number in (1..<tree.count).map(BackupTree.NodeNumber.init) {
            switch tree.kind(of: number) {
            case .folder: shown[tree.path(of: number)] = .folder
            case .link:
                shown[tree.path(of: number)] = .link(String(decoding: tree.target(of: number) ?? [], as: UTF8.self))
            case .file:
                if backup.fault(of: tree.file(number), keys) != nil { continue }
                shown[tree.path(of: number)] = .file(try content(of: backup.open(tree.file(number), keys)))
            }
        }
        return shown
    }

    private static func content(of content: BackupContent) throws -> Data {
        switch try content.piece(at: 0, count: 1 << 30) {
        case .file(let file, let offset, let count): Data(try file.descriptor.read(at: offset, count: count))
        case .bytes(let bytes): Data(bytes)
        }
    }
}
