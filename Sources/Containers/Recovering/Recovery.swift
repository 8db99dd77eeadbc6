import Documents
import LinuxFiles
import Transactions

/// A draft that an earlier process left and that cannot be saved: the document keeps its last good content, and the
/// drive goes on showing the draft.
public struct RecoveredDraft: Sendable {
    public let draft: Draft
    public let path: [Name]
    public let base: Base?
    public let shown: Name
    public let reason: String
    /// It may be saved as it is, when there is room.
    public let waits: Bool
}

/// What an earlier process did not finish.
final class Recovery: Sendable {
    private let container: Container
    private let own: OpenFile
    private let staging: Staging
    private let journal: Journal
    private let records: DeletedRecords
    private let finishing: PlanFinishing
    private let drafts: StagedDrafts
    private let deleted: DeletedKeeping
    private let changes: ChangeExecution
    /// What whoever mounts is to be told, and the paths of drafts that were made plain files.
    private let left = Locked<(warnings: [String], plainFiles: [[Name]])>(([], []))

    init(
        container: Container, own: OpenFile, staging: Staging, journal: Journal, records: DeletedRecords,
        finishing: PlanFinishing, drafts: StagedDrafts, deleted: DeletedKeeping, changes: ChangeExecution
    ) {
        (self.container, self.own, self.staging, self.journal) = (container, own, staging, journal)
        (self.records, self.finishing, self.drafts, self.deleted, self.changes) = (records, finishing, drafts, deleted, changes)
    }

    /// Tells whoever mounts in a sentence.
    func warn(_ sentence: String) { left.withLock { $0.warnings.append(sentence) } }

    func takeWarnings() -> [String] {
        left.withLock { left in
            defer { left.warnings = [] }
            return left.warnings
        }
    }

    /// New files that were not saved as documents: what is written into them may make them some.
    func takePlainFiles() -> [[Name]] {
        left.withLock { left in
            defer { left.plainFiles = [] }
            return left.plainFiles
        }
    }

    /// Finishes what was begun, saves the drafts that can be saved, makes plain files of new ones that cannot,
    /// and clears staging of what nobody needs. Before anything else is done in the container.
    ///
    /// What cannot be saved for want of space or the like is shown, and tried again.
    func recover() throws(Failure) -> [RecoveredDraft] {
        do throws(Errno) {
            var unfinished = journal.found.unfinished, damaged = DamagedState(of: container, in: own)
            staging.skip(to: max(try staging.highestNumber(), journal.found.highestNumber))
            let odd = journal.found.oddLines
            if odd > 0 {
                damaged.note("\(odd) line\(odd == 1 ? "" : "s") of its journal cannot be understood")
                try damaged.keep(journal)
            }
            // Every plan before any draft: a draft may be of a document that was on its way to another name.
            for (number, intent) in unfinished.intents.sorted(by: { $0.key < $1.key }) {
                let isDone: Bool
                var strange: [Place] = []
                do throws(Errno) { isDone = try finishing.finish(intent, number, hasPassed: unfinished.passed.contains(number), strange: &strange) } catch {
                    guard error.isLasting else { throw error }
                    damaged.note("a change that was under way cannot be finished: \(error)")
                    isDone = false
                }
                for place in strange { damaged.note("“\(place.name)” is not what a change was about that was under way, and stays as it is") }
                if isDone {
                    unfinished.drafts[number] = nil
                    unfinished.follow(intent)
                } else {
                    journal.conclude(.undone(number))
                }
                if unfinished.drafts[number] == nil { journal.conclude(.ended(number)) }
            }
            try records.settle(staging: staging.folder)
            var kept: [DraftRecord] = [], shown: [RecoveredDraft] = [], unclosed = UnclosedFiles()
            defer { for sentence in [unclosed.sentence, unclosed.waitingSentence, unclosed.lostSentence].compactMap(\.self) { warn(sentence) } }
            for (number, record) in unfinished.drafts.sorted(by: { $0.key < $1.key }) {
                let fate: Fate
                let found = (try? container.nearestFolder(to: record.path).1) ?? record.path
                do throws(Errno) { fate = try recover(record, length: unfinished.sealed[number], isWhole: !unfinished.incomplete.contains(number)) } catch {
                    guard error.isLasting || error == .notDirectory else { throw error }
                    damaged.note("the draft of “\(record.shown)” cannot be used: \(error)")
                    fate = .dealtWith
                }
                switch fate {
                case .dealtWith: journal.conclude(.ended(number))
                case .saved(let outcome):
                    if let outcome { unclosed.note(found + [record.shown], outcome) }
                    if found != record.path { unclosed.note(record.shown, lost: record.path, at: found) }
                    journal.conclude(.ended(number))
                case .kept: kept.append(record)
                case .shown(let draft):
                    if found != record.path { unclosed.note(record.shown, lost: record.path, at: found) }
                    unclosed.note(found + [record.shown], waitsBecause: draft.reason)
                    kept.append(record.following(draft))
                    shown.append(draft)
                }
            }
            defer { if let sentence = damaged.sentence { warn(sentence) } }
            do throws(Errno) {
                if !damaged.reasons.isEmpty { try damaged.keep(journal) }
                try journal.startAnew(with: kept.flatMap { [.draft($0)] + (unfinished.incomplete.contains($0.number) ? [.incomplete($0.number)] : []) })
            } catch {
                // The journal as it was says the same.
                guard [.noSpace, .quota].contains(error) else { throw error }
                if !damaged.reasons.isEmpty { return shown }
            }
            try clear(keeping: kept, &damaged)
            return shown
        } catch {
            throw Failure(error, "what an earlier mount left in “\(container.state.fullPath)” cannot be finished: \(error)", cause: error)
        }
    }

