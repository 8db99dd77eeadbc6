import CLinux
import Glibc

/// A process that stays as this one was when it gave up its rights, and does for it a few things that were settled before.
///
/// What it can be asked for is all that somebody can have done who takes this process over. It has no open file of this process
/// but its channel, and ends with it: after what was asked last.
public final class HelperProcess: Sendable {
    /// What a request may be long, and an answer.
    public static let longestRequest = 96 << 10, longestAnswer = 128 << 10

    private let channel: Channel
    private let process: Int32
    /// One request at a time.
    private let turn = Locked((), .helperQuestion)

    /// To be called while this process has one thread. `task` answers the requests, one after another, in the helper; an answer may hand
    /// over an open file. What it answers with nil was only told. `ended` is called there when nobody can ask any more.
    public init(_ task: ([UInt8], OpenFile?) -> (bytes: [UInt8], file: OpenFile?)?, ended: () -> Void = {}) throws(Errno) {
        let (ours, theirs) = try Channel.pair()
        let raw = theirs.rawValue
        let number = try retrying { CLinux_start_helper(raw) }
        guard number == 0 else {
            channel = ours
            process = number
            return
        }
        let end = Channel(adopting: Descriptor(adopting: CLinux_helper_channel))
        while true {
            let message: Channel.Message
            do throws(Errno) {
                guard let next = try end.receive(limit: Self.longestRequest) else { break }
                message = next
            } catch {
                // Who asks does not send that. It waits for no answer to it.
                guard error.rawValue == EMSGSIZE else { break }
                continue
            }
            guard let answer = task(message.bytes, message.file) else { continue }
            // Who asked may be gone, and others may have been asked for before that.
            _ = try? end.send(answer.bytes, passing: answer.file)
        }
        ended()
        _exit(0)
    }

    /// Waits for its answer, and takes a file that comes with it where one is to come.
    public func ask(_ request: [UInt8], passing file: OpenFile? = nil, takingFile: Bool = false) throws(Errno) -> Channel.Message {
        guard request.count <= Self.longestRequest else { throw Errno(rawValue: EMSGSIZE) }
        return try turn.withLock { (_) throws(Errno) in
            try channel.send(request, passing: file)
            guard let answer = try channel.receive(limit: Self.longestAnswer, takingFile: takingFile) else { throw .noSuchDevice }
            return answer
        }
    }

    /// Tells it something, and waits for nobody. False where it is too long, or too much waits already.
    public func tell(_ news: [UInt8]) -> Bool {
        guard news.count <= Self.longestRequest else { return false }
        return (try? channel.sendWithoutWaiting(news)) != nil
    }

    /// Has it end, and waits for that, but not for long: one that waits for the kernel ends when it can.
    public func end() {
        channel.shutDown()
        for _ in 0..<100 where waitpid(process, nil, WNOHANG) == 0 { usleep(10_000) }
    }

    /// Waits for nobody: for a process that is about to end.
    public func askLast(_ request: [UInt8]) { _ = try? channel.send(request) }
}
