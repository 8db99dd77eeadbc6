import Dispatch
import LinuxFiles

/// The attributes of the container's top. Whoever asks the drive how it is passes there, and the kernel wants to know who may: a
/// store that does not answer is not to keep them out, so what it said last is the answer then.
final class TopStatus: Sendable {
    private let top: OpenFile
    /// Only a store on another machine, or in another process, keeps the kernel waiting for what it knows already.
    private let mayNotAnswer: Bool
    private let state: Locked<State>

    private struct State {
        var last: FileStatus?
        /// Questions that have not been answered in time.
        var late = 0
    }

    private struct Question {
        var answer: Result<FileStatus, Errno>?
        var isLate = false
    }

    private final class Asked: Sendable {
        let question = Locked(Question(), .lateQuestion)
        let bell = DispatchSemaphore(value: 0)
    }

    private static let patience = DispatchTimeInterval.milliseconds(500)

    init(_ top: OpenFile, mayNotAnswer: Bool) {
        self.top = top
        self.mayNotAnswer = mayNotAnswer
        state = Locked(State(last: mayNotAnswer ? try? top.descriptor.status() : nil), .topStatus)
    }

    func status() throws(Errno) -> FileStatus {
        guard mayNotAnswer else { return try top.descriptor.status() }
        // A thread more for each who asks would be one more that waits.
        if let last = state.withLock({ $0.late > 0 ? $0.last : nil }) { return last }
        let asked = Asked()
        DispatchQueue.global(qos: .userInitiated).async { [self] in ask(asked) }
        _ = asked.bell.wait(timeout: .now() + Self.patience)
        let answer = asked.question.withLock { question in
            question.isLate = question.answer == nil
            if question.isLate { state.withLock { $0.late += 1 } }
            return question.answer
        }
        if let answer { return try answer.get() }
        guard let last = state.withLock({ $0.last }) else { throw .timedOut }
        return last
    }

    /// Whether the store can be asked for something without waiting for it.
    var answers: Bool {
        guard mayNotAnswer else { return true }
        _ = try? status()
        return state.withLock { $0.late == 0 }
    }

    private func ask(_ asked: Asked) {
        let answer: Result<FileStatus, Errno>
        do throws(Errno) { answer = .success(try top.descriptor.status()) } catch { answer = .failure(error) }
        asked.question.withLock { question in
            question.answer = answer
            state.withLock { state in
                if question.isLate { state.late -= 1 }
                if case .success(let status) = answer { state.last = status }
            }
        }
        asked.bell.signal()
    }
}
