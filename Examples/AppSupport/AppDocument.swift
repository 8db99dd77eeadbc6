import DocumentKit
import Foundation

/// A document that keeps why it could not be read or saved: `open` and `save` themselves say only whether.
public protocol AppDocument: UIDocument {
    /// Set in `handleError(_:userInteractionPermitted:)`.
    var failure: (any Error)? { get set }
}

extension AppDocument {
    private func done(_ success: Bool) throws {
        guard !success else { return failure = nil }
        throw failure ?? CocoaError(.fileReadUnknown)
    }

    public func openOrThrow() async throws { try done(await open()) }
    public func createOrThrow() async throws { try done(await save(to: fileURL, for: .forCreating)) }

    /// False where somebody has the name by now: two who create at once have two documents.
    public func createUnlessThere() async throws -> Bool {
        let contents = Handed(try self.contents(forType: savingFileType ?? "")), url = fileURL
        return try await Coordinated.run { [self] in
            var failure: NSError?, inside: (any Error)?, isFree = true
            NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: url, options: .forReplacing, error: &failure) { place in
                do {
                    isFree = !FileManager.default.fileExists(atPath: place.path)
                    if isFree { try writeContents(contents.value, safelyTo: place, for: .forCreating) }
                } catch { inside = error }
            }
            if let error = inside ?? failure { throw error }
            return isFree
        }
    }

    /// What is not saved yet. Where the document has saved it by itself meanwhile, a second save would be a version that says nothing new.
    public func saveOrThrow() async throws { try done(await autosave()) }
    public func closeOrThrow() async throws { try done(await close()) }

    /// Opens it, does something with it, and closes it, whatever comes of that.
    public func whileOpen<Value>(_ body: (Self) async throws -> Value) async throws -> Value {
        try await openOrThrow()
        do {
            let value = try await body(self)
            try await closeOrThrow()
            return value
        } catch {
            // Without a change there is nothing to save, and closing cannot fail.
            updateChangeCount(.cleared)
            await close()
            throw error
        }
    }
}

/// Handed from one queue to another, and used by one of them at a time.
private struct Handed: @unchecked Sendable {
    let value: Any
    init(_ value: Any) { self.value = value }
}

/// Writes in a coordinated access and on a queue of its own: whoever has an item open may have to save on the main one first.
public enum Coordinated {
    public static func moving(_ old: URL, to new: URL) async throws {
        try await run {
            let coordinator = NSFileCoordinator(filePresenter: nil)
            var failure: NSError?, inside: (any Error)?
            coordinator.coordinate(writingItemAt: old, options: .forMoving, writingItemAt: new, options: .forReplacing, error: &failure) { from, to in
                do {
                    // It may have been taken since somebody looked.
                    guard !FileManager.default.fileExists(atPath: to.path) else { throw CocoaError(.fileWriteFileExists) }
                    try FileManager.default.moveItem(at: from, to: to)
                    coordinator.item(at: from, didMoveTo: to)
                } catch { inside = error }
            }
            if let error = inside ?? failure { throw error }
        }
    }

    public static func removing(_ url: URL) async throws {
        try await run {
            var failure: NSError?, inside: (any Error)?
            NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: url, options: .forDeleting, error: &failure) { url in
                do { try FileManager.default.removeItem(at: url) } catch { inside = error }
            }
            if let error = inside ?? failure { throw error }
        }
    }

    public static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { waiting in DispatchQueue.global().async { waiting.resume(with: Result { try body() }) } }
    }
}
