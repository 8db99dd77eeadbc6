import DocumentKit
import Foundation
import MountTesting
import Testing

/// Files of a type that only the app knows, in a container, with the conflict screen of Apple's documentation: each side is
/// there until a person has decided.
@Suite(.mounting, .timeLimit(.minutes(40))) struct OwnTypeConflictTests {
    /// Where the app has its document, and where somebody else changes it.
    enum Sides: CaseIterable {
        case bothInContainer, appOnDrive, shellOnDrive, bothOnDrive

        func app(_ container: TemporaryContainer, _ drive: String) -> String {
            [.appOnDrive, .bothOnDrive].contains(self) ? drive : container.path
        }

        func other(_ container: TemporaryContainer, _ drive: String) -> String {
            [.shellOnDrive, .bothOnDrive].contains(self) ? drive : container.path
        }
    }

    /// The smallest conflict screen: both sides, and one is chosen.
    @MainActor @Test(arguments: Sides.allCases, [true, false])
    func aConflictScreenAppears(sides: Sides, isTheirsChosen: Bool) async throws {
        let container = try TemporaryContainer()
        try await beside(sides, container) { drive in
            let app = URL(fileURLWithPath: sides.app(container, drive) + "/Plan.mydoc")
            let other = sides.other(container, drive) + "/Plan.mydoc"
            let document = PlainNote(fileURL: app)
            document.text = "one"
            #expect(await document.save(to: app, for: .forCreating))
            NSFileCoordinator.removeFilePresenter(document)
            try await until { FileManager.default.fileExists(atPath: other) }
            try shell("printf theirs >\"$1\"", other).good()
            document.text = "mine"
            document.updateChangeCount(.done)
            #expect(await document.autosave())
            NSFileCoordinator.addFilePresenter(document)
            #expect(document.documentState.contains(.inConflict) && !document.documentState.contains(.savingError))
            #expect(text(app) == "mine")
            // What the screen lists.
            let versions = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: app))
            let current = try #require(NSFileVersion.currentVersionOfItem(at: app))
            #expect(versions.map { text($0.url) } == ["theirs"] && text(current.url) == "mine")
            #expect(try valise("conflicts", container.path).good().output.contains("Plan.mydoc"))
            if isTheirsChosen { try versions.first?.replaceItem(at: app) }
            for side in versions { side.isResolved = true }
            try NSFileVersion.removeOtherVersionsOfItem(at: app)
            #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: app)?.isEmpty == true)
            #expect(NSFileVersion.otherVersionsOfItem(at: app)?.isEmpty == true)
            let chosen = isTheirsChosen ? "theirs" : "mine"
            try await until { !document.documentState.contains(.inConflict) && document.text == chosen }
            #expect(text(app) == chosen)
            #expect(await document.close())
            #expect(try valise("conflicts", container.path).good().output == "")
        }
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
    }

    /// The same with a package. Its type is declared, or nobody has heard of it.
    @MainActor @Test(arguments: Sides.allCases, [true, false])
    func aPackageHasAConflictScreen(sides: Sides, isDeclared: Bool) async throws {
        let container = try TemporaryContainer(), name = isDeclared ? "Plan.declaredplan" : "Plan.myplan"
        if isDeclared {
            ContentTypes.add("com.example.plan", forExtensions: ["declaredplan"], conformingTo: ["com.apple.package"])
        }
        try await beside(sides, container) { drive in
            let app = URL(fileURLWithPath: sides.app(container, drive) + "/" + name)
            let other = sides.other(container, drive) + "/" + name
            let document = PackageNote(fileURL: app)
            document.parts = ["text.md": "one", "info": "first"]
            #expect(await document.save(to: app, for: .forCreating))
            document.parts["text.md"] = "two"
            #expect(await document.save(to: app, for: .forOverwriting))
            let first = ["text.md": "one", "info": "first"], theirs = ["text.md": "two", "info": "theirs"]
            #expect(NSFileVersion.otherVersionsOfItem(at: app)?.map { parts($0.url) } == [first])
            NSFileCoordinator.removeFilePresenter(document)
            try await until { FileManager.default.fileExists(atPath: other) }
            // Any part may be what somebody else changes.
            try shell("printf theirs >\"$1/info.new\"; mv \"$1/info.new\" \"$1/info\"", other).good()
            document.parts["text.md"] = "mine"
            document.updateChangeCount(.done)
            #expect(await document.autosave())
            NSFileCoordinator.addFilePresenter(document)
            #expect(document.documentState.contains(.inConflict) && !document.documentState.contains(.savingError))
            #expect(parts(app) == ["text.md": "mine", "info": "first"])
            let versions = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: app))
            #expect(versions.map { parts($0.url) } == [theirs])
            #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
            #expect(try valise("conflicts", container.path).good().output.contains(name))
            try versions.first?.replaceItem(at: app)
            for side in versions { side.isResolved = true }
            #expect(parts(app) == theirs)
            try NSFileVersion.removeOtherVersionsOfItem(at: app)
            #expect(NSFileVersion.otherVersionsOfItem(at: app)?.isEmpty == true)
            try await until { !document.documentState.contains(.inConflict) && document.parts == theirs }
            try await until { parts(URL(fileURLWithPath: drive + "/" + name)) == theirs }
            #expect(await document.close())
        }
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
    }

    /// What is written while the app reads is not what the app has read.
    @MainActor @Test func aChangeWhileItIsReadIsAConflict() async throws {
        let container = try TemporaryContainer()
        mkdir(container.path + "/.valise", 0o700)
        let url = URL(fileURLWithPath: container.stored("Plan.myplan")), first = PackageNote(fileURL: url)
        first.parts = ["text.md": "one", "info": "first"]
        #expect(await first.save(to: url, for: .forCreating))
        #expect(await first.close())
        let document = PackageNote(fileURL: url)
        document.afterLoading = { try? Data("theirs".utf8).write(to: url.appendingPathComponent("info")) }
        #expect(await document.open())
        document.afterLoading = {}
        document.parts["text.md"] = "mine"
        document.updateChangeCount(.done)
        #expect(await document.save(to: url, for: .forOverwriting))
        let versions = NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? []
        #expect(versions.map { parts($0.url) } == [["text.md": "one", "info": "theirs"]])
        #expect(document.documentState.contains(.inConflict) && parts(url) == ["text.md": "mine", "info": "first"])
        #expect(await document.close())
    }

    /// `body` gets the drive's mountpoint, or the container where there is none.
    @MainActor private func beside(
        _ sides: Sides, _ container: TemporaryContainer, _ body: (String) async throws -> Void
    ) async throws {
        mkdir(container.path + "/.valise", 0o700)
        if sides == .bothInContainer { return try await body(container.path) }
        try await withAwaitedDrive(container) { drive in try await body(drive.mountpoint) }
    }

    private func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }

    private func parts(_ url: URL) -> [String: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return Dictionary(uniqueKeysWithValues: names.map { ($0, text(url.appendingPathComponent($0)) ?? "") })
    }
}

/// The smallest document that is a package.
final class PackageNote: UIDocument {
    var parts: [String: String] = [:]
    var afterLoading: () -> Void = {}

    override func contents(forType typeName: String) throws -> Any {
        FileWrapper(directoryWithFileWrappers: parts.mapValues { FileWrapper(regularFileWithContents: Data($0.utf8)) })
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        let wrappers = (contents as? FileWrapper)?.fileWrappers ?? [:]
        parts = wrappers.compactMapValues { $0.regularFileContents.map { String(decoding: $0, as: UTF8.self) } }
        afterLoading()
    }
}
