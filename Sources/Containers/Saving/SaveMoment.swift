import LinuxFiles

/// When a document's content was saved. That is its time, unless somebody set that to another one: then an extended attribute of its content
/// part says when it was, and for which time that holds. `touch`, `cp -p` and `rsync -a` set times, and what was saved yesterday stays
/// yesterday's.
public enum SaveMoment {
    private static let attribute = Array("user.valise.saved".utf8)
    /// Setting the permissions changes a file a moment after it was written.
    private static let moment: Int64 = 2

    static func of(_ content: OpenFile, _ status: FileStatus) -> Timestamp { kept(in: content.descriptor, status) ?? status.modified }

    /// What a document is now.
    static func of(_ opened: ItemReader.Opened) -> Timestamp {
        opened.parts.first.flatMap { $0 }.map { of($0, opened.content) } ?? opened.content.modified
    }

    /// Runs what sets the time of a document's content. Where the file system keeps no attributes, the time that was set is all there is.
    public static func keeping(of content: borrowing Descriptor, _ body: () throws(Errno) -> Void) throws(Errno) {
        let before = try content.status(), saved = kept(in: content, before) ?? before.modified
        try body()
        let set = try content.status().modified
        if set != before.modified { keep(saved, in: content, set: set) }
    }

    /// A draft whose time was set becomes a document's content, and was written when it changed last.
    static func note(of draft: FileStatus, in content: borrowing Descriptor) {
        let written = ofWriting(draft)
        if written != draft.modified { keep(written, in: content, set: draft.modified) }
    }

    static func ofWriting(_ draft: FileStatus) -> Timestamp {
        let set = draft.modified, written = draft.changed
        return (-moment...moment).contains(written.seconds &- set.seconds) ? set : written
    }

    private static func keep(_ saved: Timestamp, in content: borrowing Descriptor, set: Timestamp) {
        try? content.setExtendedAttributes([attribute: Array("\(text(saved)) \(text(set))".utf8)])
    }

    private static func kept(in content: borrowing Descriptor, _ status: FileStatus) -> Timestamp? {
        guard let value = try? content.extendedAttribute(attribute) else { return nil }
        let words = String(decoding: value, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[1] == text(status.modified) else { return nil }
        let numbers = words[0].split(separator: ".")
        guard numbers.count == 2, let seconds = Int64(numbers[0]), let nanoseconds = Int32(numbers[1]), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    private static func text(_ time: Timestamp) -> String { "\(time.seconds).\(time.nanoseconds)" }
}
