import Foundation

/// What kind of file something is, as a word: Apple's for a few, and otherwise made of the extension. There is no table of types on Linux.
enum DocumentType {
    private static let known = [
        "txt": "public.plain-text", "html": "public.html", "png": "public.png", "jpg": "public.jpeg", "jpeg": "public.jpeg", "pdf": "com.adobe.pdf",
        "rtf": "public.rtf", "json": "public.json", "xml": "public.xml", "plist": "com.apple.property-list",
    ]
    private static let made = "dyn."

    static func identifier(of url: URL) -> String {
        let word = url.pathExtension.lowercased()
        return word.isEmpty ? "public.data" : known[word] ?? made + word
    }

    /// nil for a type that has none.
    static func fileNameExtension(of identifier: String) -> String? {
        if identifier.hasPrefix(made) { return String(identifier.dropFirst(made.count)) }
        return known.filter { $0.value == identifier }.keys.min { ($0.count, $0) < ($1.count, $1) }
    }
}
