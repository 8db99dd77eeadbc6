import Foundation
import LinuxFiles

/// A file or package that takes the place of another one, in one step: at every moment the old one or the new one is there.
struct ItemReplacement {
    private let original: FilePlace, new: FilePlace
    /// As they were named, for errors.
    private let names: (original: String, new: String)
    private let backup: Name?
    private let options: FileManager.ItemReplacementOptions

    init(of original: URL, by new: URL, backup: String?, _ options: FileManager.ItemReplacementOptions) throws {
        let place = try FilePlace(original)
        (self.original, self.new) = (place, try FilePlace(new))
        (names, self.options) = ((original.path, new.path), options)
        self.backup = try backup.map { text in
            guard let name = Name(text), name != place.name else { throw FileFault.error(.fileWriteInvalidFileName, text, nil) }
            return name
        }
    }

    func carryOut(_ manager: FileManager) throws {
        do throws(Errno) { _ = try new.status() } catch { throw FileFault.error(error, names.new, isWriting: false) }
        do {
            do throws(Errno) { try put(new) } catch {
                guard error == .crossDevice else { throw error }
                try putCopy(manager)
            }
        } catch let error as Errno { throw FileFault.error(error, names.original, isWriting: true) }
    }

    /// On another file system it is copied first, under a hidden name beside its place.
    private func putCopy(_ manager: FileManager) throws {
        let copy = FilePlace(folder: original.folder, name: WrapperWriting.temporaryName())
        do {
            try manager.copyItem(atPath: names.new, toPath: copy.shownPath)
            try put(copy)
        } catch {
            writing.remove(copy)
            throw error
        }
        writing.remove(new)
    }

    private let writing = WrapperWriting(isNoting: false)

    private func put(_ new: FilePlace) throws(Errno) {
        let was: FileStatus
        do throws(Errno) { was = try original.status() } catch {
            guard error == .noSuchEntry else { throw error }
            // There is nothing to be replaced.
            return try new.folder.descriptor.rename(new.name, to: original.folder.descriptor, as: original.name, .exclusive)
        }
        if !options.contains(.usingNewMetadataOnly) { takeOver(was, new) }
        synchronize(new)
        guard let backup else { return try writing.exchange(new, original) }
        writing.remove(FilePlace(folder: original.folder, name: backup))
        try writing.exchange(new, original, keeping: backup)
        if !options.contains(.withoutDeletingBackupItem) { writing.remove(FilePlace(folder: original.folder, name: backup)) }
    }

    /// Who may do what with it, and what others have noted of it, as far as that may be said here. When it was saved is the new one's.
    private func takeOver(_ was: FileStatus, _ new: FilePlace) {
        guard let now = try? new.status(), was.type != .symbolicLink, now.type != .symbolicLink, let from = try? original.folder.descriptor.open(original.name, .path),
            let to = try? new.folder.descriptor.open(new.name, .path) else { return }
        for name in (try? from.extendedAttributeNames()) ?? [] where name.starts(with: Self.noted) && !name.starts(with: Self.ours) {
            if let value = try? from.extendedAttribute(name) { try? to.setExtendedAttribute(name, to: value) }
        }
        if now.owner != was.owner || now.group != was.group { try? to.setOwner(was.owner, group: was.group) }
        if now.permissions != was.permissions { try? to.setPlacePermissions(was.permissions) }
    }

    private static let noted = Array("user.".utf8), ours = Array("user.valise.".utf8)

    /// The names change after the content is on the disk: the other way round, a computer that loses its power then would have an empty file.
    private func synchronize(_ new: FilePlace) {
        guard let status = try? new.status() else { return }
        switch status.type {
        case .regular: if let file = try? new.folder.descriptor.open(new.name, [.read, .nonBlocking]) { try? file.synchronize() }
        case .folder: if let folder = try? new.folder.descriptor.open(new.name, [.read, .folder]) { try? folder.synchronizeFileSystem() }
        default: return
        }
    }
}

