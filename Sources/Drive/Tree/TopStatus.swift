import Dispatch
import LinuxFiles

/// The attributes of the container's top. Whoever asks the drive how it is passes there, and the kernel wants to know who may: a
/// store that does not answer is not to keep them out, so what it said last is the answer then.
final class TopStatus: Sendable {
    private let top: OpenFile
    /// Only a store on another machine, or in another process, keeps the kernel waiting for what it knows already.
    private let mayNotAnswer: Bool
    private let state: Locked<State>

    /// What is known of the top, and of the questions to the store, each by a number.
    private struct State {
        var last: FileStatus?
        var asked: UInt64 = 0
        /// Those that were answered, until whoever asked takes the answer.
        var answers: [UInt64: Result<FileStatus, Errno>] = [:]
        /// Those that have not been answered in time.
        var late: Set<UInt64> = []

        mutating func ask() -> UInt64 {
            asked += 1
            return asked
        }

        /// nil where there is none yet: then nobody waits for it any more.
        mutating func takeAnswer(_ number: UInt64) -> Result<FileStatus, Errno>? {
            if let answer = answers.removeValue(forKey: number) { return answer }
            late.insert(number)
            return nil
        }

        mutating func note(_ answer: Result<FileStatus, Errno>, _ number: UInt64) {
            if case .success(let status) = answer { last = status }
            if late.remove(number) == nil { answers[number] = answer }
        }
    }

    private static let patience = DispatchTimeInterval.milliseconds(500)

    init(_ top: OpenFile, mayNotAnswer: Bool) {
        self.top = top
        self.mayNotAnswer = mayNotAnswer
        state = Locked(State(last: mayNotAnswer ? try? top.descriptor.status() : nil))
    }

    func status() throws(Errno) -> FileStatus {
        guard mayNotAnswer else { return try top.descriptor.status() }
        // A thread more for each who asks would be one more that waits.
        if let last = state.withLock({ $0.late.isEmpty ? nil : $0.last }) { return last }
        let number = state.withLock { $0.ask() }, bell = DispatchSemaphore(value: 0)
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            ask(number)
            bell.signal()
        }
        _ = bell.wait(timeout: .now() + Self.patience)
        if let answer = state.withLock({ $0.takeAnswer(number) }) { return try answer.get() }
        guard let last = state.withLock({ $0.last }) else { throw .timedOut }
        return last
    }

    /// Whether the store can be asked for something without waiting for it.
    var answers: Bool {
        guard mayNotAnswer else { return true }
        _ = try? status()
        return state.withLock { $0.late.isEmpty }
    }

    private func ask(_ number: UInt64) {
        let answer: Result<FileStatus, Errno>
        do throws(Errno) { answer = .success(try top.descriptor.status()) } catch { answer = .failure(error) }
        state.withLock { $0.note(answer, number) }
    }
}
