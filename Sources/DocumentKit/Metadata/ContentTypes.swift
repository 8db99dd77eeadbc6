import Catalog
import Foundation
import LinuxFiles

/// The types of files, as Apple's systems call them: what ``UIDocument/fileType`` and the metadata of an item say. Linux has no such table; this
/// one knows the usual types and those of Valise's documents, and an app adds its own, where its Info.plist says them on iOS.
///
/// ```swift
/// ContentTypes.add("com.example.note", forExtensions: ["note"], conformingTo: ["public.plain-text"])
/// ```
public enum ContentTypes {
    /// Adds a type, for all documents and queries of this process. It goes before the ones that are built in.
    ///
    /// ```swift
    /// ContentTypes.add("com.example.note", forExtensions: ["note"], conformingTo: ["public.plain-text"])
    /// ```
    /// - Parameters:
    ///   - identifier: what it is called.
    ///   - extensions: of the files that are of this type; the first one is given to new ones.
    ///   - wider: the types that it is a kind of. Of a folder that is one document, "com.apple.package": a query that is started afterwards has it as one
    ///     item, and what is in it as none; what is written in it is found by its text.
    public static func add(_ identifier: String, forExtensions extensions: [String], conformingTo wider: [String] = ["public.data"]) {
        ContentTypeTable.add(identifier, extensions: extensions, wider: wider)
    }

    /// The type of a file, from its name: "dyn." and the extension for one that nobody knows.
    ///
    /// ```swift
    /// ContentTypes.identifier(of: url)        // "com.adobe.pdf"
    /// ```
    public static func identifier(of url: URL) -> String { ContentTypeTable.identifier(ofItem: Array(url.lastPathComponent.utf8)) }

    /// A type and what it is a kind of, the narrowest first.
    ///
    /// ```swift
    /// ContentTypes.tree(of: "public.png")     // public.png, public.image, public.data, public.content, public.item
    /// ```
    public static func tree(of identifier: String) -> [String] { ContentTypeTable.tree(of: identifier) }

    /// Whether a folder of this name is a document of a type that the app has added.
    static func isPackage(_ url: URL) -> Bool { Name(url.lastPathComponent).map { ContentTypeTable.kinds.isOwnPackage($0) } == true }

    /// nil for a type that has none.
    static func fileNameExtension(of identifier: String) -> String? { ContentTypeTable.fileExtension(of: identifier) }
}
