import Foundation
import LinuxFiles

/// Writes a file wrapper by difference.
struct WrapperWriting {
    /// The wrappers are to know afterwards what was written.
    let isNoting: Bool
    /// A part that somebody has taken away before it was read is left out, and not an error: what else was edited can
    /// be saved.
    var leavesOutTakenAway = false

    /// Puts it in the place of what lies there, in one step.
    func replace(_ place: FilePlace, with wrapper: FileWrapper, original: FilePlace?) throws {
        let beside = FilePlace(folder: place.folder, name: Self.temporaryName())
        do {
            try write(wrapper, to: beside, original: original)
            try calling(place) { () throws(Errno) in try exchange(beside, place) }
        } catch {
            remove(beside, depth: 0)
            throw error
        }
    }

    /// A folder cannot be renamed over one that has something in it: the two change places. `kept` is what the old one is called afterwards, beside its
    /// place; without that it is removed.
    func exchange(_ new: FilePlace, _ place: FilePlace, keeping kept: Name? = nil) throws(Errno) {
        let folder = place.folder, beside = new.folder
        if kept == nil {
            do throws(Errno) { return try beside.descriptor.rename(new.name, to: folder.descriptor, as: place.name) } catch {
                guard [.notEmpty, .exists, .isDirectory, .notDirectory].contains(error) else { throw error }
            }
        }
        do throws(Errno) { try beside.descriptor.rename(new.name, to: folder.descriptor, as: place.name, .exchange) } catch {
            guard [.invalid, .notSupported, .notImplemented].contains(error) else { throw error }
            let old = kept ?? Self.temporaryName()
            try folder.descriptor.rename(place.name, to: folder.descriptor, as: old)
            do throws(Errno) { try beside.descriptor.rename(new.name, to: folder.descriptor, as: place.name) } catch {
                try? folder.descriptor.rename(old, to: folder.descriptor, as: place.name)
                throw error
            }
            if kept == nil { remove(FilePlace(folder: folder, name: old), depth: 0) }
            return
        }
        if let kept { try beside.descriptor.rename(new.name, to: folder.descriptor, as: kept) } else { remove(new, depth: 0) }
    }

    static func temporaryName() -> Name {
        Name(".wrapper-\(UUID().uuidString)") ?? Name(constant: ".wrapper")
    }

    // MARK: One after another

    func write(_ wrapper: FileWrapper, to place: FilePlace, original: FilePlace?, depth: Int = 0) throws {
        guard depth < FilePlace.deepest else { throw FileFault.error(.fileWriteUnknown, place.shownName, nil) }
        switch wrapper.content {
        case .file(let contents): try write(contents, of: wrapper, to: place, original: original)
        case .link(let target):
            try clear(place, unless: nil)
            try calling(place) { () throws(Errno) in try place.folder.descriptor.makeSymbolicLink(place.name, to: Array(target.utf8)) }
        case .folder: try writeFolder(wrapper, to: place, original: original, depth: depth)
        }
        guard isNoting else { return }
        wrapper.filename = place.shownName
        wrapper.stamp = (try? place.status()).map { FileStamp($0) }
    }

    private func writeFolder(_ wrapper: FileWrapper, to place: FilePlace, original: FilePlace?, depth: Int) throws {
        let children = try wrapper.fileWrappers ?? wrapper.childrenToWrite()
        try clear(place, unless: .folder)
        do throws(Errno) { try place.folder.descriptor.makeFolder(place.name) } catch {
            guard error == .exists else { throw FileFault.error(error, place.shownName, isWriting: true) }
        }
        for (name, child) in children.sorted(by: { $0.key < $1.key }) {
            guard let inner = place.below(name) else { throw FileFault.error(.fileWriteInvalidFileName, name, nil) }
            do { try write(child, to: inner, original: original?.below(child.filename ?? name), depth: depth + 1) } catch {
                guard leavesOutTakenAway, child.isTakenAway else { throw error }
            }
            // Its files may have been removed while it was written.
            if leavesOutTakenAway, child.isDirectory, child.isTakenAway { remove(inner, depth: depth + 1) }
        }
        // What is not in the wrapper was removed from it.
        for inner in (try? place.inside()) ?? [] where children[inner.shownName] == nil { remove(inner, depth: 0) }
        try setPermissions(of: place, wrapper)
    }

