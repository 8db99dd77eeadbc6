import Containers
import Documents

/// A kind that no program code knows, made of data alone: a text with its pictures, as writing apps pass them on (textbundle.org).
public enum TextBundles {
    public static let kind = PackageKind(
        name: "textbundle", itemExtension: "textbundle",
        parts: [.files("text", extensions: ["md", "markdown"]), .file("info.json"), .folder("assets")],
        required: [.files("text", extensions: ["md", "markdown"]), .file("info.json")], beginnings: ["info.json": Array("{\"version\": 2}\n".utf8)], typeIdentifier: "org.textbundle.package", isText: true)

    /// The shipped kinds, and this one.
    public static let kinds = KindRegistry(DocumentKinds.shipped + [kind])
}
