import Foundation

// What opens, saves and closes a document, to be awaited; and without a handler, for code that does not wait.
//
// On Apple's systems the second of these is the first one's handler left out. It is a call by itself here because of the top level of main.swift, where
// Swift takes it for the one that is awaited, although an await is written there: nothing would be saved. There it is an error. These calls belong to no
// actor, and the document is asked on the main queue: as parts of the class, which says `@preconcurrency`, they would be a warning.

extension UIDocument {
    /// The same as ``open(completionHandler:)``, to be awaited.
    ///
    /// ```swift
    /// guard await document.open() else { return }
    /// ```
    public func open() async -> Bool { await MainQueue.word { waiting in open { waiting.resume(returning: $0) } } }

    /// The same, to be awaited.
    ///
    /// ```swift
    /// await document.close()
    /// ```
    @discardableResult
    public func close() async -> Bool { await MainQueue.word { waiting in close { waiting.resume(returning: $0) } } }

    /// The same, to be awaited.
    ///
    /// ```swift
    /// let isSaved = await document.save(to: url, for: .forOverwriting)
    /// ```
    @discardableResult
    public func save(to url: URL, for saveOperation: SaveOperation) async -> Bool {
        await MainQueue.word { waiting in save(to: url, for: saveOperation) { waiting.resume(returning: $0) } }
    }

    /// The same, to be awaited.
    ///
    /// ```swift
    /// let isSaved = await document.autosave()
    /// ```
    @discardableResult
    public func autosave() async -> Bool { await MainQueue.word { waiting in autosave { waiting.resume(returning: $0) } } }

    /// The same, to be awaited.
    ///
    /// ```swift
    /// await document.revert(toContentsOf: version.url)
    /// ```
    @discardableResult
    public func revert(toContentsOf url: URL) async -> Bool {
        await MainQueue.word { waiting in revert(toContentsOf: url) { waiting.resume(returning: $0) } }
    }
}

extension UIDocument {
    /// Opens it, and does not wait for that.
    ///
    /// ```swift
    /// document.open()     // in no async function
    /// ```
    @available(*, noasync, message: "nothing waits for it here: write it in an async function, say `static func main() async`, or give it a handler")
    public nonisolated func open() { MainQueue.now { [self] in open(completionHandler: nil) } }

    /// Closes it, and does not wait for that.
    ///
    /// ```swift
    /// document.close()    // in no async function
    /// ```
    @available(*, noasync, message: "nothing waits for it here: write it in an async function, say `static func main() async`, or give it a handler")
    public nonisolated func close() { MainQueue.now { [self] in close(completionHandler: nil) } }

    /// Saves it, and does not wait for that.
    ///
    /// ```swift
    /// document.save(to: document.fileURL, for: .forOverwriting)   // in no async function
    /// ```
    @available(*, noasync, message: "nothing waits for it here: write it in an async function, say `static func main() async`, or give it a handler")
    public nonisolated func save(to url: URL, for saveOperation: SaveOperation) { MainQueue.now { [self] in save(to: url, for: saveOperation, completionHandler: nil) } }

    /// Saves what is not saved, and does not wait for that.
    ///
    /// ```swift
    /// document.autosave() // in no async function
    /// ```
    @available(*, noasync, message: "nothing waits for it here: write it in an async function, say `static func main() async`, or give it a handler")
    public nonisolated func autosave() { MainQueue.now { [self] in autosave(completionHandler: nil) } }

    /// Reads it again, and does not wait for that.
    ///
    /// ```swift
    /// document.revert(toContentsOf: document.fileURL)     // in no async function
    /// ```
    @available(*, noasync, message: "nothing waits for it here: write it in an async function, say `static func main() async`, or give it a handler")
    public nonisolated func revert(toContentsOf url: URL) { MainQueue.now { [self] in revert(toContentsOf: url, completionHandler: nil) } }
}
