import Foundation

/// A folder of a test's own, gone with it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        var template = Array((NSTemporaryDirectory() + "/valise-test.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Failed("cannot make a temporary folder: \(String(cString: strerror(errno)))") }
        // As the kernel will list it.
        let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let real = realpath(made, nil) else { throw Failed("cannot find the temporary folder again") }
        defer { free(real) }
        path = String(cString: real)
    }

    deinit {
        // On this file system only: never what a forgotten mount shows. A tool, because names may be no UTF-8.
        _ = try? Program.runQuietly(["rm", "-rf", "--one-file-system", "--", path])
    }
}
