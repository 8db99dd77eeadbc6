import Dispatch
import LinuxFiles

/// The attributes of the container's top. Whoever asks the drive how it is passes there, and the kernel wants to know who may: a
/// store that does not answer is not to keep them out, so what it said last is the answer then.
final class TopStatus: Sendable {
    private let top: OpenFile
    /// Only a store on another machine, or in another process, keeps the kernel waiting for what it knows already.
    private let mayNotAnswer: Bool
    private let state: Locked<State>

    /// What is known of the top, and the questions that the store has not answered yet, each by a number.
    private struct State {
        var last: FileStatus?
        var asked: UInt64 = 0
        /// Whether nobody waits for the answer any more.
        var isLate: [UInt64: Bool] = [:]

        var isSilent: Bool { isLate.values.contains(true) }

        mutating func ask() -> UInt64 {
            asked += 1
            isLate[asked] = false
            return asked
        }
    }

    private static let patience = 500

    init(_ top: OpenFile, mayNotAnswer: Bool) {
        self.top = top
        self.mayNotAnswer = mayNotAnswer
        state = Locked(State(last: mayNotAnswer ? try? top.descriptor.status() : nil))
    }

    func status() throws(Errno) -> FileStatus {
        guard mayNotAnswer else { return try top.descriptor.status() }
        if let answer = answer({ [self] in asked() }) { return try answer.get() }
        guard let last = state.withLock({ $0.last }) else { throw .timedOut }
        return last
    }

    private func asked() -> Result<FileStatus, Errno> {
        do throws(Errno) {
            let status = try top.descriptor.status()
            state.withLock { $0.last = status }
            return .success(status)
        } catch { return .failure(error) }
    }

    /// What comes of asking the store for anything; nil where it does not answer in time, or an earlier question is not answered yet.
    func answer<Answer: Sendable>(_ question: @escaping @Sendable () -> Answer) -> Answer? {
        guard mayNotAnswer else { return question() }
        // A thread more for each who asks would be one more that waits.
        guard let number = state.withLock({ $0.isSilent ? nil : $0.ask() }) else { return nil }
        let answer = AwaitedAnswer<Answer>()
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            answer.give(question())
            state.withLock { $0.isLate[number] = nil }
        }
        if let answer = answer.wait(milliseconds: Self.patience) { return answer }
        state.withLock { state in
            if state.isLate[number] != nil { state.isLate[number] = true }
        }
        return nil
    }
}
