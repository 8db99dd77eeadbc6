import Foundation
import LinuxFiles

/// A process of the trial program, and one or more containers after each other.
final class TrialRun {
    enum Deed: Int32 { case none, exitBefore, exitAfter, exitWithin, fail }

    struct Outcome {
        /// 0: done.
        var errno: Int32
        var leaked: Int
        /// The number of the call with which the content was in the draft.
        var written: Int
        var calls: [String]
    }

    private let socket: OpenFile
    private var unread: [UInt8] = []
    private var code: Int32?

    static func arguments(_ operation: String, _ kind: CrashKind, _ container: URL, _ content: URL, _ deed: Deed, _ point: Int, _ number: Int32) -> [String] {
        [TrialServer.program, container.path, operation, kind.name, content.path, "\(deed.rawValue)", "\(point)", "\(number)", "\(kind.refusing.rawValue)"]
    }

    init(_ operation: String, _ kind: CrashKind, _ container: URL, content: URL, _ deed: Deed = .none, at point: Int = 0, errno number: Int32 = 0) throws {
        let words = Self.arguments(operation, kind, container, content, deed, point, number)
        socket = try TrialServer.shared.get().begin(words)
    }

    deinit { end() }

    /// What it says next; nil when it ended without a word.
    func outcome() -> Outcome? {
        var words = line()
        guard words.count >= 3 else { return nil }
        let error: Int32 = words.removeFirst() == "done" ? 0 : Int32(words.removeFirst()) ?? -1
        guard words.count == 3 else { return Outcome(errno: error, leaked: 0, written: 0, calls: []) }
        return Outcome(errno: error, leaked: Int(words[0]) ?? 0, written: Int(words[1]) ?? 0, calls: words[2].split(separator: ",").map(String.init))
    }

    /// The words of the next line that is not the last one: none when there is no other.
    private func line() -> [String] {
        guard code == nil else { return [] }
        while !unread.contains(0x0A) {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(socket.descriptor.rawValue, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return [] }
            unread += buffer[..<count]
        }
        let line = unread.prefix { $0 != 0x0A }
        unread.removeFirst(line.count + 1)
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        guard words[0] == "ended" else { return words }
        code = Int32(words[1])
        return []
    }

    func again() { say("again") }

    /// Lets go of the container, and says what is left open.
    func close() -> Outcome? {
        say("close")
        return outcome()
    }

    /// A run in which one call fails: the earlier one goes on with this container, if there is one.
    static func failing(
        _ operation: String, _ kind: CrashKind, _ container: URL, content: URL, at point: Int, errno number: Int32, after earlier: TrialRun?
    ) throws -> TrialRun {
        guard let earlier else { return try TrialRun(operation, kind, container, content: content, .fail, at: point, errno: number) }
        earlier.next(container, failingAt: point, errno: number)
        return earlier
    }

    /// The same with another container.
    private func next(_ container: URL, failingAt point: Int, errno number: Int32) { say("\(point) \(number) \(container.path)") }

    private func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = send(socket.descriptor.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Its exit code, or 128 and the signal, when it has ended.
    @discardableResult func end() -> Int32? {
        shutdown(socket.descriptor.rawValue, Int32(SHUT_WR))
        while !line().isEmpty {}
        return code
    }
}
