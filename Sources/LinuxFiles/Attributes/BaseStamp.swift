/// A state of a file's content, to be known again: how long it was, and when it was written. Permissions may change and
/// it is still the same, and so it is in a folder that was copied to another disk.
public struct BaseStamp: Hashable, Sendable {
    let size: Int64
    let modified: Timestamp

    public init(_ content: FileStatus) { self.init(size: content.size, modified: content.modified) }

    /// Of what is more than one file: a number that takes the place of the size.
    public init(size: Int64, modified: Timestamp) { (self.size, self.modified) = (size, modified) }
}

// As the journal writes it down, and as apps say it.
extension BaseStamp {
    public var text: String { "\(size).\(modified.seconds).\(modified.nanoseconds)" }

    public init?(text: some StringProtocol) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 3, let size = Int64(words[0]), size >= 0,
            let modified = Timestamp(seconds: words[1], nanoseconds: words[2])
        else { return nil }
        self.init(size: size, modified: modified)
    }
}
