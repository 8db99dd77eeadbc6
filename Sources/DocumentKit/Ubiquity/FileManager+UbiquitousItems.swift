import Foundation
import LinuxFiles

// What an app does with the items of its container. On Linux all of them are here, and nothing publishes them.
extension FileManager {
    /// Moves a file or package into a container (`flag` is true) or out of it. What is at the destination is not replaced. Between two
    /// file systems it is copied first, beside its destination under a hidden name, so that nobody finds half of it there. It is done in an access: whoever has it
    /// open saves it before, and has it at its destination afterwards. Waits for that.
    ///
    /// ```swift
    /// try FileManager.default.setUbiquitous(true, itemAt: draft, destinationURL: documents.appendingPathComponent("Notes.stedoc"))
    /// ```
    public func setUbiquitous(_ flag: Bool, itemAt url: URL, destinationURL: URL) throws {
        guard isUbiquitousItem(at: url) != flag else {
            throw UbiquityError.error(.featureUnsupported, url, flag ? "It is in a container already." : "It is in no container.")
        }
        guard isUbiquitousItem(at: destinationURL) == flag else {
            throw UbiquityError.error(.featureUnsupported, destinationURL, flag ? "It does not lie in a container that is named." : "It lies in a container.")
        }
        let coordinator = NSFileCoordinator(filePresenter: nil)
        var failure: (any Error)?
        do {
            try coordinator.access([WantedItem(writing: url, .forMoving), WantedItem(writing: destinationURL, .forReplacing)]) { urls in
                do { try UbiquitousMove(from: urls[0], to: urls[1]).carryOut(self) } catch { return failure = error }
                coordinator.item(at: urls[0], didMoveTo: urls[1])
            }
        } catch { throw FileFault.coordination(error) }
        if let failure { throw failure }
    }

    /// Sees to it that an item's content is here. It always is, so nothing is done.
    ///
    /// ```swift
    /// try FileManager.default.startDownloadingUbiquitousItem(at: url)
    /// ```
    /// - Throws: for what is in no container or not there; and for the placeholder of another service, whose content nobody here can get.
    public func startDownloadingUbiquitousItem(at url: URL) throws {
        try requireUbiquitous(url)
        let name = url.lastPathComponent
        guard name.hasPrefix("."), name.hasSuffix(".icloud") else { return }
        throw UbiquityError.error(.ubiquitousFileUnavailable, url, "It stands for a file whose content was never here, and no service is there that has it.")
    }

    /// Takes an item's content away from here, where it is elsewhere too. It is nowhere else, so it stays.
    ///
    /// ```swift
    /// do { try FileManager.default.evictUbiquitousItem(at: url) } catch { warn(error) }
    /// ```
    /// - Throws: always.
    public func evictUbiquitousItem(at url: URL) throws {
        try requireUbiquitous(url)
        throw UbiquityError.error(.featureUnsupported, url, "Its content is here and nowhere else: it would be lost.")
    }

    /// A URL by which others can get an item. Nothing publishes items here.
    ///
    /// ```swift
    /// var expiration: NSDate?
    /// let link = try? FileManager.default.url(forPublishingUbiquitousItemAt: url, expiration: &expiration)
    /// ```
    /// - Throws: always.
    public func url(forPublishingUbiquitousItemAt url: URL, expiration outDate: UnsafeMutablePointer<NSDate?>? = nil) throws -> URL {
        try requireUbiquitous(url)
        throw UbiquityError.error(.ubiquitousFileUbiquityServerNotAvailable, url, "No service is there that publishes files.")
    }

    private func requireUbiquitous(_ url: URL) throws {
        guard isUbiquitousItem(at: url) else { throw UbiquityError.error(.featureUnsupported, url, "It is in no container.") }
        guard (try? Descriptor.atPath(url.standardizedFileURL.path, .path)) != nil else { throw UbiquityError.error(.fileNoSuchFile, url, "It is not there.") }
    }
}

/// Errors of Cocoa's domain that say why in a sentence.
enum UbiquityError {
    static func error(_ code: CocoaError.Code, _ url: URL, _ reason: String) -> CocoaError {
        CocoaError(code, userInfo: [
            NSURLErrorKey: url, NSFilePathErrorKey: url.path, NSLocalizedFailureReasonErrorKey: reason,
            NSLocalizedDescriptionKey: "“\(url.lastPathComponent)” could not be handled. \(reason)",
        ])
    }
}

/// A file or package that goes to another folder.
struct UbiquitousMove {
    private let source: URL
    private let target: URL

    init(from source: URL, to target: URL) { (self.source, self.target) = (source.standardizedFileURL, target.standardizedFileURL) }

    func carryOut(_ manager: FileManager) throws {
        do throws(Errno) { try move(source, target) } catch {
            guard error == .crossDevice else { throw cocoa(error) }
            try moveByCopy(manager)
        }
    }

    private func move(_ from: URL, _ to: URL) throws(Errno) {
        guard let name = Name(from.lastPathComponent), let newName = Name(to.lastPathComponent) else { throw .invalid }
        let folder = try Descriptor.atPath(from.deletingLastPathComponent().path, [.path, .folder])
        let newFolder = try Descriptor.atPath(to.deletingLastPathComponent().path, [.path, .folder])
        try folder.rename(name, to: newFolder, as: newName, .exclusive)
    }

    private func moveByCopy(_ manager: FileManager) throws {
        let copy = target.deletingLastPathComponent().appendingPathComponent("._\(UUID().uuidString)")
        do {
            try manager.copyItem(at: source, to: copy)
            do throws(Errno) { try move(copy, target) } catch { throw cocoa(error) }
        } catch {
            try? manager.removeItem(at: copy)
            throw error
        }
        try manager.removeItem(at: source)
    }

    private func cocoa(_ error: Errno) -> CocoaError {
        switch error {
        case .exists: UbiquityError.error(.fileWriteFileExists, target, "There is something of that name.")
        case .noSuchEntry: UbiquityError.error(.fileNoSuchFile, source, "It is not there.")
        case .noSpace, .quota: UbiquityError.error(.fileWriteOutOfSpace, target, "There is no room for it.")
        case .readOnly: UbiquityError.error(.fileWriteVolumeReadOnly, target, "Nothing can be written there.")
        case .accessDenied, .notPermitted: UbiquityError.error(.fileWriteNoPermission, target, "You may not write there.")
        default: UbiquityError.error(.fileWriteUnknown, target, "\(error)")
        }
    }
}