    private enum Fate {
        case dealtWith, kept
        /// As what, where nobody knows whether that is all of it.
        case saved(UnclosedFiles.Outcome?)
        case shown(RecoveredDraft)
    }

    private func recover(_ record: DraftRecord, length: Int64?, isWhole: Bool) throws(Errno) -> Fate {
        // A newer Valise may know what this is.
        guard let kind = container.kinds.named(record.kind) else { return .kept }
        guard let draft = try reopen(record.number, kind) else { return .dealtWith }
        draft.begin(from: record.stamp)
        if let length {
            // The content was never longer than the file: what is behind it is cut off.
            if try length < draft.length() { try draft.file.descriptor.truncate(to: draft.contentStart + length) }
            journal.conclude(.unsealed(record.number))
        }
        let (folder, path) = try container.nearestFolder(to: record.path)
        let address = Address(folder: folder, path: path, shown: record.shown)
        var base = try base(of: record, kind, in: folder, path)
        if base == nil { try learnSpelling(of: kind, in: folder) }
        func shown(_ reason: String, waits: Bool) -> Fate {
            draft.note(reason)
            return .shown(RecoveredDraft(draft: draft, path: path, base: base, shown: record.shown, reason: reason, waits: waits))
        }
        do throws(Errno) {
            if try draft.length() == 0, let base, kind.kind.takes(shownName: record.shown.bytes) || base == record.stored.map(Base.stored), try isLeft(base, draft, at: address) {
                // It was emptied to be written anew, and nothing came: what was there is all there is.
                drafts.removeStaged(draft)
                return .dealtWith
            }
        } catch {
            // It is not saved as it is: that would empty the document.
            draft.settle(nil)
            return shown(Self.waitingReason(error), waits: true)
        }
        if !isWhole, base != nil {
            _ = draft.miss(try draft.length()..<Int64.max)
            return shown(Draft.incompleteReason, waits: false)
        }
        // A name that it got and that is none of its kind: what is left is to make a plain file of it.
        guard kind.kind.takes(shownName: record.shown.bytes) else { return try releaseUnderFreeName(draft, at: address) ?? shown(Self.noRoomReason, waits: true) }
        /// On its document, which is put back where that was away; without one, as the plain file that it looks like.
        func unfit(_ why: String) throws(Errno) -> Fate {
            do throws(Errno) {
                if try isPutBack(&base, with: draft, at: address) { return shown(why, waits: false) }
            } catch {
                return shown(Self.waitingReason(error), waits: true)
            }
            return try releaseUnderFreeName(draft, at: address) ?? shown(Self.noRoomReason, waits: true)
        }
        // Whether somebody had closed it nobody knows any more; where saving it was begun, somebody had.
        if length == nil, let why = draft.missingEnd() {
            draft.leaveUnclosed()
            return try unfit(why)
        }
        do throws(SaveFault) {
            _ = try changes.commit(.save(draft, at: address, over: base))
            return .saved(length != nil ? nil : base == nil ? .document : .replacingDocument)
        } catch {
            switch error {
            case .failed(let errno): return shown("it could not be saved: \(errno)", waits: true)
            case .unfit(let why): return try unfit(why)
            }
        }
    }

    private static let noRoomReason = "there is no room for it"

    /// Why it is tried again: a folder may not be written, say, and the drive is mounted all the same.
    private static func waitingReason(_ error: Errno) -> String { error.isFull ? noRoomReason : "it could not be saved: \(error)" }

    /// The document that a draft is a version of, if it is still where it was.
    private func base(of record: DraftRecord, _ kind: KindID, in folder: OpenFile, _ path: [Name]) throws(Errno) -> Base? {
        if let stored = record.stored, path == record.path, try folder.descriptor.exists(stored) { return .stored(stored) }
        guard let away = record.away else { return nil }
        let item = AwayItem(number: away.number, kind: kind, stored: away.stored, path: path)
        return try staging.folder.descriptor.exists(item.staged) ? .away(item) : nil
    }

