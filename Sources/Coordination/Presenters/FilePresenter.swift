import Containers
import LinuxFiles
import Synchronization

/// Whoever has an item of a container open: what `NSFilePresenter` is to an app's documents. It is asked before others read or write
/// the item, in whatever process they are, and told what happens to it.
///
/// Calls come one after another, on a queue of the presentation's own.
public protocol FilePresenter: AnyObject, Sendable {
    /// Somebody else waits to use the item. `done` is called once, on any thread: with nil when what was not saved is saved and the
    /// item is let go of, or with the reason why it is not. From then on until `PresenterEvent.over` it is left alone.
    /// A claim by `FileCoordinator(as:)` is granted meanwhile. After five seconds nobody waits any longer.
    func presentedItemIsWanted(_ question: PresenterQuestion, done: @escaping @Sendable (Errno?) -> Void)
    func presentedItem(_ event: PresenterEvent)
    /// It was moved out of the container, to an absolute path. Who does not ask for that hears that it is gone.
    func presentedItem(_ path: ItemPath, leftTo place: String)
}

extension FilePresenter {
    public func presentedItem(_ path: ItemPath, leftTo place: String) { presentedItem(.deleted(path)) }
}

/// What a presenter is asked for.
public struct PresenterQuestion: Sendable {
    public let number: UInt32
    /// The presented item, or what is wanted in it where that is a folder, or what is around it.
    public let path: ItemPath
    public let purpose: ClaimPurpose

    package init(number: UInt32, path: ItemPath, purpose: ClaimPurpose) { (self.number, self.path, self.purpose) = (number, path, purpose) }

    /// Whether it is saved before.
    public var wantsSaving: Bool { purpose.wantsSaving }
}

/// What happened to a presented item, or in a presented folder.
public enum PresenterEvent: Sendable, Equatable {
    /// Or may have: whoever was to tell was not there for a while.
    case changed(ItemPath)
    case moved(ItemPath, to: ItemPath)
    case deleted(ItemPath)
    case gainedVersion(ItemPath)
    case gainedConflict(ItemPath)
    /// Somebody decided about a conflict, or removed versions.
    case resolvedConflict(ItemPath)
    /// Whoever wanted the item is done with it.
    case over(question: UInt32)

    /// The numbers are those of the protocol.
    public enum Kind: UInt8, Sendable {
        case changed = 0, moved = 1, deleted = 2, gainedVersion = 3, gainedConflict = 4, resolvedConflict = 5
    }

    init(_ kind: Kind, _ path: ItemPath, to new: ItemPath?) {
        switch kind {
        case .changed: self = .changed(path)
        case .moved: self = .moved(path, to: new ?? path)
        case .deleted: self = .deleted(path)
        case .gainedVersion: self = .gainedVersion(path)
        case .gainedConflict: self = .gainedConflict(path)
        case .resolvedConflict: self = .resolvedConflict(path)
        }
    }
}

/// How long whoever presents an item, and says that it is there, is waited for. For trials, which may have to wait for a processor as long as that.
package enum PresenterPatience {
    private static let milliseconds = Atomic<Int64>(5000)

    package static var answer: Int64 { milliseconds.load(ordering: .relaxed) }
    package static func set(milliseconds new: Int64) { milliseconds.store(new, ordering: .relaxed) }
}
