import DocumentKit
import Foundation
import MountTesting
import Synchronization
import Testing

/// What somebody said, in its order.
final class Said: Sendable {
    private let words = Mutex<[String]>([])
    func say(_ word: String) { words.withLock { $0.append(word) } }
    var all: [String] { words.withLock { $0 } }
    func has(_ word: String) -> Bool { all.contains(word) }
}

/// A presenter that says what it is asked and told.
final class SpokenPresenter: NSObject, NSFilePresenter, @unchecked Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    let said = Said()
    /// What it saves when it is asked.
    private let unsaved = Mutex<String?>(nil)
    private let moved = Mutex<URL?>(nil)

    init(_ url: URL) {
        presentedItemURL = url
        super.init()
        presentedItemOperationQueue.maxConcurrentOperationCount = 1
        NSFileCoordinator.addFilePresenter(self)
    }

    /// How often it was asked.
    var questions: Int { said.all.count { ["reader", "writer", "save"].contains($0) } }

    func edit(_ text: String) { unsaved.withLock { $0 = text } }
    func end() { NSFileCoordinator.removeFilePresenter(self) }

    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        said.say("reader")
        reader { self.said.say("again") }
    }

    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        said.say("writer")
        writer { self.said.say("again") }
    }

    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        said.say("save")
        if let text = unsaved.withLock({ $0 }), let url = moved.withLock({ $0 }) ?? presentedItemURL {
            NSFileCoordinator(filePresenter: self).coordinate(writingItemAt: url, error: nil) { try? Data(text.utf8).write(to: $0) }
            unsaved.withLock { $0 = nil }
        }
        completionHandler(nil)
    }

    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        said.say("deleted")
        completionHandler(nil)
    }

    func accommodatePresentedSubitemDeletion(at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        said.say("deleted \(url.lastPathComponent)")
        completionHandler(nil)
    }

    func presentedItemDidMove(to newURL: URL) {
        moved.withLock { $0 = newURL }
        said.say("moved \(newURL.lastPathComponent)")
    }

    func presentedItemDidChange() { said.say("changed") }
    func presentedSubitemDidChange(at url: URL) { said.say("changed \(url.lastPathComponent)") }
    func presentedSubitem(at url: URL, didGain version: NSFileVersion) { said.say("gained \(url.lastPathComponent) \(version.isConflict)") }
    func presentedSubitem(at url: URL, didResolve version: NSFileVersion) { said.say("resolved \(url.lastPathComponent)") }
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { [.ubiquitousItemIsUploadedKey] }
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) { said.say("ubiquity \(attributes.map(\.rawValue).sorted())") }
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) { said.say("moved \(oldURL.lastPathComponent) \(newURL.lastPathComponent)") }
}