    /// Nothing was read of the container yet: what a new document is spelled like is seen on one of its neighbours.
    private func learnSpelling(of kind: KindID, in folder: OpenFile) throws(Errno) {
        guard container.spelling(of: kind) == nil else { return }
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() {
            let isFolder = kind.isPackage
            guard (entry.type == .folder) == isFolder, kind.kind.mayBe(storedName: entry.name.bytes, isFolder: isFolder),
                let opened = try? container.reader.open(entry.name, as: kind, in: folder.descriptor), opened.reading.spelling != nil
            else { continue }
            return container.note(opened.reading, of: kind)
        }
    }

    /// Whether the document of an empty draft has something in it. One that was away is back in its place then.
    private func isLeft(_ base: Base, _ draft: Draft, at address: Address) throws(Errno) -> Bool {
        let (folder, name) = switch base {
        case .stored(let stored): (address.folder, stored)
        case .away(let item): (staging.folder, item.staged)
        }
        if let opened = try? container.reader.open(name, as: draft.kind, in: folder.descriptor, called: base.stored), opened.reading.length == 0 { return false }
        var base: Base? = base
        return try isPutBack(&base, with: draft, at: address)
    }

    /// Whether there is a document, after one that was away was put back.
    private func isPutBack(_ base: inout Base?, with draft: Draft, at address: Address) throws(Errno) -> Bool {
        guard case .away(let item) = base else { return base != nil }
        let outcome: Outcome
        do throws(SaveFault) { outcome = try changes.commit(.putBack(item, at: address, with: draft)) } catch { throw error.errno(unfit: .invalid) }
        base = .stored(try outcome.storedName())
        return true
    }

    /// Nothing that was written is dropped: where the name is taken meanwhile, the next one is.
    /// Nil where there is no room for it.
    private func releaseUnderFreeName(_ draft: Draft, at address: Address) throws(Errno) -> Fate? {
        do throws(Errno) {
            return try NewItemName.trying(nil, for: address.shown) { (name) throws(Errno) in
                do throws(SaveFault) { _ = try changes.commit(.release(draft, asPlain: name, at: address)) } catch { throw error.errno(unfit: .wrongContent) }
                left.withLock { $0.plainFiles.append(address.path + [name]) }
                return .saved(.plainFile)
            }
        } catch {
            guard error.isFull else { throw error }
            return nil
        }
    }

    private func reopen(_ number: UInt64, _ kind: KindID) throws(Errno) -> Draft? {
        let name = Name.staged(number)
        do throws(Errno) {
            let file: OpenFile
            if let part = kind.draftPart {
                file = OpenFile(try Self.openAgain(part, in: staging.folder.folder(at: [name] + kind.draftFolders).descriptor))
            } else {
                file = OpenFile(try Self.openAgain(name, in: staging.folder.descriptor))
            }
            return Draft(number: number, kind: kind, file: file, contentStart: kind.kind.contentStart ?? 0, changed: true)
        } catch {
            if error == .noSuchEntry { return nil }
            throw error
        }
    }

    /// A draft of a read-only document is read-only itself, which did not matter to whoever made it.
    private static func openAgain(_ name: Name, in folder: borrowing Descriptor) throws(Errno) -> Descriptor {
        do throws(Errno) { return try folder.openUntraced(name, .readWrite) } catch {
            guard error == .accessDenied else { throw error }
        }
        let place = try folder.open(name, .path)
        let permissions = try place.status().permissions
        try place.setPlacePermissions(permissions | 0o600)
        let file = try folder.openUntraced(name, .readWrite)
        try file.setPermissions(permissions)
        return file
    }

    /// What nobody needs is removed; where that cannot be known, it is put aside.
    private func clear(keeping drafts: [DraftRecord], _ damaged: inout DamagedState) throws(Errno) {
        var names = Set(drafts.map { Name.staged($0.number) })
        names.formUnion(drafts.compactMap { $0.away.map { .away($0.number) } })
        var entries = try FolderReader(staging.folder.descriptor)
        while let entry = try entries.next() {
            if names.contains(entry.name) { continue }
            // It was deleted, and its drive ended before its name was known not to come back.
            if let number = entry.name.stagedNumber, entry.name == Name.away(number), deleted.keep(away: number).isKept { continue }
            if damaged.reasons.isEmpty { try staging.remove(entry.name) } else { try damaged.keep(staged: entry.name, in: staging.folder) }
        }
    }
}

extension DraftRecord {
    /// The record of a draft that is shown: its document may have been put back in its place, and is not away any more.
    fileprivate func following(_ recovered: RecoveredDraft) -> DraftRecord {
        guard case .stored(let stored)? = recovered.base else { return self }
        var record = self
        (record.path, record.stored, record.away) = (recovered.path, stored, nil)
        return record
    }
}
