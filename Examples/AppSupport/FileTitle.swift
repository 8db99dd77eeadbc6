import Foundation

/// A title as the name of a file.
public enum FileTitle {
    /// What a file is called, without its extension: for the rows of long lists, where Foundation's way takes its time.
    public static func of(_ path: String) -> String {
        let bytes = path.utf8, start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
        guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot > start else { return String(path[start...]) }
        return String(path[start..<dot])
    }

    /// What no name of a file has is another sign there.
    static func inFileName(_ title: String) -> String {
        title.trimmingCharacters(in: .whitespacesAndNewlines).replacingOccurrences(of: "/", with: "\u{2215}").replacingOccurrences(of: "\0", with: "\u{2400}")
    }

    /// “/” would be a path, and a name with a dot at its beginning is in no list. `what`: “a note”, for who reads why it is none.
    private static func fileName(_ title: String, of what: String, extension word: String) throws -> String {
        let name = inFileName(title)
        guard !name.isEmpty else { throw AppFault("\(what.prefix(1).uppercased() + what.dropFirst()) has a name.") }
        guard !name.hasPrefix(".") else { throw AppFault("A name with a dot at its beginning is hidden: choose another one.") }
        guard name.utf8.count + word.utf8.count + 1 <= 255 else { throw AppFault("The name is too long: \(name.utf8.count) bytes, and \(254 - word.utf8.count) is the most.") }
        return name + "." + word
    }

    /// Gives a file another title, and its document the new name. Answers where it is then.
    @MainActor
    public static func rename(_ file: URL, to title: String, of what: String) async throws -> URL {
        let new = file.deletingLastPathComponent().appendingPathComponent(try fileName(title, of: what, extension: file.pathExtension), isDirectory: false)
        guard new.path != file.path else { return file }
        do { try await Coordinated.moving(file, to: new) } catch CocoaError.fileWriteFileExists { throw AppFault("Name already taken.") }
        return new
    }
}
