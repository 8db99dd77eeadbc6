/// The packages of other apps that each drive knows: what is in them, and as what they are shown. They are data, as
/// what a person writes down (`KindsFile.swift`), and come before that.
///
/// A folder is such a package by what is in it, not by its extension: `Website.pages` may be anybody's. The names of
/// the files are those that the apps write. Where an app also writes flat files of the same extension (`.pages`,
/// `.graffle`), those stay the plain files that they are.
public enum ShippedPackages {
    public static let all: [KindsFile.Kind] = flat + byContent + folders

    /// One file, a ZIP of all that is in the package. LibreOffice and the apps themselves open such a ZIP of theirs.
    private static let flat: [KindsFile.Kind] = [
        // Since 2013 the parts are in `Index.zip`, or unpacked beside it; before, in one file of XML.
        document("pages", required: iWork("index.xml"), type: "com.apple.iwork.pages.sffpages"),
        document("numbers", required: iWork("index.xml"), type: "com.apple.iwork.numbers.sffnumbers"),
        document("key", name: "keynote", required: iWork("index.apxl"), type: "com.apple.iwork.keynote.sffkey"),
        document("rtfd", required: [.file("TXT.rtf")], type: "com.apple.rtfd", isMadeFromFiles: true),
        document("graffle", required: [.file("data.plist")], type: "com.omnigroup.omnigraffle.graffle-package"),
        document("oo3", required: [.file("contents.xml")], type: "com.omnigroup.omnioutliner.oo3-package"),
        document("mindnode", required: [.file("contents.xml")], type: "com.mindnode.mindnode.mindmap"),
        document("playground", required: [.file("contents.xcplayground")], type: "com.apple.dt.playground"),
    ]

    /// The text or the image in it.
    private static let byContent: [KindsFile.Kind] = [
        .document(
            PackageKind(
                name: "textbundle", itemExtension: "textbundle", parts: [text, .file("info.json"), .folder("assets")],
                required: [text, .file("info.json")], typeIdentifier: "org.textbundle.package", isText: true, isMadeFromFiles: false)),
        .document(
            PackageKind(
                name: "livephoto", itemExtension: "pvt", parts: [image, .file("metadata.plist"), named("mov")], required: [image],
                typeIdentifier: "com.apple.private.live-photo-bundle", isText: false, isMadeFromFiles: false)),
    ]

    /// Folders in which programs work, each one item. Photo libraries and programs (`.photoslibrary`, `.app`) are none
    /// of these: they are left alone.
    private static let folders: [KindsFile.Kind] = [
        folder(
            "scriv", required: [named("scrivx"), .file("binder.scrivproj")], type: "com.literatureandlatte.scrivener3.scriv"),
        folder("band", required: [.file("projectData"), logicInformation], type: "com.apple.garageband.project"),
        folder("logicx", required: [logicInformation, .folder("Alternatives")], type: "com.apple.logicx.project"),
        folder("fcpbundle", required: [.file("CurrentVersion.flexolibrary")], type: "com.apple.FinalCutProLibrary"),
        folder("imovielibrary", required: [.file("CurrentVersion.flexolibrary")], type: nil),
        folder("xcodeproj", required: [.file("project.pbxproj")], type: "com.apple.xcode.project"),
        folder("xcworkspace", required: [.file("contents.xcworkspacedata")], type: "com.apple.dt.document.workspace"),
        folder("dtbase2", required: [named("dtmeta")], type: nil),
    ]

    private static let text = DocumentPart.files(
        "text",
        extensions: [
            "md", "markdown", "mdown", "mkd", "mmd", "txt", "text", "fountain", "taskpaper", "org", "rst", "adoc", "textile",
            "tex", "html",
        ])
    private static let image = named("heic", "heif", "jpg", "jpeg")
    private static let logicInformation = DocumentPart.file("Resources/ProjectInformation.plist")

    private static func named(_ extensions: String...) -> DocumentPart { .files(DocumentPart.anyName, extensions: extensions) }

    private static func iWork(_ older: String) -> [DocumentPart] {
        [.file("Index.zip"), .file("Index/Document.iwa"), .file(older), .file(older + ".gz")]
    }

    private static func document(
        _ word: String, name: String? = nil, required: [DocumentPart], type: String, isMadeFromFiles: Bool = false
    ) -> KindsFile.Kind {
        .document(
            FlatKind(
                name: name ?? word, itemExtension: word, required: required, typeIdentifier: type,
                isMadeFromFiles: isMadeFromFiles))
    }

    private static func folder(_ word: String, required: [DocumentPart], type: String?) -> KindsFile.Kind {
        .folder(FolderKind(name: word, itemExtension: word, required: required, typeIdentifier: type))
    }
}
