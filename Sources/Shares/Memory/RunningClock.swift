import LinuxFiles

/// Seconds that have passed on a device, as far as it was on: they go on where they stopped, and what a wall clock says has no part in it. Time while the
/// computer sleeps counts, time while it is off does not.
public struct RunningClock: Sendable {
    /// What is written down of it.
    public struct Reading: Equatable, Sendable {
        public let seconds: Int64
        /// Which start of the computer it was read in, and how many seconds after that.
        let start: [UInt8], age: Int64
    }

    private let base: Reading
    private let now: @Sendable () -> (start: [UInt8], age: Int64)

    /// Goes on from what was written down; anew from 0.
    public init(after reading: Reading?) { self.init(after: reading, now: Self.sinceStart) }

    init(after reading: Reading?, now: @escaping @Sendable () -> (start: [UInt8], age: Int64)) {
        let (start, age) = now(), known = reading ?? Reading(seconds: 0, start: start, age: age)
        // Of a start that is over nobody knows how long it went on.
        base = Reading(seconds: known.seconds + (known.start == start && !start.isEmpty ? max(0, age - known.age) : 0), start: start, age: age)
        self.now = now
    }

    public var reading: Reading {
        let (_, age) = now()
        return Reading(seconds: base.seconds + max(0, age - base.age), start: base.start, age: max(age, base.age))
    }

    public var seconds: Int64 { reading.seconds }

    private static func sinceStart() -> (start: [UInt8], age: Int64) { (thisStart, Monotonic.secondsSinceStart) }

    /// Empty where the kernel does not say it: then no time passes while the program is not there.
    private static let thisStart: [UInt8] = {
        guard let file = try? Descriptor.atPath("/proc/sys/kernel/random/boot_id", [.read]), let id = try? file.readAll(limit: 64) else { return [] }
        return id
    }()
}