@Suite(.waiting, .timeLimit(.minutes(40))) struct NSFileCoordinatorTests {
    /// In a container, and in none.
    enum Home: CaseIterable { case container, none }

    private final class Folder {
        private let folder: MountTesting.TemporaryFolder
        let url: URL

        init(_ home: Home) throws {
            folder = try MountTesting.TemporaryFolder()
            url = URL(fileURLWithPath: folder.path, isDirectory: true)
            if home == .container { mkdir(folder.path + "/.valise", 0o700) }
        }

        func file(_ name: String, _ text: String? = nil) throws -> URL {
            let file = url.appendingPathComponent(name)
            if let text { try Data(text.utf8).write(to: file) }
            return file
        }
    }

    private func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }

    private func read(_ url: URL, _ options: NSFileCoordinator.ReadingOptions = [], error: NSErrorPointer = nil) -> String? {
        var found: String?
        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: url, options: options, error: error) { found = text($0) }
        return found
    }

    /// A folder with a presenter, and a document in it that two have changed.
    @MainActor private func withConflict(_ body: (SpokenPresenter, NSFileVersion) async throws -> Void) async throws {
        let folder = try Folder(.container), url = try folder.file("Note.stedoc"), list = SpokenPresenter(folder.url)
        defer { list.end() }
        let note = PlainNote(fileURL: url)
        note.text = "one"
        #expect(await note.save(to: url, for: .forCreating))
        try Data("theirs".utf8).write(to: url)
        note.text = "mine"
        // Or what it hears of its own first save may have it read theirs.
        note.updateChangeCount(.done)
        #expect(await note.save(to: url, for: .forOverwriting))
        try await body(list, try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.first))
        await note.close()
    }

    /// A folder's presenter hears of the versions in it.
    @MainActor @Test func versionsInAFolderAreTold() async throws {
        try await withConflict { list, version in
            try await until { list.said.all.contains("gained Note.stedoc true") }
            version.isResolved = true
            try await until { list.said.all.contains("resolved Note.stedoc") }
        }
    }

    /// It could not answer: until nobody waits for that any more, all would stand still.
    @MainActor @Test func whoDecidesOnItsOwnQueueIsNotAsked() async throws {
        try await withConflict { list, version in
            await withCheckedContinuation { waiting in
                list.presentedItemOperationQueue.addOperation {
                    version.isResolved = true
                    list.said.say("decided")
                    waiting.resume()
                }
            }
            await withCheckedContinuation { waiting in list.presentedItemOperationQueue.addOperation { waiting.resume() } }
            #expect(version.isResolved && !list.said.all.drop { $0 != "decided" }.contains("writer"), "\(list.said.all)")
        }
    }

    /// Only who said so is told, and not the coordinator's own presenter.
    @Test func ubiquityAttributesAreToldInThisProcess() async throws {
        let folder = try Folder(.none), url = try folder.file("a.txt", "x"), one = SpokenPresenter(url), two = SpokenPresenter(url)
        defer { [one, two].forEach { $0.end() } }
        let coordinator = NSFileCoordinator(filePresenter: one)
        coordinator.item(at: url, didChangeUbiquityAttributes: [.ubiquitousItemIsUploadingKey])
        coordinator.item(at: url, didChangeUbiquityAttributes: [.ubiquitousItemIsUploadingKey, .ubiquitousItemIsUploadedKey])
        try await until { !two.said.all.isEmpty }
        #expect(two.said.all == ["ubiquity [\"\(URLResourceKey.ubiquitousItemIsUploadedKey.rawValue)\"]"] && one.said.all.isEmpty)
    }

    private func onThread(_ body: @escaping @Sendable () -> Void) -> Signal {
        let ended = Signal()
        Thread.detachNewThread {
            body()
            ended.give()
        }
        return ended
    }

    private final class Signal: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        func give() { semaphore.signal() }
        func wait() -> Bool { semaphore.wait(timeout: .now() + 60) == .success }
        var hasCome: Bool { semaphore.wait(timeout: .now() + 0.2) == .success }
    }

    @Test(arguments: Home.allCases)
    func aWriterIsAlone(home: Home) throws {
        let folder = try Folder(home), file = try folder.file("a.stedoc", "one"), isIn = Signal(), mayEnd = Signal()
        let writing = onThread {
            NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: file, error: nil) { url in
                isIn.give()
                _ = mayEnd.wait()
                try? Data("two".utf8).write(to: url)
            }
        }
        #expect(isIn.wait())
        let found = Mutex<String?>(nil)
        let reading = onThread { [self] in
            let text = read(file)
            found.withLock { $0 = text }
        }
        #expect(!reading.hasCome)
        mayEnd.give()
        #expect(writing.wait() && reading.wait())
        #expect(found.withLock { $0 } == "two")
        // Readers are side by side.
        let one = Signal(), other = Signal()
        let readers = [(one, other), (other, one)].map { mine, theirs in
            onThread {
                NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: file, error: nil) { _ in
                    mine.give()
                    #expect(theirs.wait())
                }
            }
        }
        for reader in readers { #expect(reader.wait()) }
    }

    @Test(arguments: Home.allCases)
    func presentersAreAskedAndTold(home: Home) throws {
        let folder = try Folder(home), file = try folder.file("a.stedoc", "one")
        let presenter = SpokenPresenter(file), around = SpokenPresenter(folder.url)
        defer {
            presenter.end()
            around.end()
        }
        presenter.edit("two")
        #expect(read(file, .withoutChanges) == "one")
        #expect(read(file, .immediatelyAvailableMetadataOnly) == "one")
        #expect(read(file) == "two")
        #expect(eventually { presenter.said.all == ["reader", "again", "reader", "again", "reader", "save", "again"] }, "\(presenter.said.all)")
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: file, options: .forMerging, error: nil) { try? Data("three".utf8).write(to: $0) }
        #expect(eventually { presenter.said.all.suffix(4).sorted() == ["again", "changed", "save", "writer"] }, "\(presenter.said.all)")
        #expect(eventually { around.said.has("changed a.stedoc") })
        let coordinator = NSFileCoordinator(filePresenter: nil), new = try folder.file("b.stedoc")
        coordinator.coordinate(writingItemAt: file, options: .forMoving, writingItemAt: new, options: .forReplacing, error: nil) { from, to in
            try? FileManager.default.moveItem(at: from, to: to)
            coordinator.item(at: from, willMoveTo: to)
            coordinator.item(at: from, didMoveTo: to)
        }
        #expect(eventually { presenter.said.has("moved b.stedoc") && around.said.has("moved a.stedoc b.stedoc") }, "\(presenter.said.all) \(around.said.all)")
        presenter.edit("four")
        #expect(read(new) == "four")
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: new, options: .forDeleting, error: nil) { try? FileManager.default.removeItem(at: $0) }
        #expect(eventually { presenter.said.has("deleted") && around.said.has("deleted b.stedoc") }, "\(around.said.all)")
        // Its own are not asked about.
        let count = presenter.questions
        NSFileCoordinator(filePresenter: presenter).coordinate(writingItemAt: new, error: nil) { _ in }
        #expect(presenter.questions == count)
        #expect(NSFileCoordinator.filePresenters.contains { $0 === presenter })
        presenter.end()
        #expect(!NSFileCoordinator.filePresenters.contains { $0 === presenter })
        _ = read(new)
        #expect(presenter.questions == count)
    }

    @Test(arguments: Home.allCases)
    func onePurposeDoesNotWaitForItself(home: Home) throws {
        let folder = try Folder(home), file = try folder.file("a.stedoc", "one"), one = NSFileCoordinator(filePresenter: nil), other = NSFileCoordinator(filePresenter: nil)
        other.purposeIdentifier = one.purposeIdentifier
        let said = Said()
        one.coordinate(writingItemAt: file, error: nil) { url in
            other.coordinate(readingItemAt: url, error: nil) { _ in said.say("read") }
            other.coordinate(writingItemAt: url, options: .forDeleting, error: nil) { _ in said.say("deleted") }
            let thread = onThread { one.coordinate(writingItemAt: file, error: nil) { _ in said.say("elsewhere") } }
            #expect(thread.wait())
        }
        #expect(said.all == ["read", "deleted", "elsewhere"])
    }

    @Test(arguments: Home.allCases)
    func severalIntents(home: Home) throws {
        let folder = try Folder(home)
        let files = try (0..<5).map { try folder.file("\($0).stedoc", "\($0)") }
        let intents = files.map { NSFileAccessIntent.writingIntent(with: $0) }, ended = Signal(), queue = OperationQueue()
        NSFileCoordinator(filePresenter: nil).coordinate(with: intents + [NSFileAccessIntent.readingIntent(with: folder.url)], queue: queue) { error in
            #expect(error == nil)
            for intent in intents { try? Data("new".utf8).write(to: intent.url) }
            ended.give()
        }
        #expect(ended.wait())
        #expect(files.allSatisfy { text($0) == "new" })
        var prepared = 0
        NSFileCoordinator(filePresenter: nil).prepare(forReadingItemsAt: files, writingItemsAt: [], error: nil) { done in
            prepared = files.count { text($0) == "new" }
            done()
        }
        #expect(prepared == 5)
    }

    @Test(arguments: Home.allCases)
    func whoWaitsCanBeCancelled(home: Home) throws {
        let folder = try Folder(home), file = try folder.file("a.stedoc", "one"), isIn = Signal(), mayEnd = Signal()
        let writing = onThread {
            NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: file, error: nil) { _ in
                isIn.give()
                _ = mayEnd.wait()
            }
        }
        #expect(isIn.wait())
        let coordinator = NSFileCoordinator(filePresenter: nil), said = Said()
        let waiting = onThread {
            var error: NSError?
            coordinator.coordinate(readingItemAt: file, error: &error) { _ in said.say("read") }
            said.say((error as? CocoaError)?.code == .userCancelled || error?.code == CocoaError.userCancelled.rawValue ? "cancelled" : "\(String(describing: error))")
        }
        #expect(!waiting.hasCome)
        coordinator.cancel()
        #expect(waiting.wait())
        #expect(said.all == ["cancelled"])
        mayEnd.give()
        #expect(writing.wait())
        #expect(read(file) == "one")
    }

    @Test func aCopyForUploadingKeepsNobodyWaiting() throws {
        let folder = try Folder(.container), file = try folder.file("a.stedoc", "one")
        var copy: URL?
        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: file, options: .forUploading, error: nil) { url in
            copy = url
            NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: file, error: nil) { try? Data("two".utf8).write(to: $0) }
            #expect(text(url) == "one")
        }
        #expect(text(file) == "two" && copy.map { text($0) == nil } == true)
    }

    @Test func linksAreFollowedWhereThatIsAsked() throws {
        let folder = try Folder(.container), file = try folder.file("a.stedoc", "one"), link = try folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        var places: [String] = []
        let coordinator = NSFileCoordinator(filePresenter: nil)
        coordinator.coordinate(readingItemAt: link, options: .resolvesSymbolicLink, error: nil) { places.append($0.lastPathComponent) }
        coordinator.coordinate(readingItemAt: link, error: nil) { places.append($0.lastPathComponent) }
        #expect(places == ["a.stedoc", "link"])
    }

    @Test func oddURLsAreErrors() {
        var error: NSError?
        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: URL(string: "https://example.org")!, error: &error) { _ in Issue.record("it was read") }
        #expect(error != nil)
    }
}

