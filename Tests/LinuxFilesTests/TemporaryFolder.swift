import Foundation
import LinuxFiles

/// A folder of this test's own, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/valise-linuxfiles.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno.current }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

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
