import Containers
import Glibc
import LinuxFiles

extension DocumentPlace {
    /// The file of a document on a drive: the one in its folder whose item it is. Asks the drive. Others in the folder come and go meanwhile, and
    /// it may get another name, so that it is looked for again.
    func file(on mountpoint: String) throws(Errno) -> String {
        let folder = ([mountpoint] + path.map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/")
        for attempt in 0..<Self.mostAttempts {
            if attempt > 0 { usleep(20_000) }
            for name in try names(in: folder) {
                guard let file = try? Descriptor.atPath("\(folder)/\(name)", .path) else { continue }
                if (try? file.extendedAttribute(Array("user.valise.stored-name".utf8))) == stored.bytes { return "\(folder)/\(name)" }
            }
        }
        throw .noSuchEntry
    }

    private static let mostAttempts = 4
}
