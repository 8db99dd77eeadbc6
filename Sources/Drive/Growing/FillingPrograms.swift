import LinuxFiles

/// The programs that fill packages: which process a request comes from, and whether it has ended.
struct FillingPrograms: Sendable {
    private let page: @Sendable (UInt32) -> [UInt8]?

    init(_ options: DriveOptions) { page = options.threadPage }

    /// nil of a program in another pid namespace, and of one that this process cannot see.
    func process(of caller: Caller) -> Int32? {
        guard caller.thread != 0, let page = page(caller.thread), let process = ThreadFacts.process(page: page), process > 0 else { return nil }
        return process
    }

    /// False also where that cannot be known.
    func haveEnded(_ processes: some Collection<Int32>) -> Bool {
        guard !processes.isEmpty, !processes.contains(0) else { return false }
        return processes.allSatisfy { process in page(UInt32(bitPattern: process)).map(ThreadFacts.hasEnded(page:)) ?? true }
    }
}
