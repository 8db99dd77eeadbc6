import DocumentKit
import Foundation
import MountTesting
import Testing

/// What an app asks a file manager about its container.
@Suite struct FileManagerUbiquityTests {
    private let manager = FileManager.default
    private let folder: URL
    private let outside: TemporaryFolder

    init() throws {
        folder = try OwnContainer.folder()
        outside = try TemporaryFolder()
    }

    private func beside(_ name: String) -> URL { URL(fileURLWithPath: outside.path).appendingPathComponent(name) }

    private func write(_ text: String, _ url: URL) throws { try text.write(to: url, atomically: false, encoding: .utf8) }

    private func code(_ body: () throws -> Void) -> CocoaError.Code? {
        do { try body() } catch { return (error as? CocoaError)?.code }
        return nil
    }

    @Test func theOwnContainerIsNamed() throws {
        #expect(manager.url(forUbiquityContainerIdentifier: nil)?.path == OwnContainer.container.path)
        // Who names a container in the environment means that, whatever the app calls it.
        #expect(manager.url(forUbiquityContainerIdentifier: "TEAM.com.example.App")?.path == OwnContainer.container.path)
        #expect(manager.ubiquityContainerFault(forIdentifier: "TEAM.com.example.App") == nil)
        let token = try #require(manager.ubiquityIdentityToken)
        #expect(token.isEqual(manager.ubiquityIdentityToken))
        #expect(manager.isUbiquitousItem(at: folder) && manager.isUbiquitousItem(at: folder.appendingPathComponent("none")))
        #expect(!manager.isUbiquitousItem(at: beside("x")) && !manager.isUbiquitousItem(at: OwnContainer.documents.deletingLastPathComponent()))
        #expect(!manager.isUbiquitousItem(at: try #require(URL(string: "https://www.swift.org/"))))
    }

    @Test func itemsMoveInAndOut() throws {
        let draft = beside("Draft.stedoc"), inside = folder.appendingPathComponent("Notes.stedoc"), back = beside("Back.stedoc")
        try write("one", draft)
        try manager.setUbiquitous(true, itemAt: draft, destinationURL: inside)
        #expect(!manager.fileExists(atPath: draft.path) && (try? String(contentsOf: inside, encoding: .utf8)) == "one")
        try manager.setUbiquitous(false, itemAt: inside, destinationURL: back)
        #expect(!manager.fileExists(atPath: inside.path) && (try? String(contentsOf: back, encoding: .utf8)) == "one")
    }