    private func write(_ contents: FileContents, of wrapper: FileWrapper, to place: FilePlace, original: FilePlace?) throws {
        if let original, isSame(contents, of: wrapper, at: original) {
            if let there = try? place.status(), let source = try? original.status(), there.identity == source.identity { return }
            try clear(place, unless: .regular)
            if (try? linkOver(original, place)) != nil { return }
        }
        let data = try contents.dataToWrite()
        try clear(place, unless: .regular)
        let beside = FilePlace(folder: place.folder, name: Self.temporaryName())
        do {
            try calling(place) { () throws(Errno) in
                let file = try place.folder.descriptor.open(beside.name, [.write, .create, .exclusive], mode: 0o666)
                try file.write([UInt8](data), at: 0)
                try file.synchronize(dataOnly: true)
            }
            try setPermissions(of: beside, wrapper)
            try calling(place) { () throws(Errno) in try place.folder.descriptor.rename(beside.name, to: place.folder.descriptor, as: place.name) }
        } catch {
            try? place.folder.descriptor.unlink(beside.name)
            throw error
        }
    }

    /// A second name for the same file, in the place of what lies there.
    private func linkOver(_ original: FilePlace, _ place: FilePlace) throws(Errno) {
        let name = Self.temporaryName()
        try original.folder.descriptor.link(original.name, to: place.folder.descriptor, as: name)
        do throws(Errno) { try place.folder.descriptor.rename(name, to: place.folder.descriptor, as: place.name) } catch {
            try? place.folder.descriptor.unlink(name)
            throw error
        }
    }

    /// Whether the original has these contents: nobody changed it since they were read, or its bytes are the same.
    private func isSame(_ contents: FileContents, of wrapper: FileWrapper, at original: FilePlace) -> Bool {
        guard let status = try? original.status(), status.type == .regular else { return false }
        if wrapper.stamp == FileStamp(status) { return true }
        guard contents.isRead, let data = contents.data(), Int64(data.count) == status.size,
              let file = try? original.folder.descriptor.open(original.name, [.read, .nonBlocking]),
              let bytes = try? file.readAll(limit: data.count) else { return false }
        return data.elementsEqual(bytes)
    }

    private func setPermissions(of place: FilePlace, _ wrapper: FileWrapper) throws {
        guard let number = wrapper.fileAttributes[FileAttributeKey.posixPermissions.rawValue] as? NSNumber else { return }
        let mode = number.uint32Value & 0o7777
        guard let status = try? place.status(), status.permissions != mode else { return }
        try calling(place) { () throws(Errno) in try place.folder.descriptor.open(place.name, .path).setPlacePermissions(mode) }
    }

    // MARK: Removing

    /// Takes away what lies there, unless it is of a type that can be written over.
    private func clear(_ place: FilePlace, unless type: FileType?) throws {
        guard let status = try? place.status(), status.type != type else { return }
        remove(place, depth: 0)
    }

    func remove(_ place: FilePlace, depth: Int = 0) {
        guard depth < FilePlace.deepest, let status = try? place.status() else { return }
        guard status.type == .folder else {
            try? place.folder.descriptor.unlink(place.name)
            return
        }
        for inner in (try? place.inside()) ?? [] { remove(inner, depth: depth + 1) }
        try? place.folder.descriptor.removeFolder(place.name)
    }

    private func calling(_ place: FilePlace, _ body: () throws(Errno) -> Void) throws {
        do throws(Errno) { try body() } catch { throw FileFault.error(error, place.shownName, isWriting: true) }
    }
}