/// A document of a container and what a drive shows of it are one item.
@Suite(.mounting, .timeLimit(.minutes(40))) struct CoordinatedDriveTests {
    @Test func aDriveAndItsContainerAreTheSame() throws {
        let container = try TemporaryContainer("text Notes one\nfolder Sub\ntext Sub/More two")
        try withDrive(container) { drive in
            let stored = try container.items.map { try #require(URL(fileURLWithPath: container.path).appendingPathComponent($0.stored) as URL?) }
            let shown = ["Notes.txt", "Sub/More.txt"].map { URL(fileURLWithPath: drive.path($0)) }
            for (stored, shown) in zip(stored, shown) {
                let said = Said(), ended = DispatchSemaphore(value: 0)
                NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: shown, error: nil) { url in
                    #expect(url == shown)
                    Thread.detachNewThread {
                        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: stored, error: nil) { said.say($0.path) }
                        ended.signal()
                    }
                    #expect(ended.wait(timeout: .now() + 0.3) == .timedOut)
                    // What is written through the drive, the drive does not wait for.
                    #expect((try? Data("by name\n".utf8).write(to: url)) != nil)
                    said.say("written")
                }
                #expect(ended.wait(timeout: .now() + 60) == .success)
                #expect(said.all == ["written", stored.path])
                #expect(try String(contentsOf: stored, encoding: .utf8) == "by name\n")
            }
        }
    }
}
