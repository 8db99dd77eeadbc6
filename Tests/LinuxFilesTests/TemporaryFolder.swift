import Foundation
import LinuxFiles
import MountTesting

extension TemporaryFolder {
    func opened() throws -> Descriptor { try Descriptor.atPath(path, [.read, .folder]) }

    func make(_ name: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
}

/// A name that the test knows to be one.
func name(_ text: String) throws -> Name {
    guard let name = Name(text) else { throw Errno.invalid }
    return name
}
