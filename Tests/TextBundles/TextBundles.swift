import Containers
import Documents
import PropertyLists
import ZipFiles

/// A kind that no program code knows, made of data alone: a text with its pictures, as writing apps pass them on (textbundle.org).
public enum TextBundles {
    public static let kind = PackageKind(
        name: "textbundle", itemExtension: "textbundle",
        parts: [.files("text", extensions: ["md", "markdown"]), .file("info.json"), .folder("assets")],
        required: [.files("text", extensions: ["md", "markdown"]), .file("info.json")], beginnings: ["info.json": Array("{\"version\": 2}\n".utf8)], typeIdentifier: "org.textbundle.package", isText: true)

    /// Another one, whose packages are shown as one flat file each.
    public static let scraps = FlatKind(name: "scrap", itemExtension: "scrap", required: [.file("text.md")])

    /// One with a content that does not lie at the top of its packages.
    public static let leaves = PackageKind(
        name: "leaf", itemExtension: "leaf", parts: [.file("Contents/text/leaf.fountain"), .folder("assets")],
        typeIdentifier: "org.example.leaf", isText: true)

    /// When the text of each was written: the same package is the same ZIP.
    public static let scrapTime: Int64 = 1_600_000_000

    /// A scrap with this text, as Valise packs it.
    public static func scrap(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8), time = PackageEntry.Moment(seconds: scrapTime)
        let entry = PackageEntry(path: Array("text.md".utf8), kind: .file(length: Int64(bytes.count)), mode: 0o644, modified: time)
        guard let layout = try? ZipLayout(PackageTree([entry])) else { return [] }
        return layout.pieces(of: 0..<layout.byteCount) { _ in CRC32.value(of: bytes) }.flatMap { piece in
            switch piece {
            case .bytes(let header): header
            case .content: bytes
            }
        }
    }

    /// The text in one.
    public static func text(ofScrap zip: [UInt8]) throws -> [UInt8] {
        guard let form = scraps.flat else { return [] }
        var content = try form.package(in: Bytes(zip)).content(of: 0), text: [UInt8] = []
        while let more = try content.next() { text += more }
        return text
    }

    /// The extension of folders that are one item, as an app's own packages are: no kind knows their parts.
    public static let novel = "novel"

    /// The shipped kinds, and these.
    public static let kinds = KindRegistry(DocumentKinds.shipped + [kind, scraps, leaves]).with(packages: [novel])
}
