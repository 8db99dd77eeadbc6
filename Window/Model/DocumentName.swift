import Foundation

/// What a document is called, without the ending that tells its form; and another name in its place, in the same folder.
public struct DocumentName: Equatable, Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    private var file: NSString { (path as NSString).lastPathComponent as NSString }
    public var words: String { file.deletingPathExtension }

    /// Where it would be then. Nil of what no file can be called.
    public func path(called words: String) -> String? {
        let words = words.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !words.isEmpty, words != ".", words != "..", !words.contains("/"), !words.contains("\0") else { return nil }
        let name = file.pathExtension.isEmpty ? words : words + "." + file.pathExtension
        return (path as NSString).deletingLastPathComponent + "/" + name
    }

    /// Nothing that is there is replaced. Beside the main thread: a drive may take its time.
    public func move(to new: String) async throws {
        let path = path
        try await OwnThread.run {
            let isThere = (try? FileManager.default.attributesOfItem(atPath: new)) != nil
            guard !isThere else { throw ValiseFault("“\((new as NSString).lastPathComponent)” is there already.") }
            guard rename(path, new) == 0 else { throw ValiseFault("It cannot be called that: \(String(cString: strerror(errno))).") }
        }
    }
}
