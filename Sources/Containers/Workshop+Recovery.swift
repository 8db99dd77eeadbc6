import Documents
import LinuxFiles

/// A draft that an earlier process left and that cannot be saved: the document keeps its last good content,
/// and the drive goes on showing the draft.
public struct RecoveredDraft: Sendable {
    public let draft: Draft
    public let path: [Name]
    public let stored: Name
    public let shown: Name
    public let reason: String
}

// What an earlier process did not finish.
extension Workshop {
    /// Finishes what was begun, saves the drafts that can be saved, makes plain files of new ones that cannot,
    /// and clears staging of what nobody needs. Before anything else is done in the container.
    public func recover() throws(Failure) -> [RecoveredDraft] {
        do throws(Errno) {
            var last: [UInt64: Journal.Record] = [:]
            var order: [UInt64] = []
            var sealed: [UInt64: Int64] = [:]
            for record in journal.found {
                if case .sealed(let number, let length) = record {
                    sealed[number] = length
                    continue
                }
                if case .draft(let draft) = record { sealed[draft.number] = nil }
                if last.updateValue(record, forKey: record.number) == nil { order.append(record.number) }
            }
            note(highest: try highestStaged())
            var kept: [(DraftRecord, RecoveredDraft)] = []
            for number in order {
                switch last[number] {
                case .intent(_, let steps): try finish(steps)
                case .draft(let record): if let draft = try recover(record, length: sealed[number]) { kept.append((record, draft)) }
                case .ended, .sealed, nil: break
                }
            }
            try journal.startAnew(with: kept.map(\.0))
            try clear(keeping: Set(kept.map { Self.stagedName($0.1.draft.number) }))
            return kept.map(\.1)
        } catch {
            throw Failure(error, "what an earlier mount left in “\(container.path)/.valise” cannot be finished: \(error)", cause: error)
        }
    }

    private func recover(_ record: DraftRecord, length: Int64?) throws(Errno) -> RecoveredDraft? {
        guard let kind = KindID.all.first(where: { $0.kind.name == record.kind }), let draft = try reopen(record.number, kind) else { return nil }
        if let length { try draft.file.descriptor.truncate(to: draft.room + length) }
        let (folder, path) = try nearestFolder(to: record.path)
        let address = Address(folder: folder, path: path, shown: record.shown)
        var base: Base?
        if let stored = record.stored, path == record.path, try folder.descriptor.exists(stored) { base = .stored(stored) }
        do throws(SaveFault) {
            _ = try save(draft, at: address, over: base)
            return nil
        } catch {
            if case .stored(let stored) = base {
                let reason: String
                switch error {
                case .unfit(let why): reason = why
                case .failed(let errno): reason = "it could not be saved: \(errno)"
                }
                draft.settle(reason)
                return RecoveredDraft(draft: draft, path: path, stored: stored, shown: record.shown, reason: reason)
            }
            if case .failed(let errno) = error { throw errno }
        }
        try releaseUnderFreeName(draft, at: address)
        return nil
    }

    /// Nothing that was written is dropped: where the name is taken meanwhile, the next one is.
    private func releaseUnderFreeName(_ draft: Draft, at address: Address) throws(Errno) {
        var number = 0
        while true {
            let name = number == 0 ? address.shown : ShownName.numbered(address.shown, number)
            do throws(Errno) { return try release(draft, asPlain: name, at: address) } catch {
                guard error == .exists, number < 10_000 else { throw error }
                number += 1
            }
        }
    }

    private func reopen(_ number: UInt64, _ kind: KindID) throws(Errno) -> Draft? {
        let name = Self.stagedName(number)
        do throws(Errno) {
            let file: OpenFile
            if let part = kind.kind.partNames?.first.flatMap(Name.init) {
                file = OpenFile(try staging.descriptor.open(name, [.path, .folder]).open(part, .readWrite))
            } else {
                file = OpenFile(try staging.descriptor.open(name, .readWrite))
            }
            return Draft(number: number, kind: kind, file: file, room: kind.kind.room ?? 0, changed: true)
        } catch {
            if error == .noSuchEntry { return nil }
            throw error
        }
    }

    /// The folder that a draft was in, or the nearest one above it that is still there.
    private func nearestFolder(to path: [Name]) throws(Errno) -> (OpenFile, [Name]) {
        var folder = container.documents
        var found: [Name] = []
        for name in path {
            do throws(Errno) { folder = OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
                guard [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) else { throw error }
                break
            }
            found.append(name)
        }
        return (folder, found)
    }

    private func highestStaged() throws(Errno) -> UInt64 {
        var highest: UInt64 = 0
        var entries = try FolderReader(staging.descriptor)
        while let entry = try entries.next() {
            let digits = entry.name.bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            highest = max(highest, UInt64(String(decoding: digits, as: UTF8.self)) ?? 0)
        }
        return max(highest, journal.highestNumber)
    }

    private func clear(keeping names: Set<Name>) throws(Errno) {
        var entries = try FolderReader(staging.descriptor)
        while let entry = try entries.next() {
            if !names.contains(entry.name) { try removeTree(entry.name, in: staging.descriptor) }
        }
    }
}
