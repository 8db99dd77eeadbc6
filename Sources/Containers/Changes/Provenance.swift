import LinuxFiles
import Transactions

/// When a document's content was saved, and on which computer.
///
/// It is saved when its file says, and here, unless somebody set that time or brought the content from another computer: then an extended attribute
/// of its content part says so, and for which time that holds. `touch`, `cp -p` and `rsync -a` set times, and what was saved yesterday stays
/// yesterday's.
public struct Provenance: Hashable, Sendable {
    public let moment: Timestamp
    public let computer: String
    /// What tells a version with this content from another one of that moment; empty where nothing has to.
    public let mark: String

    /// What a version with this content is called.
    public var id: VersionID { VersionID(moment, mark: mark) }

    public init(_ moment: Timestamp, mark: String = "", computer: String) {
        (self.moment, self.mark, self.computer) = (moment, mark, DocumentVersion.computerName(computer))
    }

    init(savedHere moment: Timestamp) { self.init(moment, computer: HostName.current) }

    // MARK: Of content

    /// The provenance that the part with the content has.
    init(of content: OpenFile, _ status: FileStatus) { self = Self.kept(in: content.descriptor, status) ?? Provenance(savedHere: status.modified) }

    /// Of what a document is now.
    init(of opened: ItemReader.Opened) {
        if let content = opened.flat?.folder ?? opened.parts.first.flatMap({ $0 }) { self.init(of: content, opened.content) } else { self.init(savedHere: opened.content.modified) }
    }

    /// Of what is written in a draft. Its time may have been set; it was written when it changed last.
    init(ofWriting draft: FileStatus) {
        let set = draft.modified, written = draft.changed
        self.init(savedHere: (-Self.instant...Self.instant).contains(written.seconds &- set.seconds) ? set : written)
    }

    /// Setting the permissions changes a file a moment after it was written.
    private static let instant: Int64 = 2

    // MARK: With content

    /// Runs what sets the time of a document's content. Where the file system keeps no attributes, the time that was set is all there is.
    public static func keeping(of content: borrowing Descriptor, _ body: () throws(Errno) -> Void) throws(Errno) {
        let before = try content.status(), saved = kept(in: content, before) ?? Provenance(savedHere: before.modified)
        try body()
        let set = try content.status().modified
        if set != before.modified { saved.keep(in: content, set: set) }
    }

    /// Gives new content, which was written now, the time that it had elsewhere; what its file is then.
    public static func date(_ content: borrowing Descriptor, _ moment: Timestamp) throws(Errno) -> FileStatus {
        try content.setTimes(accessed: nil, modified: .at(moment))
        let status = try content.status()
        Provenance(savedHere: status.changed).keep(in: content, set: status.modified)
        return status
    }

    /// A draft whose time was set becomes a document's content.
    static func note(of draft: FileStatus, in content: borrowing Descriptor) {
        let written = Provenance(ofWriting: draft)
        if written.moment != draft.modified { written.keep(in: content, set: draft.modified) }
    }

    /// What has this time now, was saved there and then.
    func keep(in content: borrowing Descriptor, set: Timestamp) {
        try? content.setExtendedAttributes([Self.attribute: Array(text(set: set).utf8)])
    }

    private static let attribute = Array("user.valise.saved".utf8)

    private static func kept(in content: borrowing Descriptor, _ status: FileStatus) -> Provenance? {
        guard let value = try? content.extendedAttribute(attribute) else { return nil }
        return Provenance(text: String(decoding: value, as: UTF8.self), set: status.modified)
    }
}

// "1795303653.5 978307200.0", of what was saved here; else "1795303653.5 978307200.0 laptop", and a mark where its version has one.
extension Provenance {
    private func text(set: Timestamp) -> String {
        var words = [Self.text(moment), Self.text(set)]
        if computer != DocumentVersion.computerName(HostName.current) || !mark.isEmpty {
            words.append(Name(computer).map(Place.escaped) ?? "-")
        }
        if !mark.isEmpty { words.append(Name(mark).map(Place.escaped) ?? "-") }
        return words.joined(separator: " ")
    }

    private init?(text: String, set: Timestamp) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard (2...4).contains(words.count), words[1] == Self.text(set), let moment = Self.time(words[0]) else { return nil }
        guard words.count > 2 else {
            self.init(savedHere: moment)
            return
        }
        let names = words.dropFirst(2).compactMap { Place.unescaped($0.utf8).map { String(decoding: $0.bytes, as: UTF8.self) } }
        guard names.count == words.count - 2 else { return nil }
        self.init(moment, mark: names.count == 2 ? names[1] : "", computer: names[0])
    }

    private static func time(_ text: String) -> Timestamp? {
        let numbers = text.split(separator: ".")
        return numbers.count == 2 ? Timestamp(seconds: numbers[0], nanoseconds: numbers[1]) : nil
    }

    private static func text(_ time: Timestamp) -> String { "\(time.seconds).\(time.nanoseconds)" }
}
