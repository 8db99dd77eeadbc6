import DocumentKit
import Foundation

/// The steps of a script: a word each, some with an argument behind a colon. `&` behind one does not wait for its end.
@MainActor
final class Steps {
    let file: URL
    var note: TracedNote
    private var token: Any?
    private nonisolated static let other = NSFileCoordinator(filePresenter: nil)
    private let others: Others
    private var presenters: [TracedPresenter] = []

    init(_ file: URL) {
        self.file = file
        others = Others(file)
        note = TracedNote(fileURL: file)
    }

    func run(_ step: String) async {
        let parts = step.split(separator: ":", maxSplits: 1).map(String.init)
        let waits = !parts[0].hasSuffix("&"), word = waits ? parts[0] : String(parts[0].dropLast()), argument = parts.count > 1 ? parts[1] : ""
        if await !life(word, argument, waits: waits), !edit(word, argument), await !outside(word, argument) { await look(word, argument) }
    }

    // MARK: The document's life

    private func life(_ word: String, _ argument: String, waits: Bool) async -> Bool {
        let note = note, url = argument.isEmpty ? note.fileURL : file.deletingLastPathComponent().appendingPathComponent(argument)
        let operation: (@escaping @Sendable (Bool) -> Void) -> Void
        switch word {
        case "open": operation = { note.open(completionHandler: $0) }
        case "close": operation = { note.close(completionHandler: $0) }
        case "create": operation = { note.save(to: url, for: .forCreating, completionHandler: $0) }
        case "save": operation = { note.save(to: url, for: .forOverwriting, completionHandler: $0) }
        case "autosave": operation = { note.autosave(completionHandler: $0) }
        case "revert": operation = { note.revert(toContentsOf: url, completionHandler: $0) }
        default: return false
        }
        guard waits else {
            operation { say(word, "\($0)") }
            return true
        }
        let success = await withCheckedContinuation { waiting in operation { waiting.resume(returning: $0) } }
        say(word, "\(success)")
        return true
    }

    private func edit(_ word: String, _ argument: String) -> Bool {
        switch word {
        case "edit":
            note.text = argument
            note.updateChangeCount(.done)
        case "type": note.type(argument)
        case "undo": note.undoManager.undo()
        case "redo": note.undoManager.redo()
        case "clear": note.updateChangeCount(.cleared)
        case "undone": note.updateChangeCount(.undone)
        case "redone": note.updateChangeCount(.redone)
        case "token": token = note.changeCountToken(for: .forOverwriting)
        case "use": if let token { note.updateChangeCount(withToken: token, for: .forOverwriting) }
        case "refuse": note.refuses = argument
        case "ask": note.asks = true
        case "answer": note.answer(argument == "yes")
        case "delay": note.autosaveDelay = Double(argument) ?? 3
        case "messages": NSFileCoordinator.messageHandler = { say("message", $0) }
        case "another": note = TracedNote(fileURL: note.fileURL)
        default: return false
        }
        return true
    }

    // MARK: Others

    private func outside(_ word: String, _ argument: String) async -> Bool {
        let url = note.fileURL, new = file.deletingLastPathComponent().appendingPathComponent(argument).standardizedFileURL
        switch word {
        case "read": say("read", await elsewhere { Self.coordinated(reading: url) { (try? String(contentsOf: $0, encoding: .utf8)) ?? "nothing" } ?? "refused" })
        case "look": say("look", await elsewhere { Self.coordinated(reading: url, .withoutChanges) { (try? String(contentsOf: $0, encoding: .utf8)) ?? "nothing" } ?? "refused" })
        case "write": await elsewhere { Self.coordinated(writing: url) { try? Data(argument.utf8).write(to: $0) } }
        case "replace": await elsewhere { Self.coordinated(writing: url, .forReplacing) { try? Data(argument.utf8).write(to: $0) } }
        case "delete": await elsewhere { Self.coordinated(writing: url, .forDeleting) { try? FileManager.default.removeItem(at: $0) } }
        case "move":
            await elsewhere {
                Self.other.coordinate(writingItemAt: url, options: .forMoving, writingItemAt: new, options: .forReplacing, error: nil) { from, to in
                    try? FileManager.default.moveItem(at: from, to: to)
                    Self.other.item(at: from, didMoveTo: to)
                }
            }
        case "cloud": say("cloud", await elsewhere { Self.moved(url, to: new) })
        case "cloudOnMain": say("cloud", Self.moved(url, to: new))
        case "link":
            try? FileManager.default.createSymbolicLink(atPath: new.path, withDestinationPath: url.lastPathComponent)
            note = TracedNote(fileURL: new)
        case "rename": try? FileManager.default.moveItem(at: url, to: new)
        case "raw": try? Data(argument.utf8).write(to: url)
        case "remove": try? FileManager.default.removeItem(at: url)
        case "vanish": try? FileManager.default.moveItem(at: file.deletingLastPathComponent(), to: URL(fileURLWithPath: file.deletingLastPathComponent().path + ".gone"))
        case "resolve": for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? [] { version.isResolved = true }
        case "restore": _ = try? NSFileVersion.otherVersionsOfItem(at: url)?.first?.replaceItem(at: url)
        case "purge": try? NSFileVersion.removeOtherVersionsOfItem(at: url)
        case "twice":
            // From a thread that is none of the document's.
            let note = note
            await elsewhere { for _ in 0..<2 { DispatchQueue.main.async { MainActor.assumeIsolated { note.save(to: url, for: .forOverwriting) { say("save", "\($0)") } } } } }
        case "end": kill(getpid(), SIGTERM)
        case "watch": presenters = [TracedPresenter(url, "own"), TracedPresenter(url.deletingLastPathComponent(), "around")]
        case "by", "busy": await deed(argument, isBusy: word == "busy")
        default: return false
        }
        return true
    }

