import Containers
import LinuxFiles

extension DocumentPlace {
    /// The file of a document on a drive: the one in its folder whose item it is. Asks the drive.
    func file(on mountpoint: String) throws(Errno) -> String {
        let folder = ([mountpoint] + path.map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/")
        for name in try names(in: folder) {
            let file = try Descriptor.atPath("\(folder)/\(name)", .path)
            if (try? file.extendedAttribute(Array("user.valise.stored-name".utf8))) == stored.bytes { return "\(folder)/\(name)" }
        }
        throw .noSuchEntry
    }
}
