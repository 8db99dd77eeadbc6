import LinuxFiles

/// What the log is told of a document, or of a file.
enum DocumentLog {
    /// `path`: from the documents on.
    static func warn(of path: [Name], _ sentence: (_ file: String) -> String) {
        let file = path.text
        SystemLog.write(sentence(file), .warning, [SystemLog.Field("VALISE_DOCUMENT", file)])
    }
}

extension [Name] {
    /// As people write a path.
    var text: String { map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/") }
}