    /// `by:WHO:write:TEXT`, `by:WHO:move:NAME`, `by:WHO:delete`, and more with commas between; with `busy` the main thread does nothing meanwhile.
    private func deed(_ words: String, isBusy: Bool) async {
        let others = others
        let deeds = words.split(separator: ",").map { word -> (who: String, deed: Others.Deed) in
            let parts = word.split(separator: ":", maxSplits: 2).map(String.init)
            return (parts[0], parts[1] == "write" ? .write(parts[2]) : parts[1] == "move" ? .move(parts[2]) : .delete)
        }
        guard isBusy else { return await elsewhere { for (who, deed) in deeds { others.act(who, deed) } } }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for (who, deed) in deeds { others.act(who, deed) }
            done.signal()
        }
        Self.wait(for: done)
    }

    private nonisolated static func wait(for done: DispatchSemaphore) { done.wait() }

    private func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { waiting in DispatchQueue.global().async { waiting.resume(returning: body()) } }
    }

    private nonisolated static func coordinated(reading url: URL, _ options: NSFileCoordinator.ReadingOptions = [], _ body: (URL) -> String) -> String? {
        var text: String?
        NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: url, options: options, error: nil) { text = body($0) }
        return text
    }

    private nonisolated static func coordinated(writing url: URL, _ options: NSFileCoordinator.WritingOptions = [], _ body: (URL) -> Void) {
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: url, options: options, error: nil) { body($0) }
    }

    /// Into the app's container, or out of it.
    private nonisolated static func moved(_ url: URL, to new: URL) -> String {
        do { try FileManager.default.setUbiquitous(!FileManager.default.isUbiquitousItem(at: url), itemAt: url, destinationURL: new) } catch { return "\(error)" }
        return ((try? String(contentsOf: new, encoding: .utf8)) ?? "nothing") + (FileManager.default.fileExists(atPath: url.path) ? " twice" : "")
    }

    // MARK: Looking

    private func look(_ word: String, _ argument: String) async {
        switch word {
        case "unsaved": say("unsaved", "\(note.hasUnsavedChanges)")
        case "state": say("is", note.states)
        case "text": say("text", note.text)
        case "fault": say("fault", note.fault)
        case "file": say("file", (try? String(contentsOf: note.fileURL, encoding: .utf8)) ?? "nothing")
        case "name": say("name", note.fileURL.lastPathComponent, note.localizedName)
        case "type?": say("type", note.fileType ?? "none", note.fileNameExtension(forType: "public.png", saveOperation: .forCreating))
        case "date":
            let date = (try? FileManager.default.attributesOfItem(atPath: note.fileURL.path)[.modificationDate] as? Date) ?? .distantPast
            say("date", "\(note.fileModificationDate.map { abs($0.timeIntervalSince(date)) < 0.001 } ?? false)")
        case "versions": say("versions", "\(NSFileVersion.otherVersionsOfItem(at: note.fileURL)?.count ?? -1)")
        case "conflicts": say("conflicts", "\(NSFileVersion.unresolvedConflictVersionsOfItem(at: note.fileURL)?.count ?? -1)")
        case "kept":
            let versions = (NSFileVersion.otherVersionsOfItem(at: note.fileURL) ?? []).map { version in
                ((try? String(contentsOf: version.url, encoding: .utf8)) ?? "nothing") + (version.isConflict && !version.isResolved ? "!" : "")
            }
            say("kept", versions.sorted().joined(separator: " "))
        case "stored": say("stored", others.names)
        case "presenters": say("presenters", "\(NSFileCoordinator.filePresenters.count)")
        case "sentence": say("sentence", note.lastSentence)
        case "settle": await settle()
        case "wait": while !FileManager.default.fileExists(atPath: argument) { try? await Task.sleep(for: .milliseconds(5)) }
        case "until": await until(argument)
        case "heard": await until("heard", argument.replacingOccurrences(of: "+", with: " "))
        default: say("no step “\(word)”")
        }
    }

    /// Until what is under way has ended: on the presenter's queue, the document's and the main one, several times around.
    private func settle() async {
        for _ in 0..<12 {
            let note = note
            await withCheckedContinuation { waiting in note.presentedItemOperationQueue.addOperation { waiting.resume() } }
            await withCheckedContinuation { waiting in note.performAsynchronousFileAccess { waiting.resume() } }
            await withCheckedContinuation { waiting in DispatchQueue.main.async { waiting.resume() } }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func until(_ what: String, _ line: String = "") async {
        let end = ContinuousClock.now + .seconds(60)
        while what == "never" || .now < end {
            let isSo = switch what {
            case "saved": !note.hasUnsavedChanges
            case "closed": note.documentState.contains(.closed)
            case "conflict": note.documentState.contains(.inConflict)
            case "resolved": note.documentState.isEmpty
            case "heard": said.withLock { $0.contains(line) }
            default: note.text == what || note.fileURL.lastPathComponent == what || note.localizedName == what
            }
            if isSo { return }
            await Task.yield()
            try? await Task.sleep(for: .microseconds(200))
        }
        say("not", what, line)
    }
}
