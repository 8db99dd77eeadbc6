import Documents
import Testing

/// The table of other apps' packages.
@Suite struct ShippedPackagesTests {
    @Test func eachIsOne() {
        let all = ShippedPackages.all
        #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.itemExtension)).count == all.count)
        for kind in all {
            #expect(kind.itemExtension == kind.itemExtension.lowercased())
            // An extension alone hides no folder.
            let required = kind.folder?.required ?? kind.document?.flat?.required ?? (kind.document as? PackageKind)?.required ?? []
            #expect(!required.isEmpty, "\(kind.name)")
            #expect(!["photoslibrary", "app", "textpack", "sketch", "bearbk", "goodnotes", "webarchive"].contains(kind.itemExtension))
        }
    }

    /// They are what a person could write.
    @Test func theyAreData() throws {
        for kind in ShippedPackages.all {
            guard let section = kind.document?.section else { continue }
            let read = KindsFile(Array(section.replacing("extension = key", with: "extension = keyx").replacing("extension = pages", with: "extension = pagesx").utf8))
            #expect(read.mistakes.isEmpty && read.kinds.count == 1, "\(section) \(read.mistakes)")
            #expect(read.kinds.first?.kind.document?.parts == kind.document?.parts)
            #expect(read.kinds.first?.kind.document?.flat?.required == kind.document?.flat?.required)
        }
    }

    /// Of no package a plain text or an image is one.
    @Test func noFileOfAnotherNameIsMade() {
        for kind in ShippedPackages.all.compactMap(\.document) where kind.flat == nil { #expect(!kind.isMadeFromFiles) }
        #expect(ShippedPackages.all.compactMap(\.document).filter(\.isMadeFromFiles).map(\.name) == ["rtfd"])
    }

    @Test func theyCanBeShownOtherwise() throws {
        for kind in ShippedPackages.all {
            let file = kind.shown(as: .file), folder = kind.shown(as: .folder)
            #expect(file.document?.flat != nil && folder.folder != nil && kind.shown(as: .kind).name == kind.name)
            #expect([file, folder].allSatisfy { $0.name == kind.name && $0.itemExtension == kind.itemExtension })
            #expect(folder.shown(as: .file).document?.flat?.required == file.document?.flat?.required)
        }
        // Nothing tells a folder of such a name from any other.
        let bare = KindsFile.Kind.folder(FolderKind(name: "bare", itemExtension: "bare"))
        #expect(bare.shown(as: .file).folder != nil)
        let photo = try #require(DocumentKinds.shipped.first { $0.name == "photo" })
        #expect(KindsFile.Kind(photo) == nil)
    }

    // MARK: Parts

    @Test(arguments: ["..", "../x", "a/../b", "/a", "a//b", "a/.", "/", "", "*", "a/*", "text.md|", "text.|md", "*.md|md"])
    func whatIsNoPart(text: String) {
        let read = KindsFile(Array("[scrap]\nextension = scrap\nshown = folder\nrequired = \(text)\n".utf8))
        #expect(read.kinds.isEmpty && read.mistakes.count == 1, "\(read.mistakes)")
        if !text.isEmpty { #expect(read.mistakes.first?.sentence.contains("is no part") == true, "\(read.mistakes)") }
    }

    @Test func partsArePaths() throws {
        let text = "[scrap]\nextension = scrap\nshown = folder\nrequired = Contents/Index.zip, QuickLook/, *.HEIC|jpg, in/deep/text.md|txt, *.scrivx\n"
        let folder = try #require(KindsFile(Array(text.utf8)).kinds.first?.kind.folder)
        #expect(folder.required == [
            .file("Contents/Index.zip"), .folder("QuickLook"), .files("*", extensions: ["heic", "jpg"]), .files("in/deep/text", extensions: ["md", "txt"]),
            .files("*", extensions: ["scrivx"]),
        ])
        let index = folder.required[0]
        #expect(index.folders == [Array("Contents".utf8)] && index.inItsFolder == .file("Index.zip") && index.top == .folder("Contents"))
        #expect(!index.isCalled(Array("Index.zip".utf8)) && index.inItsFolder.isCalled(Array("Index.zip".utf8)))
        let image = folder.required[2]
        for name in ["IMG_1.HEIC", "a.b.jpg"] { #expect(image.isCalled(Array(name.utf8)), "\(name)") }
        for name in [".jpg", "._IMG_1.jpg", "IMG_1.mov", "jpg"] { #expect(!image.isCalled(Array(name.utf8)), "\(name)") }
        let old = Array("IMG_1.HEIC".utf8)
        #expect(image.newName(forShown: Array("Trip.HEIC".utf8), insteadOf: old) == old)
        #expect(image.newName(forShown: Array("Trip.jpg".utf8), insteadOf: old) == Array("IMG_1.jpg".utf8))
        #expect(image.newName(forShown: Array("Trip.txt".utf8), insteadOf: old) == old)
        #expect(image.newName(forShown: Array("Trip.JPG".utf8)) == "Trip.JPG")
    }

    /// It alone makes the folder a package then: what else is required would have to be looked for elsewhere.
    @Test func theContentMayLieDeeper() throws {
        let text = "[scrap]\nextension = scrap\nparts = Contents/text.md|txt, info.json, assets/\n"
        let scrap = try #require(KindsFile(Array(text.utf8)).kinds.first?.kind.document as? PackageKind)
        #expect(scrap.written == [.files("Contents/text", extensions: ["md", "txt"])] && scrap.required == scrap.written && scrap.isText)
        #expect(scrap.others == [.file("info.json"), .folder("assets")])
        for word in ["*/text.md", "a*.md", "Contents/*/text.md", "x.*", "assets*/", "*/", "**.md"] {
            let read = KindsFile(Array("[scrap]\nextension = scrap\nparts = text.md, \(word)\n".utf8))
            #expect(read.kinds.isEmpty && read.mistakes.first?.sentence.contains("“\(word)” is no part") == true, "\(word): \(read.mistakes)")
        }
        let mistakes = KindsFile(Array((text + "required = info.json\n").utf8)).mistakes
        #expect(mistakes.map(\.line) == [4] && mistakes.first?.sentence.contains("lies deeper") == true, "\(mistakes)")
    }
}
