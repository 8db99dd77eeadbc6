import LinuxFiles
import Transactions

/// The document that a plain file was. A document that is given a foreign name becomes a plain file, and goes among the deleted with its versions;
/// the file says in an attribute which of these it was, so that it is the same document again under a name of its kind.
///
/// The number alone says nothing in another container, and so the time is written down, too.
struct FormerDocument {
    let number: UInt64
    private let text: [UInt8]

    /// Where the store has no attributes, it is a new document then.
    static func note(_ item: DeletedItem?, on file: borrowing Descriptor) {
        if let item { try? file.setExtendedAttribute(FileAttributes.former, to: text(of: item)) }
    }

    private static func text(of item: DeletedItem) -> [UInt8] { Array("\(item.number).\(item.when.seconds).\(item.when.nanoseconds)".utf8) }

    /// Nil of a file that was none.
    init?(of file: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { text = try file.extendedAttribute(FileAttributes.former) } catch {
            guard [.noData, .notSupported].contains(error) else { throw error }
            return nil
        }
        guard let word = text.split(separator: UInt8(ascii: ".")).first, let number = Journal.number(word) else { return nil }
        self.number = number
    }

    func isThis(_ item: DeletedItem) -> Bool { Self.text(of: item) == text }
}
