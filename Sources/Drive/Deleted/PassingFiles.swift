import LinuxFiles

/// Plain files that programs make for a moment and take away again: while they save, and as locks. They are not kept when they go.
final class PassingFiles: Sendable {
    private struct Maker {
        let thread: UInt32
        let when: Int64
    }

    /// By the number that a file has in the container.
    private let makers = Locked<[UInt64: Maker]>([:])
    /// Beyond so many, all is forgotten: then a few are kept for nothing.
    private static let most = 4096
    /// Nothing that is for a moment takes longer, in seconds.
    private static let moment: Int64 = 60

    func note(_ number: UInt64, madeBy caller: Caller) {
        let maker = Maker(thread: caller.process, when: Timestamp.now.seconds)
        makers.withLock { makers in
            if makers.count >= Self.most { makers = [:] }
            makers[number] = maker
        }
    }

    /// Whether a file that goes was for a moment: by its name, or because the program that made it takes it away.
    func isPassing(_ number: UInt64, called name: Name, by caller: Caller) -> Bool {
        if Self.isPassing(name) { return true }
        guard let maker = makers.withLock({ $0[number] }), Timestamp.now.seconds - maker.when < Self.moment else { return false }
        if maker.thread == caller.process { return true }
        // Another thread of the same program.
        guard let threads = try? Descriptor.atPath("/proc/\(caller.process)/task", [.path, .folder]), let thread = Name("\(maker.thread)") else { return false }
        return (try? threads.exists(thread)) == true
    }

    /// What editors call their backups, locks and new files.
    static func isPassing(_ name: Name) -> Bool {
        let text = String(decoding: name.bytes, as: UTF8.self)
        if text.hasSuffix("~") || text.hasPrefix("~$") || text.hasPrefix(".#") || text.hasPrefix(".~") || text == "4913" { return true }
        if text.hasPrefix("#"), text.hasSuffix("#") { return true }
        if [".tmp", ".part", ".crdownload", ".lock"].contains(where: text.hasSuffix) { return true }
        if [".goutputstream-", ".fuse_hidden", ".nfs"].contains(where: text.hasPrefix) { return true }
        // Those of vim: ".Notes.txt.swp", ".Notes.txt.swx".
        if text.hasPrefix("."), let end = text.split(separator: ".").last, end.count == 3, end.hasPrefix("sw") { return true }
        return false
    }
}
