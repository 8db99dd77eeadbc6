import Documents
import LinuxFiles
import PropertyLists
import Transactions

/// What is being written of a document: a file in staging with the shown bytes, from `contentStart` on.
///
/// Where a kind keeps content as it is, the draft is written where the content stays, so that saving moves no bytes.
public final class Draft: Sendable {
    public let number: UInt64
    public let kind: KindID
    public let file: OpenFile
    /// Where in the file the content begins.
    public let contentStart: Int64

    private struct Facts {
        /// Something was written since it was last saved.
        var changed: Bool
        /// Why it could not be saved.
        var fault: String?
        /// The store had no room for what was to be written here.
        var missing: Range<Int64>?
        /// A power cut leaves it as it is: so must what is made of it.
        var synchronized = false
        /// The state of the document that it began from; nil where it began from none, or what it was does not matter.
        var base: BaseStamp?
        /// Nobody has said that this is all there is: whoever wrote it is gone.
        var isUnclosed = false
        /// The length of the content while it is saved, and afterwards: then the file has something behind it.
        var sealed: Int64?
        /// Its file has extended attributes, or may have.
        var mayHaveAttributes = true
        /// Which file it is, where that is known.
        var birth: NodeBirth?
    }

    private let facts: Locked<Facts>

    init(number: UInt64, kind: KindID, file: OpenFile, contentStart: Int64, changed: Bool, base: BaseStamp? = nil) {
        self.number = number
        self.kind = kind
        self.file = file
        self.contentStart = contentStart
        facts = Locked(Facts(changed: changed, base: base), .draftFacts)
    }

    /// The length of the content.
    public func length() throws(Errno) -> Int64 { length(in: try file.descriptor.status().size) }

    /// The file is looked at first: whoever saves says what the content's length is, and then writes behind it.
    private func length(in size: Int64) -> Int64 { facts.withLock { $0.sealed } ?? max(0, size - contentStart) }

    /// How many of `count` bytes of the content there are at `offset`.
    public func available(_ count: Int, at offset: Int64) throws(Errno) -> Int {
        // Of other kinds nothing is ever written behind the content.
        guard contentStart > 0 else { return count }
        return Int(max(0, min(Int64(count), try length() - offset)))
    }

    /// What is shown of it ends here, whatever is written behind it.
    func seal(at length: Int64) { facts.withLock { $0.sealed = length } }
    func unseal() { facts.withLock { $0.sealed = nil } }

    /// What a drive shows of it.
    public func status() throws(Errno) -> FileStatus { shown(try file.descriptor.status()) }

    func shown(_ status: FileStatus) -> FileStatus {
        var status = status
        status.size = length(in: status.size)
        status.blocks = FileStatus.blocks(of: status.size)
        status.links = 1
        return status
    }

    /// Says whether it is whole again with that.
    @discardableResult
    public func truncate(to length: Int64) throws(Errno) -> Bool {
        guard length <= Int64.max - contentStart else { throw .fileTooLarge }
        try file.descriptor.truncate(to: length + contentStart)
        return facts.withLock { facts in
            facts.changed = true
            guard let missing = facts.missing, length <= missing.lowerBound else { return false }
            facts.missing = nil
            return true
        }
    }

    public func content() throws(Errno) -> any ByteSource { source(in: try file.descriptor.status()) }

    /// What was written, as long as the file is as it was found.
    func source(in status: FileStatus) -> any ByteSource {
        let length = length(in: status.size), source = FileSource(file, byteCount: contentStart + length)
        guard contentStart > 0 else { return source }
        return length == 0 ? Bytes([]) : RangeSource(source, from: contentStart, count: length)
    }

    func source() throws(DocumentFault) -> any ByteSource {
        do throws(Errno) { return try content() } catch { throw .unreadable(error.rawValue) }
    }

    /// Whoever wrote it is gone, and had not closed it.
    func leaveUnclosed() { facts.withLock { $0.isUnclosed = true } }

    /// Somebody who may write to it has closed it.
    public func noteClosed() { facts.withLock { $0.isUnclosed = false } }

