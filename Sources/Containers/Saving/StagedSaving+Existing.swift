import Documents
import LinuxFiles
import Transactions

// What is in the place into which something comes: a document, a plain file or a package of an app's own. What it was
// becomes a version, and a conflict where the author of what comes had not seen it.
extension StagedSaving {
    /// What has versions and is in a place.
    struct Existing {
        let kind: KindID
        let shown: Name
        let parts: ExistingParts
        /// Why nothing is kept of a plain file, unless it would be lost.
        var rule: PlainFileRule?

        var isPlain: Bool { kind == .plain }
        var isOwnPackage: Bool { kind == .folder }
        /// Of a plain file.
        var file: OpenFile? { parts.files.first ?? nil }
    }

    /// nil where no versions are kept of what is there. A growing package becomes a document.
    func existing(_ target: ItemPlace, _ status: FileStatus, _ author: Author) throws(Errno) -> Existing? {
        if let document = try document(target, status) { return document }
        if author.isDressed { return nil }
        return switch status.type {
        case .regular: keepsFiles ? try plainFile(target) : nil
        case .folder: try ownPackage(target)
        default: nil
        }
    }

    /// nil where what is there is no document.
    func document(_ target: ItemPlace, _ status: FileStatus) throws(Errno) -> Existing? {
        let stored = target.stored, reader = container.reader
        guard status.type != .symbolicLink, let kind = reader.candidate(for: stored, isFolder: status.type == .folder)
        else { return nil }
        let found: (document: DocumentItem?, parts: ExistingParts)
        do throws(DocumentFault) {
            let document = try reader.open(stored, as: kind, in: target.folder.descriptor).item.document
            found = (document, try ExistingParts(of: .stored(stored), kind, in: target.folder, staging.folder))
        } catch {
            // What cannot be read may be a document, and would be lost.
            if let errno = error.errno { throw errno }
            return nil
        }
        let shown = try found.document.map { (document) throws(Errno) in
            try container.name(of: document, stored: stored, in: target.path)
        }
        return Existing(kind: kind, shown: shown ?? stored, parts: found.parts)
    }

    private func plainFile(_ target: ItemPlace) throws(Errno) -> Existing? {
        let parts = try PlainFileKeeping.parts(of: target.stored, in: target.folder, staging)
        var existing = Existing(kind: .plain, shown: target.stored, parts: parts)
        guard let file = existing.file, let status = parts.status else { return nil }
        existing.rule = try PlainFileRule.of(
            target.stored, file, status, in: target.folder, isInPackage: container.kinds.isPackage(at: target.path),
            sharesBlocks: { versions.sharesBlocks })
        return existing
    }

    /// A folder that an app hands over is a package, whatever it is called.
    private func ownPackage(_ target: ItemPlace) throws(Errno) -> Existing? {
        do throws(DocumentFault) {
            let parts = try ExistingParts(of: .stored(target.stored), .folder, in: target.folder, staging.folder)
            return Existing(kind: .folder, shown: target.stored, parts: parts)
        } catch {
            if let errno = error.errno { throw errno }
            return nil
        }
    }

    // MARK: What is kept

    /// Whether what is there becomes a version. It does not where a plain file, or a package of an app's own, is saved
    /// as it was; but a program that has the file open writes to what is replaced.
    func isKept(
        _ existing: Existing, _ clash: Clash, _ coming: Coming, by author: Author, at target: ItemPlace,
        _ comparison: inout Comparison
    ) throws(Errno) -> Bool {
        if clash == .won || !existing.isPlain && !existing.isOwnPackage { return true }
        guard existing.rule == nil else { return false }
        if author.isOpen { return true }
        return try !comparison.isSame { () throws(Errno) in try isSame(coming, as: existing, target) }
    }

    func stageVersion(
        of existing: Existing, _ clash: Clash, by author: Author, at target: ItemPlace
    ) throws(Errno) -> StagedVersion? {
        func stage(goesOn: Bool) throws(Errno) -> StagedVersion? {
            try versions.stageVersion(
                of: existing.parts, existing.kind, at: target.path + [existing.shown], conflict: clash == .won,
                goesOn: goesOn, evenEmpty: author.isOpen || author.provenance != nil, mustKeep: author.provenance != nil
            )
        }
        // Under its other names, a file goes on.
        guard existing.isPlain, let status = existing.parts.status, status.links > 1 else { return try stage(goesOn: false) }
        do throws(Errno) { return try stage(goesOn: true) } catch {
            // What is too large for a copy has to be kept all the same where its author has not seen it.
            guard error == .notSupported, clash == .won else { throw error }
            return try stage(goesOn: false)
        }
    }

    // MARK: Clashes

    /// Whether what comes is what is there already: all of it is read for that, so once, and only where somebody asks.
    struct Comparison {
        private var known: Bool?

        mutating func isSame(_ compare: () throws(Errno) -> Bool) throws(Errno) -> Bool {
            if let known { return known }
            let isSame = try compare()
            known = isSame
            return isSame
        }
    }

    /// Whether somebody else changed it since the app read it, to something else than what the app has.
    func clash(
        since base: BaseStamp?, _ coming: Coming, with existing: Existing, _ target: ItemPlace,
        _ comparison: inout Comparison
    ) throws(Errno) -> Clash {
        let now: FileStatus, stamp: BaseStamp?
        if existing.isOwnPackage || existing.parts.flat != nil {
            let folder = existing.parts.folder
            (now, stamp) = (try folder.descriptor.status(), base == nil ? nil : try PackageStamp(folder).stamp)
        } else {
            guard let content = existing.parts.files.first ?? nil else { return .none }
            (now, stamp) = (try content.descriptor.status(), nil)
        }
        return try Clash(
            .mineWins, since: base, now: now, stamp: stamp, keepsVersions: policy.keeps, written: { .now },
            isSame: { () throws(Errno) in
                try comparison.isSame { () throws(Errno) in try isSame(coming, as: existing, target) }
            })
    }

    private func isSame(_ coming: Coming, as existing: Existing, _ target: ItemPlace) throws(Errno) -> Bool {
        if existing.isPlain || existing.isOwnPackage {
            return try ItemTree.isSame(
                coming.name, in: coming.folder.descriptor, as: target.stored, in: target.folder.descriptor)
        }
        let kind = existing.kind, options = container.reader.options
        guard let mine = try? ExistingParts(of: .stored(coming.name), kind, in: coming.folder, staging.folder),
            let one = mine.shownContent(of: kind, called: target.stored, options),
            let other = existing.parts.shownContent(of: kind, called: target.stored, options)
        else { return false }
        return try one.isSame(as: other)
    }

    /// The same of a file of which no versions are kept.
    func clash(since base: BaseStamp?, _ coming: Coming, with old: FileStatus, _ target: ItemPlace) throws(Errno) -> Clash {
        guard old.type == .regular else { return .none }
        return try Clash(
            .mineWins, since: base, now: old, keepsVersions: false, written: { .now },
            isSame: { () throws(Errno) in
                try ItemTree.isSame(
                    coming.name, in: coming.folder.descriptor, as: target.stored, in: target.folder.descriptor)
            })
    }
}
