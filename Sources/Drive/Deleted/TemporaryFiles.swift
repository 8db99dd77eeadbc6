import Containers
import LinuxFiles

/// Plain files that programs make for a moment and take away again: while they save, and as locks. They are not kept when they go.
final class TemporaryFiles: Sendable {
    private struct Maker {
        let act: ProgramAct
        /// The name that the file had before the program renamed it; nil of one that it made.
        let former: RemovedName?
    }

    /// By the number that a file has in the container. Of one that was forgotten a backup or lock is kept for nothing.
    private let makers = RecentTable<UInt64, Maker>(most: 4096)
    /// Nothing that is for a moment takes longer, in seconds.
    private static let moment: Int64 = 60

    func note(_ number: UInt64, madeBy caller: Caller) { makers[number] = Maker(act: ProgramAct(by: caller), former: nil) }

    /// Many programs rename the old file away, write a new one under its name, and remove the old one.
    func note(_ number: UInt64, renamedBy caller: Caller, from former: RemovedName) {
        guard makers[number].map({ $0.former != nil }) ?? true else { return }
        makers[number] = Maker(act: ProgramAct(by: caller), former: former)
    }

    /// Whether a file that goes was for a moment: by its name, or because the program that made it takes it away, or that renamed it
    /// and wrote another one in its place.
    func isPassing(_ number: UInt64, called name: Name, by caller: Caller, isThereAgain: (RemovedName) -> Bool = { _ in false }) -> Bool {
        if PassingName.isOne(name) { return true }
        guard let maker = makers[number] else { return false }
        guard let former = maker.former else { return maker.act.isBySame(as: caller, within: Self.moment) }
        return maker.act.isBySame(as: caller, within: ProgramAct.instant) && isThereAgain(former)
    }

    /// Whether the program that takes a file away has made it a moment ago.
    func isMade(_ number: UInt64, by caller: Caller) -> Bool {
        guard let maker = makers[number], maker.former == nil else { return false }
        return maker.act.isBySame(as: caller, within: Self.moment)
    }
}

/// What a program did, and when: to tell whether it does the next thing as well.
struct ProgramAct: Sendable {
    private let thread: UInt32
    private let when: Int64
    /// Steps of one save follow each other at once: within so many seconds.
    static let instant: Int64 = 5

    init(by caller: Caller) { (thread, when) = (caller.thread, Timestamp.now.seconds) }

    func isBySame(as caller: Caller, within seconds: Int64) -> Bool {
        guard Timestamp.now.seconds - when < seconds else { return false }
        if thread == caller.thread { return true }
        // Another thread of the same program.
        guard let threads = try? Descriptor.atPath("/proc/\(caller.thread)/task", [.path, .folder]), let thread = Name("\(thread)") else { return false }
        return (try? threads.exists(thread)) == true
    }
}
