import LinuxFiles
import Transactions

/// Drafts that are given up, or that go with their documents, are kept among the deleted.
final class DraftKeeping: Sendable {
    private let staging: Staging
    private let records: DeletedRecords
    private let plain: PlainFileMaking

    init(staging: Staging, records: DeletedRecords, plain: PlainFileMaking) {
        (self.staging, self.records, self.plain) = (staging, records, plain)
    }

    /// Keeps what is written in a draft, as the plain file that it looks like. Nothing where that is not to be kept, or
    /// there is no room for it.
    func keep(_ draft: Draft, from address: Address) throws(Errno) -> Outcome {
        guard try draft.length() > 0, let folder = records.folder,
            let item = try records.note(address.shown, nil, from: address)
        else { return Outcome() }
        let copy = Name.staged(draft.number, ".plain")
        do throws(Errno) {
            try plain.stagePlain(draft, as: copy, like: nil)
            try staging.folder.descriptor.rename(copy, to: folder.descriptor, as: item.entry)
            return Outcome(deleted: item)
        } catch {
            records.forget(item, after: error)
            try? staging.remove(copy)
            if !error.isFull { throw error }
            return Outcome()
        }
    }
}