    /// It is saved before, and goes on at its destination. From another file system, too.
    @Test(arguments: ["cloud", "cloudOnMain"], [true, false]) func anOpenDocumentFollows(step: String, isNear: Bool) throws {
        let far = URL(fileURLWithPath: "/dev/shm/valise-\(UUID().uuidString)"), near = isNear ? beside("near") : far
        try manager.createDirectory(at: near, withIntermediateDirectories: false)
        defer { try? manager.removeItem(at: far) }
        // Which nobody else serves: how long is waited for the document is this program's to say, and not part of what is tried.
        let container = try TemporaryContainer("folder Documents"), folder = URL(fileURLWithPath: container.path).appendingPathComponent("Documents")
        let draft = near.appendingPathComponent("Draft.stedoc"), inside = folder.appendingPathComponent("Notes.stedoc"), back = near.appendingPathComponent("Back.stedoc")
        try write("one", draft)
        func relative(_ url: URL) -> String { String(repeating: "../", count: 20) + url.path.dropFirst() }
        let steps = ["open", "edit:two", "\(step):" + relative(inside), "until:Notes.stedoc", "unsaved", "edit:three", "read", "state",
            "edit:four", "\(step):" + relative(back), "until:Back.stedoc", "unsaved", "edit:five", "close", "file"]
        let environment = ["VALISE_CONTAINER": container.path, "PATIENCE": "\(Int(patience))"]
        let said = try Program([Places.built + "/DocumentTrial", draft.path] + steps, environment: environment).wait().good().lines
        #expect(said.filter { !$0.hasPrefix("state ") && $0 != "disable" && $0 != "enable" } == [
            "load one", "open true", "contents two", "cloud two", "unsaved false", "contents three", "read three", "is normal",
            "contents four", "cloud four", "unsaved false", "contents five", "close true", "file five",
        ])
        #expect(try manager.contentsOfDirectory(atPath: near.path) == ["Back.stedoc"] && manager.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// A package too, and from another file system.
    @Test func packagesMoveBetweenFileSystems() throws {
        let place = "/dev/shm/valise-\(UUID().uuidString)"
        try manager.createDirectory(atPath: place + "/Cat.ptk", withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: place) }
        try write("data", URL(fileURLWithPath: place + "/Cat.ptk/photo.data"))
        let inside = folder.appendingPathComponent("Cat.ptk")
        try manager.setUbiquitous(true, itemAt: URL(fileURLWithPath: place + "/Cat.ptk"), destinationURL: inside)
        #expect((try? String(contentsOf: inside.appendingPathComponent("photo.data"), encoding: .utf8)) == "data")
        #expect(try manager.contentsOfDirectory(atPath: folder.path) == ["Cat.ptk"] && manager.contentsOfDirectory(atPath: place).isEmpty)
    }

    @Test func nothingIsReplacedAndNothingMovesWhereItIs() throws {
        let draft = beside("Draft.stedoc"), inside = folder.appendingPathComponent("Notes.stedoc")
        try write("new", draft)
        try write("old", inside)
        #expect(code { try manager.setUbiquitous(true, itemAt: draft, destinationURL: inside) } == .fileWriteFileExists)
        #expect((try? String(contentsOf: inside, encoding: .utf8)) == "old" && (try? String(contentsOf: draft, encoding: .utf8)) == "new")
        #expect(code { try manager.setUbiquitous(true, itemAt: inside, destinationURL: folder.appendingPathComponent("x")) } == .featureUnsupported)
        #expect(code { try manager.setUbiquitous(true, itemAt: draft, destinationURL: beside("x")) } == .featureUnsupported)
        #expect(code { try manager.setUbiquitous(false, itemAt: draft, destinationURL: beside("x")) } == .featureUnsupported)
        #expect(code { try manager.setUbiquitous(false, itemAt: inside, destinationURL: folder.appendingPathComponent("y")) } == .featureUnsupported)
        #expect(code { try manager.setUbiquitous(true, itemAt: beside("none"), destinationURL: folder.appendingPathComponent("z")) } == .fileNoSuchFile)
    }

    @Test func everythingIsHereAndNowhereElse() throws {
        let item = folder.appendingPathComponent("Notes.stedoc"), placeholder = folder.appendingPathComponent(".Far.stedoc.icloud")
        try write("one", item)
        try write("stub", placeholder)
        try manager.startDownloadingUbiquitousItem(at: item)
        #expect(code { try manager.startDownloadingUbiquitousItem(at: placeholder) } == .ubiquitousFileUnavailable)
        #expect(code { try manager.startDownloadingUbiquitousItem(at: folder.appendingPathComponent("none")) } == .fileNoSuchFile)
        #expect(code { try manager.startDownloadingUbiquitousItem(at: beside("x")) } == .featureUnsupported)
        #expect(code { try manager.evictUbiquitousItem(at: item) } == .featureUnsupported && manager.fileExists(atPath: item.path))
        var expiration: NSDate?
        #expect(code { _ = try manager.url(forPublishingUbiquitousItemAt: item, expiration: &expiration) } == .ubiquitousFileUbiquityServerNotAvailable)
        do { try manager.evictUbiquitousItem(at: item) } catch { #expect(error.localizedDescription.contains("it would be lost")) }
    }

    @Test func resourceValuesSayWhatIsSo() throws {
        let item = folder.appendingPathComponent("Notes.stedoc"), hidden = folder.appendingPathComponent(".hidden")
        try write("one", item)
        try write("x", hidden)
        let values = try item.ubiquitousResourceValues()
        #expect(values.isHidden == false && values.isUbiquitousItem == true && values.isPackage == false && values.localizedName == "Notes.txt")
        #expect(values.ubiquitousItemDownloadingStatus == .current && values.ubiquitousItemHasUnresolvedConflicts == false)
        #expect(values.ubiquitousItemIsUploaded == true && values.ubiquitousItemIsDownloading == false && values.ubiquitousItemDownloadRequested == false)
        #expect(try hidden.ubiquitousResourceValues().isHidden == true)
        #expect(values.ubiquitousItemIsShared == false && values.ubiquitousItemDownloadingError == nil && values.ubiquitousItemUploadingError == nil)
        #expect(values.ubiquitousItemContainerDisplayName == (OwnContainer.container.path as NSString).lastPathComponent)
        try write("x", beside("plain"))
        let plain = try beside("plain").ubiquitousResourceValues()
        #expect(plain.isUbiquitousItem == false && plain.ubiquitousItemDownloadingStatus == nil && plain.isHidden == false && plain.localizedName == "plain")
        #expect(code { _ = try beside("none").ubiquitousResourceValues() } == .fileReadNoSuchFile)
    }

    /// As it is written for iOS: of one value at once, or with the type. Foundation's own is what else is asked.
    @Test func resourceValuesAreAskedAsOnApplesSystems() throws {
        let item = folder.appendingPathComponent("Notes.stedoc")
        try write("one", item)
        #expect(try item.resourceValues(forKeys: [.ubiquitousItemDownloadingStatusKey]).ubiquitousItemDownloadingStatus == .current)
        let values: UbiquitousResourceValues = try item.resourceValues(forKeys: [.isUbiquitousItemKey])
        #expect(values.isUbiquitousItem == true)
        #expect(try item.resourceValues(forKeys: [.fileSizeKey]).fileSize == 3)
    }

    /// One value has all that documents are asked for, Foundation's and ours.
    @Test func resourceValuesAreOneType() throws {
        let item = folder.appendingPathComponent("Notes.stedoc"), hidden = folder.appendingPathComponent(".hidden"), link = folder.appendingPathComponent("link")
        try write("one", item)
        try write("x", hidden)
        let before = Date()
        let values = try item.resourceValues(forKeys: [.nameKey, .isDirectoryKey, .fileSizeKey, .contentModificationDateKey, .creationDateKey, .ubiquitousItemDownloadingStatusKey])
        #expect(values.isDirectory == false && values.fileSize == 3 && values.name == "Notes.stedoc" && values.ubiquitousItemDownloadingStatus == .current)
        #expect(values.typeIdentifier == "public.plain-text" && values.isHidden == false && values.isRegularFile == nil)
        #expect(abs(try #require(values.contentModificationDate).timeIntervalSince(before)) < 3_600)
        // Made once, and changed later.
        try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: item.path)
        let later = try item.ubiquitousResourceValues()
        #expect(later.contentModificationDate == Date(timeIntervalSince1970: 1_000_000_000) && later.isRegularFile == true && later.name == "Notes.stedoc")
        if let made = later.creationDate { #expect(abs(made.timeIntervalSince(before)) < 3_600) }
        // As it is written in loops, with what Foundation says otherwise.
        let shown = try [item, hidden].filter { try $0.resourceValues(forKeys: [.isHiddenKey]).isHidden == false }
        #expect(shown == [item])
        let keys: Set<URLResourceKey> = [.isDirectoryKey, .isPackageKey], typed: UbiquitousResourceValues = try folder.resourceValues(forKeys: keys)
        #expect(typed.isDirectory == true && typed.isPackage == false && typed.typeIdentifier == "public.folder")
        #expect(try item.promisedItemResourceValues(forKeys: [.fileSizeKey]).fileSize == 3)
        // A link that leads nowhere is there, and what is not there is an error.
        try manager.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere")
        #expect(try link.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == true)
        #expect(code { _ = try beside("none").resourceValues(forKeys: [.isDirectoryKey]) } == .fileReadNoSuchFile)
        #expect(item.startAccessingSecurityScopedResource())
        item.stopAccessingSecurityScopedResource()
    }

    /// The folder comes and goes, and the file that names it says another one. Also for a user who may have no notices, or no watches.
    @Test(arguments: [nil, "max_inotify_instances", "max_inotify_watches"]) func whoTheContainersBelongToIsFollowed(limit: String?) throws {
        let place = try TemporaryFolder(), names = place.path + "/config/valise/containers"
        for name in ["config", "home"] { try manager.createDirectory(atPath: place.path + "/" + name, withIntermediateDirectories: false) }
        let environment = ["VALISE_CONTAINER": "", "HOME": place.path + "/home", "XDG_CONFIG_HOME": place.path + "/config"]
        let app = try Program(Program.limited(by: limit, [Places.built + "/DocumentTrial", "identity"]), environment: environment)
        defer { app.end() }
        func said(_ count: Int, _ last: String) throws {
            func lines() -> [Substring] { app.output.split(separator: "\n") }
            guard eventually({ lines().count >= count || app.hasEnded }), lines().count == count, lines().last == Substring(last) else { throw Failed("“\(last)” comes in line \(count): \(app.output)\(app.errors)") }
        }
        try said(1, "none")
        try manager.createDirectory(atPath: place.path + "/home/One", withIntermediateDirectories: false)
        try manager.createDirectory(atPath: place.path + "/home/Two", withIntermediateDirectories: false)
        try manager.createDirectory(atPath: place.path + "/config/valise", withIntermediateDirectories: false)
        try "TEAM.com.example.App = ~/One\n".write(toFile: names, atomically: true, encoding: .utf8)
        try said(2, "One")
        try "TEAM.com.example.App = ~/Two\n".write(toFile: names, atomically: true, encoding: .utf8)
        try said(3, "Two")
        rename(place.path + "/home/Two", place.path + "/home/Away")
        try said(4, "none")
        rename(place.path + "/home/Away", place.path + "/home/Two")
        try said(5, "Two")
    }
}
