import Dispatch
import Glibc
import LinuxFiles

/// Which item of a container a lane is of. A package is one item, whatever is touched inside it.
public struct LaneID: Hashable, Comparable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static func < (left: LaneID, right: LaneID) -> Bool { left.rawValue < right.rawValue }
}

/// Who may read and write which document, and when.
///
/// Each item has a lane: a concurrent dispatch queue over one background queue. Reads run beside each other,
/// a write runs alone, both in the order in which they came: a reader waits for the writers before it, a writer
/// for everybody before it. Lanes of different items do not wait for each other. Whoever needs two takes the
/// lower number first, everywhere, so that two such never wait for each other.
///
/// A lane is not to be entered again from inside itself. What is to follow goes into `later`. Nothing waits in there for
/// anything but other lanes and the store: see `HeldLanes`.
public final class DocumentCoordinator: Sendable {
    private let background: DispatchQueue
    private let lanes = Locked<[LaneID: Lane]>([:])
    /// Errands that have not ended.
    private let errands = DispatchGroup()

    /// A lane lives as long as somebody is in it or waits for it.
    private struct Lane {
        let queue: DispatchQueue
        var users = 0
    }

    public init(label: String = "valise.documents") {
        background = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    }

    /// Runs `body` while nobody writes the item.
    public func read<Value, Problem: Error>(_ item: LaneID, _ body: () throws(Problem) -> Value) throws(Problem) -> Value {
        checkNotIn(item)
        let queue = enter(item)
        defer { leave(item) }
        return try queue.sync { outcome(in: item, writing: false, body) }.get()
    }

    /// Runs `body` while nobody else reads or writes the item.
    public func write<Value, Problem: Error>(_ item: LaneID, _ body: () throws(Problem) -> Value) throws(Problem) -> Value {
        checkNotIn(item)
        let queue = enter(item)
        defer { leave(item) }
        return try queue.sync(flags: .barrier) { outcome(in: item, writing: true, body) }.get()
    }

    /// Runs `body` while nobody else reads or writes either item, which may be one and the same.
    public func write<Value, Problem: Error>(
        _ first: LaneID, _ second: LaneID, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard first != second else { return try write(first, body) }
        return try write(min(first, second)) { () throws(Problem) -> Value in
            try write(max(first, second)) { () throws(Problem) -> Value in try body() }
        }
    }

    /// Runs `body` later on the background queue, as a write of the item, after all that came before.
    public func later(_ item: LaneID, _ body: @escaping @Sendable () -> Void) {
        let queue = enter(item)
        errands.enter()
        queue.async(flags: .barrier) { [self] in
            HeldLanes.within(lane(item), writing: true, body)
            leave(item)
            errands.leave()
        }
    }

    /// Waits until every errand has ended, those included that errands ordered meanwhile.
    public func drain() {
        HeldLanes.checkNone()
        errands.wait()
    }

    /// In how many lanes somebody is or waits now.
    public var inUse: Int { lanes.withLock { $0.count } }

    private func enter(_ item: LaneID) -> DispatchQueue {
        lanes.withLock { lanes in
            var lane = lanes[item] ?? Lane(queue: DispatchQueue(label: "valise.item", attributes: .concurrent, target: background))
            lane.users += 1
            lanes[item] = lane
            return lane.queue
        }
    }

    private func leave(_ item: LaneID) {
        lanes.withLock { lanes in
            guard var lane = lanes[item] else { return }
            lane.users -= 1
            lanes[item] = lane.users > 0 ? lane : nil
        }
    }

    private func outcome<Value, Problem: Error>(
        in item: LaneID, writing: Bool, _ body: () throws(Problem) -> Value
    ) -> Result<Value, Problem> {
        HeldLanes.within(lane(item), writing: writing) {
            do throws(Problem) { return .success(try body()) } catch { return .failure(error) }
        }
    }

    private func lane(_ item: LaneID) -> HeldLanes.Lane { HeldLanes.Lane(coordinator: ObjectIdentifier(self), item: item) }

    // MARK: What has to be so

    private func checkNotIn(_ item: LaneID) {
        #if DEBUG
        HeldLocks.checkNoTable("a lane")
        precondition(!HeldLanes.isIn(lane(item), writing: false), "a lane is entered from inside itself")
        #endif
    }

    /// For what nobody else may do anything with the item meanwhile: debug builds end where the calling thread is not alone in its lane.
    @inline(__always)
    public func checkWriting(_ item: LaneID, _ what: StaticString = #function) {
        #if DEBUG
        precondition(HeldLanes.isIn(lane(item), writing: true), "“\(what)” outside of the lane that it needs")
        #endif
    }

    /// The same for what others may do beside it.
    @inline(__always)
    public func checkReading(_ item: LaneID, _ what: StaticString = #function) {
        #if DEBUG
        precondition(HeldLanes.isIn(lane(item), writing: false), "“\(what)” outside of the lane that it needs")
        #endif
    }
}

/// The lanes that the calling thread is in. Nothing in a lane waits for another program, sleeps or asks a person: whoever
/// wants the document, or lists its folder, would wait as well. What waits says so with `checkNone`, what needs a lane with
/// `DocumentCoordinator.checkWriting`, and debug builds end where it is wrong; in others nothing is counted.
public enum HeldLanes {
    struct Lane: Equatable {
        let coordinator: ObjectIdentifier
        let item: LaneID
    }

    #if DEBUG
    private final class Held {
        var lanes: [(lane: Lane, isWritten: Bool)] = []
    }

    /// Each thread has a list of its own under this key.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // SAFETY: the key is this process's as long as it lives. What is kept under it was retained for that, and is released when
        // its thread ends.
        unsafe pthread_key_create(&key) { kept in
            if let kept = unsafe kept { unsafe Unmanaged<Held>.fromOpaque(kept).release() }
        }
        return key
    }()

    private static var held: Held {
        // SAFETY: as above; a thread reads and writes its own.
        if let kept = unsafe pthread_getspecific(key) { return unsafe Unmanaged<Held>.fromOpaque(kept).takeUnretainedValue() }
        let new = Held()
        // SAFETY: as above.
        unsafe pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    static var count: Int { held.lanes.count }

    static func isIn(_ lane: Lane, writing: Bool) -> Bool { held.lanes.contains { $0.lane == lane && ($0.isWritten || !writing) } }
    #endif

    static func within<Value>(_ lane: Lane, writing: Bool, _ body: () -> Value) -> Value {
        #if DEBUG
        held.lanes.append((lane, writing))
        defer { held.lanes.removeLast() }
        #endif
        return body()
    }

    /// Before something that waits.
    public static func checkNone(_ waiting: StaticString = #function) {
        #if DEBUG
        precondition(count == 0, "“\(waiting)” waits inside a lane")
        HeldLocks.checkNoTable(waiting)
        #endif
    }
}
