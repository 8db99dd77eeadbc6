import Foundation

/// A version's content, as far as it can be looked at.
public enum VersionContent: Equatable, Sendable {
    case text(String)
    /// Perhaps a picture; what draws it knows.
    case bytes(Data)
    case fault(String)

    /// Of a text so much is shown, and a larger picture is read by no window.
    private static let mostText = 1 << 20, mostBytes = 256 << 20

    /// Beside the main thread: it may be on a drive that takes its time.
    public static func read(_ version: DocumentVersion) async -> VersionContent { await OwnThread.run { of(version) } }

    static func of(_ version: DocumentVersion) -> VersionContent {
        guard let file = version.file else { return .fault("It can be looked at on the drive: mount it first.") }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder.boolValue {
            return .fault("It is a folder: its versions are ZIP files of all that was in it.")
        }
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            defer { try? handle.close() }
            let first = try handle.read(upToCount: mostText + 4) ?? Data()
            if let text = text(first) { return .text(text) }
            return .bytes(try first + (handle.read(upToCount: mostBytes) ?? Data()))
        } catch { return .fault("It cannot be read: \(error.localizedDescription)") }
    }

    /// Nil where it is none. A character that is cut off at the end is left out.
    static func text(_ bytes: Data) -> String? {
        guard !bytes.contains(0) else { return nil }
        if bytes.count <= mostText { return String(validating: bytes, as: UTF8.self) }
        let shown = bytes.prefix(mostText)
        for cut in 0..<4 { if let text = String(validating: shown.dropLast(cut), as: UTF8.self) { return text + "\n…\n" } }
        return nil
    }
}
