import DocumentKit
import Foundation

/// Those who do something to the document's file, each in a manner of its own: somebody on a drive, the app itself without a word, a coordinator of the app's,
/// and another program that coordinates.
///
/// Where the file is, is what they did with it, and not what the document knows. The environment says where the drive and the programs are.
final class Others: Sendable {
    enum Deed: Sendable { case write(String), move(String), delete }

    private let folder: URL, fileExtension: String
    private let drive = ProcessInfo.processInfo.environment["DRIVE"].map { URL(fileURLWithPath: $0, isDirectory: true) }
    private let command = ProcessInfo.processInfo.environment["VALISE"] ?? "valise"
    /// The file's name without its extension, for the next deed.
    private nonisolated(unsafe) var name: String

    init(_ file: URL) {
        let container = ProcessInfo.processInfo.environment["CONTAINER"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        folder = container ?? file.deletingLastPathComponent()
        name = file.deletingPathExtension().lastPathComponent
        fileExtension = file.pathExtension == "txt" ? "stedoc" : file.pathExtension
    }

    private func stored(_ name: String) -> URL { folder.appendingPathComponent("\(name).\(fileExtension)") }
    private func shown(_ name: String) -> URL? { drive?.appendingPathComponent("\(name).\(fileExtension == "stedoc" ? "txt" : fileExtension)") }

    /// What is there.
    var names: String { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { !$0.hasPrefix(".") }.sorted().joined(separator: " ") }

    /// Waits, on a thread that is not the document's. One deed after another.
    func act(_ who: String, _ deed: Deed) {
        let old = name
        if case .move(let new) = deed { name = new }
        let isDone = switch who {
        case "drive": onDrive(deed, old)
        case "app": alone(deed, stored(old))
        case "own": coordinated(deed, old)
        default: elsewhere(deed, old)
        }
        if !isDone { say("not done:", who, "\(deed)") }
    }

    private func onDrive(_ deed: Deed, _ old: String) -> Bool {
        guard let file = shown(old) else { return false }
        switch deed {
        case .write(let text): return run("/bin/sh", "-c", "printf %s \"$2\" >\"$1\"", "sh", file.path, text)
        case .move(let new): return shown(new).map { run("/bin/mv", file.path, $0.path) } ?? false
        case .delete: return run("/bin/rm", file.path)
        }
    }

    private func alone(_ deed: Deed, _ file: URL) -> Bool {
        do {
            switch deed {
            case .write(let text): try Data(text.utf8).write(to: file)
            case .move(let new): try FileManager.default.moveItem(at: file, to: stored(new))
            case .delete: try FileManager.default.removeItem(at: file)
            }
        } catch { return false }
        return true
    }

    private func coordinated(_ deed: Deed, _ old: String) -> Bool {
        let coordinator = NSFileCoordinator(filePresenter: nil), file = stored(old)
        var isDone = false
        switch deed {
        case .write(let text): coordinator.coordinate(writingItemAt: file, options: [], error: nil) { isDone = (try? Data(text.utf8).write(to: $0)) != nil }
        case .move(let new):
            coordinator.coordinate(writingItemAt: file, options: .forMoving, writingItemAt: stored(new), options: .forReplacing, error: nil) { from, to in
                isDone = (try? FileManager.default.moveItem(at: from, to: to)) != nil
                coordinator.item(at: from, didMoveTo: to)
            }
        case .delete: coordinator.coordinate(writingItemAt: file, options: .forDeleting, error: nil) { isDone = (try? FileManager.default.removeItem(at: $0)) != nil }
        }
        return isDone
    }

    private func elsewhere(_ deed: Deed, _ old: String) -> Bool {
        let file = stored(old).path, trial = CommandLine.arguments[0]
        switch deed {
        case .write(let text): return run(command, "coordinate", "--write", file, "--", "/bin/sh", "-c", "printf %s \"$2\" >\"$1\"", "sh", file, text)
        case .move(let new): return run(trial, file, "move:\(new).\(fileExtension)")
        case .delete: return run(trial, file, "delete")
        }
    }

    private func run(_ words: String...) -> Bool {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: words[0])
        program.arguments = Array(words.dropFirst())
        program.standardInput = FileHandle.nullDevice
        guard (try? program.run()) != nil else { return false }
        program.waitUntilExit()
        return program.terminationStatus == 0
    }
}

/// A presenter that prints what it is told.
final class TracedPresenter: NSObject, NSFilePresenter, @unchecked Sendable {
    // Sendable, because nothing changes but its item, which only its own queue reads.
    let presentedItemOperationQueue = OperationQueue()
    let presentedItemURL: URL?
    private let name: String

    init(_ url: URL, _ name: String) {
        (presentedItemURL, self.name) = (url, name)
        super.init()
        presentedItemOperationQueue.maxConcurrentOperationCount = 1
        NSFileCoordinator.addFilePresenter(self)
    }

    private func plain(_ url: URL) -> String { url.deletingPathExtension().lastPathComponent }

    func presentedItemDidMove(to new: URL) { say(name, "moved", plain(new)) }
    func presentedItemDidChange() { say(name, "changed") }
    func presentedSubitem(at old: URL, didMoveTo new: URL) { say(name, "moved", plain(old), plain(new)) }
    func presentedSubitemDidChange(at url: URL) { say(name, "changed", plain(url)) }
    func presentedSubitemDidAppear(at url: URL) { say(name, "appeared", plain(url)) }

    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        say(name, "deleted")
        completionHandler(nil)
    }

    func accommodatePresentedSubitemDeletion(at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        say(name, "deleted", plain(url))
        completionHandler(nil)
    }
}
