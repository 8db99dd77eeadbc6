import LinuxFiles

/// Which of all the folders that root ever had for its state in a container of somebody else's is the one that counts.
///
/// The container's owner can rename it, let root make another one, and put it back long after: its journal would be carried
/// out once more. So it has a random mark, and the container's folder the same, in an attribute that nobody but root can
/// read or change; it cannot be moved to another folder either, because that takes the right to write in it.
/// Where the store has no such attributes, or this process is not let at them, there is no mark.
struct StateMark: Equatable {
    private let bytes: [UInt8]

    private static let attribute = Array("trusted.valise.state".utf8)
    static let attributeName = String(decoding: attribute, as: UTF8.self)

    static var new: StateMark { StateMark(bytes: (0..<16).map { _ in UInt8.random(in: .min ... .max) }) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    init?(of folder: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { bytes = try folder.extendedAttribute(Self.attribute) } catch {
            guard Self.refusals.contains(error) else { throw error }
            return nil
        }
    }

    /// Puts the mark there; false where the store can hold none.
    @discardableResult func put(on folder: borrowing Descriptor) throws(Errno) -> Bool {
        do throws(Errno) { try folder.setExtendedAttribute(Self.attribute, to: bytes) } catch {
            guard Self.refusals.contains(error) else { throw error }
            return false
        }
        return true
    }

    private static let refusals: [Errno] = [.noData, .notSupported, .notImplemented, .notPermitted, .accessDenied, .readOnly]
}

extension StateFolder {
    /// Root's folder in a container of somebody else's is another one than root used last; one in which nothing is does no harm.
    package func isReplaced(_ place: borrowing Descriptor) throws(Errno) -> Bool {
        guard owner != nil, let mark = try StateMark(of: base.descriptor) else { return false }
        if let own = try StateMark(of: place) { return own != mark }
        var entries = try FolderReader(untraced: place)
        return try entries.next() != nil
    }

    /// What is to be made counts, and no older one any more: also if that is all that comes of it.
    func markBeforeMaking() throws(Errno) -> StateMark? {
        guard owner != nil else { return nil }
        let mark = StateMark.new
        return try mark.put(on: base.descriptor) ? mark : nil
    }

    /// Of one without a mark, by an earlier Valise or by a process that was ended in between; or in a container that was
    /// copied without its own. One in which there is something has it first: at no time would it be taken for another one.
    func mark(_ place: OpenFile, as new: StateMark? = nil) throws(Errno) {
        guard owner != nil else { return }
        if let new { return _ = try new.put(on: place.descriptor) }
        let mark = try StateMark(of: base.descriptor), own = try StateMark(of: place.descriptor)
        if let mark, own == nil { try mark.put(on: place.descriptor) }
        guard mark == nil else { return }
        let wanted = own ?? .new
        if own == nil { try wanted.put(on: place.descriptor) }
        try wanted.put(on: base.descriptor)
    }
}