    public var isUnclosed: Bool { facts.withLock { $0.isUnclosed } }

    /// Why it is not saved while nobody has said that it is all there is; nil where nothing tells.
    public func missingEnd() -> String? {
        guard let content = try? content() else { return nil }
        return (try? kind.kind.missingEnd(of: content)) ?? nil
    }

    /// A folder may be entered by whoever may read what is in it.
    public static func packageMode(for mode: UInt32) -> UInt32 {
        let readable = mode & 0o444
        return 0o700 | readable | readable >> 2 | mode & 0o222
    }

    // MARK: Its file

    /// It was made here and is empty: which file it is, and that it has no attributes yet.
    func noteMade(_ birth: NodeBirth?) {
        facts.withLock { facts in
            facts.mayHaveAttributes = false
            facts.birth = birth
        }
    }

    /// Somebody is about to give it an extended attribute.
    public func noteAttributes() { facts.withLock { $0.mayHaveAttributes = true } }

    var mayHaveAttributes: Bool { facts.withLock { $0.mayHaveAttributes } }
    var birth: NodeBirth? { facts.withLock { $0.birth } }

    // MARK: State

    /// Why a draft is not saved that the store had no room for.
    public static let incompleteReason = "there was no room for all that was written to it: write it again"

    /// Why a document is what it was.
    public static let unwrittenReason = "there was no room for what was to be written; it stays as it is"

    /// It was written to: whatever was said of it before is of no account.
    public func touch() { facts.withLock { $0.changed = true } }

    /// The store had no room for what was to be written here. Says whether that is news.
    public func miss(_ range: Range<Int64>) -> Bool {
        facts.withLock { facts in
            defer { if facts.missing == nil { facts.missing = range } }
            return facts.missing == nil
        }
    }

    /// It was written after all. Says whether it is whole again with that.
    public func wrote(_ range: Range<Int64>) -> Bool {
        facts.withLock { facts in
            guard let missing = facts.missing, range.contains(missing.lowerBound) else { return false }
            facts.missing = range.upperBound < missing.upperBound ? range.upperBound..<missing.upperBound : nil
            return facts.missing == nil
        }
    }

    /// Something that was to be written is not in it.
    public var isIncomplete: Bool { facts.withLock { $0.missing != nil } }

    public var isChanged: Bool { facts.withLock { $0.changed } }
    public var fault: String? { facts.withLock { $0.fault } }
    var isSynchronized: Bool { facts.withLock { $0.synchronized } }
    func noteSynchronized() { facts.withLock { $0.synchronized = true } }

    /// What was the document's content when the draft began.
    public var base: BaseStamp? { facts.withLock { $0.base } }

    /// The document is changed on this drive's own account, under the draft.
    public func begin(from base: BaseStamp?) { facts.withLock { $0.base = base } }

    /// It could not be saved, and may be the next time.
    public func note(_ fault: String) { facts.withLock { $0.fault = fault } }

    func settle(_ fault: String?) {
        facts.withLock { facts in
            facts.changed = false
            facts.fault = fault
        }
    }

    /// Sets the file's times and remembers them for the document.
    public func setTimes(accessed: Descriptor.TimeChange?, modified: Descriptor.TimeChange?) throws(Errno) {
        try file.descriptor.setTimes(accessed: accessed, modified: modified)
    }
}

/// A draft, and what it is a draft of.
public struct DraftPlace: Sendable {
    public let draft: Draft
    public let address: Address
    public let base: Base?

    public init(draft: Draft, address: Address, base: Base?) {
        (self.draft, self.address, self.base) = (draft, address, base)
    }
}

extension DraftRecord {
    init(_ place: DraftPlace) {
        self.init(
            number: place.draft.number, kind: place.draft.kind.name, path: place.address.path, stored: nil, shown: place.address.shown)
        stamp = place.draft.base
        switch place.base {
        case .stored(let name): stored = name
        case .away(let item): away = AwayName(number: item.number, stored: item.stored)
        case nil: break
        }
    }
}
