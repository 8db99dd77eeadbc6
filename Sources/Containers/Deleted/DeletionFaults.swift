import LinuxFiles

/// Deleted items with which something could not be done that somebody asked for.
public struct DeletionFaults {
    private var sentences: [String] = []
    private var isNameTaken = false
    private static let mostNamed = 5

    /// Does with these items what somebody asked for, as far as it can be done; what could not is told at the end.
    public static func collect(
        of numbers: [UInt64], from item: (UInt64) -> DeletedItem?, _ body: ([DeletedItem], inout DeletionFaults) -> Void
    ) throws(SaveFault) {
        var faults = DeletionFaults(), items: [DeletedItem] = [], seen: Set<UInt64> = []
        for number in numbers where seen.insert(number).inserted {
            if let item = item(number) { items.append(item) } else { faults.sentences.append("\(number) is not among the deleted any more") }
        }
        body(items, &faults)
        if let sentence = faults.sentence(of: seen.count) { throw .unfit(sentence) }
    }

    public mutating func attempt(_ items: [DeletedItem], _ body: (DeletedItem) throws(Errno) -> Void) {
        for item in items { do throws(Errno) { try body(item) } catch { add(item, error) } }
    }

    private mutating func add(_ item: DeletedItem, _ error: Errno) {
        let path = (item.path + [item.shown]).text, number = "\(item.number)" + (item.kind == nil ? ", a plain file" : "")
        switch error {
        case .exists: sentences.append("“\(path)” (\(number)): another one has its name")
            isNameTaken = true
        case .busy: sentences.append("“\(path)” (\(number)): it is being written anew")
        default: sentences.append("“\(path)” (\(number)): \(error)")
        }
    }

    /// The sentence about all faults; nil where there were none.
    private func sentence(of count: Int) -> String? {
        guard !sentences.isEmpty else { return nil }
        let named = sentences.prefix(Self.mostNamed).joined(separator: "; ")
        let rest = sentences.count > Self.mostNamed ? "; and \(sentences.count - Self.mostNamed) more" : ""
        let mend = isNameTaken ? "; rename that first, or take what was deleted out of .valise/deleted on the drive under another name" : ""
        return (count == 1 ? named : "\(sentences.count) of \(count) stay deleted: \(named)\(rest)") + mend
    }
}
