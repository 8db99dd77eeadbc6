import LinuxFiles

/// Deleted items with which something could not be done that somebody asked for.
public struct DeletionFaults {
    private var sentences: [String] = []
    private static let mostNamed = 5

    public init() {}

    public mutating func add(_ number: UInt64) { sentences.append("\(number) is not among the deleted any more") }

    public mutating func add(_ item: DeletedItem, _ error: Errno) {
        let path = (item.path + [item.shown]).map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/")
        switch error {
        case .exists: sentences.append("“\(path)” (\(item.number)): another one has its name")
        case .busy: sentences.append("“\(path)” (\(item.number)): it is being written anew")
        default: sentences.append("“\(path)” (\(item.number)): \(error)")
        }
    }

    /// nil where there were none.
    public func sentence(of count: Int) -> String? {
        guard !sentences.isEmpty else { return nil }
        let named = sentences.prefix(Self.mostNamed).joined(separator: "; ")
        let rest = sentences.count > Self.mostNamed ? "; and \(sentences.count - Self.mostNamed) more" : ""
        return count == 1 ? named : "\(sentences.count) of \(count) stay deleted: \(named)\(rest)"
    }
}
