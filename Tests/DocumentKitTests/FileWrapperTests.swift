import DocumentKit
import Foundation
import MountTesting
import Testing

/// Wrappers in memory and on disk.
@Suite final class FileWrapperTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("wrapper-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func inode(_ path: String) throws -> UInt64 {
        try #require(try FileManager.default.attributesOfItem(atPath: url(path).path)[.systemFileNumber] as? UInt64)
    }

    /// Who has kept a child has what is there now.
    @Test func childrenStayTheObjectsThatTheyAre() throws {
        try package().write(to: url("A.ptk"), originalContentsURL: nil)
        let wrapper = try FileWrapper(url: url("A.ptk")), children = try #require(wrapper.fileWrappers), link = try #require(children["more"]?.fileWrappers?["link"])
        try Data("new image".utf8).write(to: url("A.ptk/photo.data"))
        try FileManager.default.removeItem(at: url("A.ptk/photo.metadata"))
        try Data("x".utf8).write(to: url("A.ptk/added"))
        try wrapper.read(from: url("A.ptk"))
        let now = try #require(wrapper.fileWrappers)
        #expect(Set(now.keys) == ["photo.data", "more", "added"])
        #expect(now["photo.data"] === children["photo.data"] && now["more"] === children["more"] && now["more"]?.fileWrappers?["link"] === link)
        #expect(children["photo.data"]?.regularFileContents == Data("new image".utf8))
        let kept = try #require(now["photo.data"])
        kept.preferredFilename = "image"
        #expect(wrapper.fileWrappers?["image"] === kept && wrapper.fileWrappers?["photo.data"] == nil)
    }

    private func package() -> FileWrapper {
        let wrapper = FileWrapper(directoryWithFileWrappers: [
            "photo.data": FileWrapper(regularFileWithContents: Data("image".utf8)), "photo.metadata": FileWrapper(regularFileWithContents: Data("small".utf8)),
            "more": FileWrapper(directoryWithFileWrappers: ["link": FileWrapper(symbolicLinkWithDestinationURL: URL(fileURLWithPath: "/nowhere"))]),
        ])
        wrapper.preferredFilename = "A.ptk"
        return wrapper
    }

    @Test func whatIsWrittenIsRead() throws {
        let place = url("A.ptk")
        try package().write(to: place, options: .atomic, originalContentsURL: nil)
        let read = try FileWrapper(url: place, options: [])
        #expect(read.isDirectory && !read.isRegularFile && read.filename == "A.ptk" && read.regularFileContents == nil)
        let children = try #require(read.fileWrappers)
        #expect(Set(children.keys) == ["photo.data", "photo.metadata", "more"])
        #expect(children["photo.data"]?.regularFileContents == Data("image".utf8))
        #expect(children["more"]?.fileWrappers?["link"]?.symbolicLinkDestinationURL?.path == "/nowhere")
        #expect(children["photo.data"]?.fileAttributes[FileAttributeKey.size.rawValue] as? Int == 5)
        #expect(read.matchesContents(of: place) && !read.needsToBeUpdated(fromPath: place.path))
        try Data("larger".utf8).write(to: url("A.ptk/photo.metadata"))
        #expect(!read.matchesContents(of: place))
        // It was not asked for before it changed: it is missing, and not another one.
        #expect(children["photo.metadata"]?.regularFileContents == nil)
        try read.read(from: place, options: .immediate)
        #expect(read.fileWrappers?["photo.metadata"]?.regularFileContents == Data("larger".utf8))
        #expect(throws: CocoaError.self) { _ = try FileWrapper(url: self.url("absent"), options: []) }
    }

    /// A part that did not change keeps its place on disk, in each way of writing.
    @Test(arguments: [FileWrapper.WritingOptions.atomic, [], [.atomic, .withNameUpdating]])
    func whatDidNotChangeKeepsItsInode(_ options: FileWrapper.WritingOptions) throws {
        let place = url("A.ptk")
        try package().write(to: place, options: [], originalContentsURL: nil)
        let before = try inode("A.ptk/photo.data")
        let read = try FileWrapper(url: place, options: [])
        for text in ["new", "newer"] {
            let old = try #require(read.fileWrappers?["photo.metadata"])
            read.removeFileWrapper(old)
            read.addRegularFile(withContents: Data(text.utf8), preferredFilename: "photo.metadata")
            try read.write(to: place, options: options, originalContentsURL: place)
            #expect(try inode("A.ptk/photo.data") == before)
            #expect(try Data(contentsOf: url("A.ptk/photo.metadata")) == Data(text.utf8))
        }
        // A fresh wrapper with the same bytes, as PhotoKeeper makes one for each save.
        try package().write(to: place, options: options, originalContentsURL: place)
        #expect(try inode("A.ptk/photo.data") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["A.ptk"])
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: place.path)) == ["photo.data", "photo.metadata", "more"])
    }

    /// A part that somebody has changed before it was read is written as it is now: what else was edited can be saved. Who asks for its contents has none, as
    /// Apple's documentation says. One that cannot be read is named, and nothing is written.
    @Test(arguments: [[], .atomic] as [FileWrapper.WritingOptions]) func aPartThatIsAnotherByNow(_ options: FileWrapper.WritingOptions) throws {
        try package().write(to: url("A.ptk"), originalContentsURL: nil)
        let wrapper = try FileWrapper(url: url("A.ptk")), part = try #require(wrapper.fileWrappers?["photo.data"])
        try Data("another image".utf8).write(to: url("A.ptk/photo.data"))
        #expect(part.regularFileContents == nil)
        wrapper.addRegularFile(withContents: Data("edited".utf8), preferredFilename: "text")
        try wrapper.write(to: url("B.ptk"), options: options, originalContentsURL: nil)
        #expect(try Data(contentsOf: url("B.ptk/photo.data")) == Data("another image".utf8) && Data(contentsOf: url("B.ptk/text")) == Data("edited".utf8))

        try FileManager.default.removeItem(at: url("A.ptk/photo.data"))
        do {
            try wrapper.write(to: url("C.ptk"), options: .atomic, originalContentsURL: nil)
            Issue.record("a part was written that is gone")
        } catch let error as CocoaError {
            #expect(error.code == .fileReadNoSuchFile && (error.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix("/A.ptk/photo.data") == true)
            #expect(error.localizedDescription.contains("A.ptk/photo.data") && (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(ENOENT))
        }
        #expect(!FileManager.default.fileExists(atPath: url("C.ptk").path))
    }

    /// Somebody has saved the whole package meanwhile, as apps do it: the same names lead to what is there now.
    @Test(arguments: [false, true]) func aPackageThatIsAnotherByNow(isOriginalNamed: Bool) throws {
        try package().write(to: url("A.ptk"), originalContentsURL: nil)
        try FileManager.default.createDirectory(at: url("A.ptk/deep"), withIntermediateDirectories: false)
        try Data("inner".utf8).write(to: url("A.ptk/deep/part"))
        let wrapper = try FileWrapper(url: url("A.ptk")), other = try FileWrapper(url: url("A.ptk"), options: .immediate)
        #expect(wrapper.fileWrappers?.count == 4)
        if let part = other.fileWrappers?["photo.data"] { other.removeFileWrapper(part) }
        other.addRegularFile(withContents: Data("theirs".utf8), preferredFilename: "photo.data")
        try other.write(to: url("A.ptk"), options: .atomic, originalContentsURL: url("A.ptk"))
        wrapper.addRegularFile(withContents: Data("edited".utf8), preferredFilename: "text")
        try wrapper.write(to: url("B.ptk"), options: .atomic, originalContentsURL: isOriginalNamed ? url("A.ptk") : nil)
        func written(_ name: String) -> String? { try? String(contentsOf: url("B.ptk/" + name), encoding: .utf8) }
        #expect(written("photo.data") == "theirs" && written("photo.metadata") == "small" && written("deep/part") == "inner" && written("text") == "edited")
    }

    /// So is one that this user may not read, also by a document that is saved elsewhere.
    @Test(.enabled(if: geteuid() == 0, "only root is several users")) func aPartThatMayNotBeRead() throws {
        try package().write(to: url("A.ptk"), originalContentsURL: nil)
        chmod(url("A.ptk/photo.data").path, 0o600)
        chmod(folder.path, 0o777)
        let lines = try Program(
            ["setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", Places.built + "/DocumentTrial", url("A.ptk").path, "open", "edit:two", "create:B.ptk", "fault"]
        ).wait().good().lines
        #expect(lines.contains("open true") && lines.contains("create false"), "\(lines)")
        #expect(lines.last == "fault “\(url("A.ptk/photo.data").path)”: Permission denied", "\(lines)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["A.ptk"])
    }

    @Test func whatIsRemovedIsGone() throws {
        let place = url("A.ptk"), wrapper = package()
        try wrapper.write(to: place, options: .withNameUpdating, originalContentsURL: nil)
        #expect(wrapper.filename == "A.ptk" && wrapper.matchesContents(of: place))
        wrapper.removeFileWrapper(try #require(wrapper.fileWrappers?["more"]))
        try wrapper.write(to: place, options: [], originalContentsURL: place)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: place.path)) == ["photo.data", "photo.metadata"])
    }

    @Test func aFileTakesTheNameOfAFolderAndBack() throws {
        let place = url("X")
        for _ in 0..<2 {
            try package().write(to: place, options: .atomic, originalContentsURL: nil)
            try FileWrapper(regularFileWithContents: Data([1])).write(to: place, options: .atomic, originalContentsURL: nil)
            #expect(try Data(contentsOf: place) == Data([1]))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["X"])
    }

    @Test func namesThatAreTakenGetANumber() {
        let wrapper = FileWrapper(directoryWithFileWrappers: [:])
        #expect(wrapper.addRegularFile(withContents: Data([1]), preferredFilename: "a.png") == "a.png")
        let second = wrapper.addRegularFile(withContents: Data([2]), preferredFilename: "a.png")
        #expect(second != "a.png" && second.hasSuffix("a.png"))
        let child = wrapper.fileWrappers?[second]
        #expect(child?.preferredFilename == "a.png")
        guard let child else { return }
        #expect(wrapper.addFileWrapper(child) == second && wrapper.keyForChildFileWrapper(child) == second)
        // Another preferred name, and the folder calls it so.
        child.preferredFilename = "b.png"
        #expect(wrapper.keyForChildFileWrapper(child) == "b.png")
        wrapper.removeFileWrapper(child)
        #expect(wrapper.keyForChildFileWrapper(child) == nil && wrapper.fileWrappers?.count == 1)
        #expect(FileWrapper(regularFileWithContents: Data()).addFileWrapper(child) == "")
    }

    @Test func allOfItAsBytes() throws {
        let data = try #require(package().serializedRepresentation)
        let copy = try #require(FileWrapper(serializedRepresentation: data))
        #expect(copy.preferredFilename == "A.ptk" && copy.serializedRepresentation == data)
        #expect(FileWrapper(serializedRepresentation: Data("no".utf8)) == nil && FileWrapper(serializedRepresentation: data.dropLast(9)) == nil)
    }

    /// A link in a package is a link, wherever it leads.
    @Test func linksAreNotFollowed() throws {
        let place = url("A.ptk")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: url("secret"))
        try FileManager.default.createSymbolicLink(atPath: url("A.ptk/photo.data").path, withDestinationPath: "../secret")
        let read = try FileWrapper(url: place, options: .immediate)
        #expect(read.fileWrappers?["photo.data"]?.regularFileContents == nil)
        #expect(read.fileWrappers?["photo.data"]?.isSymbolicLink == true)
        read.removeFileWrapper(try #require(read.fileWrappers?["photo.data"]))
        read.addRegularFile(withContents: Data([1]), preferredFilename: "photo.data")
        try read.write(to: place, options: [], originalContentsURL: place)
        #expect(try Data(contentsOf: url("secret")) == Data("secret".utf8))
    }
}
