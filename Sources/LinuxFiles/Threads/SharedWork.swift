import Dispatch

/// Does the same for many things: by several threads, some ahead of who takes the answers in order. So a disk is asked for several files at
/// once, and what was read before is written down meanwhile. Who waits for answers works along: without any helper it is only slower.
public final class SharedWork<Question: Sendable, Answer: Sendable> {
    private let line: Line
    private var isStarted = false

    private let helpers: Int
    /// Fewer are no work for several.
    private static var least: Int { 256 }

    public init(helpers: Int, _ answer: @escaping @Sendable (Question) -> Answer) {
        self.helpers = helpers
        line = Line(answer)
    }

    deinit {
        line.state.withLock { $0.isEnding = true }
        for _ in 0..<helpers { line.bell.signal() }
    }

    /// The helpers go on with these; those of the time before are done, or whoever waits for them does the rest.
    public func begin(_ questions: [Question]) -> Share {
        let share = Share(questions, line.answer)
        guard questions.count >= Self.least else { return share }
        if !isStarted {
            for _ in 0..<helpers { BackgroundThread.start { [line] in line.run() } }
            isStarted = true
        }
        line.state.withLock { $0.share = share }
        for _ in 0..<helpers { line.bell.signal() }
        return share
    }

    /// What this object and the helpers share.
    private final class Line: Sendable {
        let state = Locked<(share: Share?, isEnding: Bool)>((nil, false))
        let bell = DispatchSemaphore(value: 0)
        let answer: @Sendable (Question) -> Answer

        init(_ answer: @escaping @Sendable (Question) -> Answer) { self.answer = answer }

        func run() {
            while true {
                bell.wait()
                guard let share = state.withLock({ $0.isEnding ? nil : $0.share }) else { return }
                while let piece = share.nextPiece() { share.done(piece) }
            }
        }
    }

    /// Questions, and their answers piece by piece.
    public final class Share: Sendable {
        private let questions: [Question]
        private let answer: @Sendable (Question) -> Answer
        private let state: Locked<(next: Int, done: [Int: [Answer]])>
        private let pieceDone = DispatchSemaphore(value: 0)

        private static var piece: Int { 32 }

        fileprivate init(_ questions: [Question], _ answer: @escaping @Sendable (Question) -> Answer) {
            (self.questions, self.answer) = (questions, answer)
            state = Locked((0, [:]))
        }

        fileprivate func nextPiece() -> Int? {
            state.withLock { state in
                guard state.next < questions.count else { return nil }
                defer { state.next += Self.piece }
                return state.next
            }
        }

        fileprivate func done(_ piece: Int) {
            let answers = questions[piece..<min(piece + Self.piece, questions.count)].map(answer)
            state.withLock { $0.done[piece] = answers }
            pieceDone.signal()
        }

        /// All of them, in the order of the questions.
        public func answers() -> [(question: Question, answer: Answer)] {
            while let piece = nextPiece() { done(piece) }
            for _ in stride(from: 0, to: questions.count, by: Self.piece) { pieceDone.wait() }
            let done = state.withLock { $0.done }
            return Array(zip(questions, stride(from: 0, to: questions.count, by: Self.piece).flatMap { done[$0] ?? [] }))
        }
    }
}