// Foundation's own replaceItemAt on Linux removes what is to be replaced. Swift takes the call that fits best, so that there is one for each way of
// writing it; the last one is as Foundation's, so that a call that fits no other one is an error (“ambiguous use”), and never that one.
extension FileManager {
    /// Puts a new file or package in the place of another one, in one step, and takes it away from where it was: the usual end of a safe save. On another
    /// file system it is copied first. The place has the permissions, owner and extended attributes that it had, unless the options say otherwise.
    ///
    /// ```swift
    /// try FileManager.default.replaceItemAt(url, withItemAt: new)
    /// ```
    /// - Returns: where it is now: the place.
    @discardableResult
    public func replaceItemAt(_ originalItemURL: URL, withItemAt newItemURL: URL) throws -> URL? {
        try replace(originalItemURL, newItemURL, nil, [])
    }

    /// The same with options.
    ///
    /// ```swift
    /// try FileManager.default.replaceItemAt(url, withItemAt: new, options: .usingNewMetadataOnly)
    /// ```
    @discardableResult
    public func replaceItemAt(_ originalItemURL: URL, withItemAt newItemURL: URL, options: ItemReplacementOptions) throws -> URL? {
        try replace(originalItemURL, newItemURL, nil, options)
    }

    /// The same with a name that the old one has meanwhile, beside its place.
    ///
    /// ```swift
    /// try FileManager.default.replaceItemAt(url, withItemAt: new, backupItemName: nil)
    /// ```
    @discardableResult
    public func replaceItemAt(_ originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?) throws -> URL? {
        try replace(originalItemURL, newItemURL, backupItemName, [])
    }

    /// The same with a name that the old one has meanwhile, and keeps if the options say so.
    ///
    /// ```swift
    /// try FileManager.default.replaceItemAt(url, withItemAt: new, backupItemName: "Old.txt", options: .withoutDeletingBackupItem)
    /// ```
    @discardableResult
    public func replaceItemAt(_ originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String, options: ItemReplacementOptions) throws -> URL? {
        try replace(originalItemURL, newItemURL, backupItemName, options)
    }

    /// The same with the options as a list.
    ///
    /// ```swift
    /// try FileManager.default.replaceItemAt(url, withItemAt: new, backupItemName: nil, options: [])
    /// ```
    @discardableResult
    public func replaceItemAt(_ originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?, options: [ItemReplacementOptions]) throws -> URL? {
        try replace(originalItemURL, newItemURL, backupItemName, ItemReplacementOptions(options))
    }

    /// As Foundation's is declared. Neither is chosen: where there may be no name and the options are no list, leave out `backupItemName: nil`.
    ///
    /// ```swift
    /// try FileManager.default.replaceItemAt(url, withItemAt: new, options: options)
    /// ```
    @discardableResult
    public func replaceItemAt(_ originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?, options: ItemReplacementOptions) throws -> URL? {
        try replace(originalItemURL, newItemURL, backupItemName, options)
    }

    /// The older form of the same.
    ///
    /// ```swift
    /// var place: NSURL?
    /// try FileManager.default.replaceItem(at: url, withItemAt: new, backupItemName: nil, options: [], resultingItemURL: &place)
    /// ```
    public func replaceItem(
        at originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?, options: ItemReplacementOptions = [], resultingItemURL: UnsafeMutablePointer<NSURL?>?
    ) throws {
        let place = try replace(originalItemURL, newItemURL, backupItemName, options)
        // SAFETY: the caller's own variable, as long as the call lasts.
        unsafe resultingItemURL?.pointee = place as NSURL
    }

    private func replace(_ original: URL, _ new: URL, _ backup: String?, _ options: ItemReplacementOptions) throws -> URL {
        try ItemReplacement(of: original, by: new, backup: backup, options).carryOut(self)
        return original
    }
}
