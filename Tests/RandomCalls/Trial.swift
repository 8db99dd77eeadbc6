import Glibc

/// The two sides, the model between them, and what was done.
struct Trial {
    private let model = Model()
    private let sides: [Side]
    private let seed: UInt64
    private var draw: Draw
    private var history: [String] = []

    init(drive: String, folder: String, seed: UInt64) {
        umask(0)
        sides = [Side(name: "drive", root: drive), Side(name: "folder", root: folder)]
        for side in sides { chmod(side.root, 0o755) }
        self.seed = seed
        draw = Draw(seed: seed, model: model)
    }

    /// False when something differs, which was printed then.
    mutating func run(steps: Int) -> Bool {
        for number in 0..<steps {
            let step = draw.step()
            history.append("\(number): \(step.text)")
            if history.count > 60 { history.removeFirst() }
            var wrong = take(step)
            if wrong.isEmpty, number % 500 == 499 || number == steps - 1 { wrong = differences(everything: true) }
            guard wrong.isEmpty else {
                print((["seed \(seed):"] + history.map { "  " + $0 } + wrong).joined(separator: "\n"))
                return false
            }
        }
        print("seed \(seed): \(steps) steps, the same")
        return true
    }

    private mutating func take(_ step: Step) -> [String] {
        model.touched = []
        model.now = Clock.now
        let answers = sides.map(step.run)
        var wrong: [String] = []
        if step.isUndecided {
            if answers[0] != answers[1] { wrong.append("the drive answered \(answers[0]), the folder \(answers[1])") }
        } else {
            let right = Outcome.of { () throws(Refused) in try step.expect(model) }
            history[history.count - 1] += " → \(right)"
            for (side, answer) in zip(sides, answers) where answer != right { wrong.append("the \(side.name) answered \(answer), not \(right)") }
        }
        return wrong + differences(everything: false)
    }

    private func differences(everything: Bool) -> [String] {
        sides.flatMap { side in
            var comparison = Comparison(model, side)
            if everything { comparison.compareAll() } else { comparison.compareTouched() }
            return comparison.wrong
        }
    }
}
