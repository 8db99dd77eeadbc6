import Foundation

// Versions that an app makes itself, and those on other computers.
extension NSFileVersion {
    /// How a version is added.
    ///
    /// ```swift
    /// try NSFileVersion.addOfItem(at: url, withContentsOf: draft, options: .byMoving)
    /// ```
    public struct AddingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// What the contents are taken from is gone afterwards.
        public static let byMoving = AddingOptions(rawValue: 1 << 0)
    }

    /// Gives an item one more version, with the contents of another file. What it is now stays what it is.
    ///
    /// The item is saved with these contents and then as it was, in one access: who has it open is told of a change. Should the process
    /// be killed between the two, the item has the new contents, and what it was is its newest version.
    ///
    /// ```swift
    /// let version = try NSFileVersion.addOfItem(at: url, withContentsOf: draft)
    /// ```
    /// - Throws: for what has no versions: a file in no container, or no document.
    @discardableResult
    public class func addOfItem(at url: URL, withContentsOf contentsURL: URL, options: AddingOptions = []) throws -> NSFileVersion {
        func others() -> [NSFileVersion] { otherVersionsOfItem(at: url) ?? [] }
        func name(_ version: NSFileVersion) -> NSString? { version.persistentIdentifier as? NSString }
        guard (try? VersionedDocument(url)) != nil else { throw FileFault.error(.featureUnsupported, url.path, .notSupported) }
        let new = try FileWrapper(url: contentsURL, options: .immediate)
        var before: Set<NSString?> = [], failure: (any Error)?
        try NSFileCoordinator(filePresenter: nil).access([WantedItem(writing: url, .forMerging)]) { urls in
            do {
                let old = try FileWrapper(url: urls[0], options: .immediate)
                before = Set(others().map(name))
                for wrapper in [new, old] { try DocumentFile.put(at: urls[0], over: nil) { try wrapper.write(to: $0, originalContentsURL: nil) } }
            } catch { failure = error }
        }
        if let failure { throw failure }
        let added = others().filter { !before.contains(name($0)) }
        guard let version = added.first else { throw FileFault.error(.fileWriteUnknown, url.path, .notSupported) }
        // What it is anyway.
        for spare in added.dropFirst() { try? spare.remove() }
        if options.contains(.byMoving) { try FileManager.default.removeItem(at: contentsURL) }
        return version
    }

    /// A folder of its own for the contents of a new version, on the same file system as the item. Whoever asks for it removes it.
    ///
    /// ```swift
    /// let draft = NSFileVersion.temporaryDirectoryURLForNewVersionOfItem(at: url).appendingPathComponent("Draft.stedoc")
    /// ```
    public class func temporaryDirectoryURLForNewVersionOfItem(at url: URL) -> URL {
        let folder = try? FileManager.default.url(for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: url, create: true)
        return folder ?? FileManager.default.temporaryDirectory
    }

    /// The versions that are on other computers only: there are none here.
    ///
    /// ```swift
    /// NSFileVersion.getNonlocalVersionsOfItem(at: url) { versions, error in list.append(versions ?? []) }
    /// ```
    /// - Parameters:
    ///   - url: the item.
    ///   - completionHandler: on a queue of its own; nil and why where the item is not there.
    public class func getNonlocalVersionsOfItem(at url: URL, completionHandler: @escaping @Sendable ([NSFileVersion]?, (any Error)?) -> Void) {
        let operation = BlockOperation {
            if otherVersionsOfItem(at: url) == nil { completionHandler(nil, FileFault.error(.fileReadNoSuchFile, url.path, .noSuchEntry)) } else { completionHandler([], nil) }
        }
        nonlocal.addOperation(operation)
    }

    private static let nonlocal = OperationQueue()

    /// The same, to be awaited.
    ///
    /// ```swift
    /// let versions = try await NSFileVersion.nonlocalVersionsOfItem(at: url)
    /// ```
    public class func nonlocalVersionsOfItem(at url: URL) async throws -> [NSFileVersion] {
        try await withCheckedThrowingContinuation { waiting in
            getNonlocalVersionsOfItem(at: url) { versions, error in
                if let error { waiting.resume(throwing: error) } else { waiting.resume(returning: versions ?? []) }
            }
        }
    }
}
