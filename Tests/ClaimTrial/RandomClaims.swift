import Coordination
import Glibc
import LinuxFiles
import SeededNumbers

/// Claims at random, in folders and out of them. What is written under a claim would tell if somebody else was there.
struct RandomClaims {
    struct Violation: Error { let sentence: String }

    static let folders = 4, perFolder = 6
    private let coordinator: FileCoordinator
    /// Of each document: who writes it now, and how often it was written.
    private let counters: OpenFile
    private var numbers: SeededNumbers

    init(_ coordinator: FileCoordinator, counters path: String, seed: UInt64) throws {
        self.coordinator = coordinator
        counters = OpenFile(try Descriptor.atPath(path, .readWrite))
        numbers = SeededNumbers(seed: seed)
    }

    private mutating func random(_ limit: Int) -> Int { Int(numbers.next() % UInt64(limit)) }

    mutating func run(_ count: Int) throws {
        var done = 0
        for _ in 0..<count {
            let one = random(Self.folders * Self.perFolder), other = random(Self.folders * Self.perFolder), folder = random(Self.folders)
            let all = folder * Self.perFolder..<(folder + 1) * Self.perFolder
            do {
                switch random(20) {
                case 0..<8: try coordinator.coordinate(reading: Self.name(one)) { _ in try look(at: [one]) }
                case 8..<13: try coordinator.coordinate(writing: Self.name(one)) { _ in try change([one]) }
                case 13..<15: try coordinator.coordinate(reading: Self.name(one), writing: Self.name(other)) { _, _ in try change([other]) }
                case 15..<17: try coordinator.coordinate(writing: Self.name(one), writing: Self.name(other)) { _, _ in try change(one == other ? [one] : [one, other]) }
                case 17: try coordinator.coordinate(reading: "Folder \(folder)", for: .readingAll) { _ in try look(at: Array(all)) }
                case 18: try coordinator.coordinate(writing: "Folder \(folder)", for: .moving) { _ in try change(Array(all)) }
                default: try coordinator.coordinate(writing: Self.name(one), timeout: .milliseconds(1)) { _ in try change([one]) }
                }
                done += 1
            } catch let failure as Failure where failure.errno == .timedOut {}
        }
        print("\(done) claims")
    }

    /// A package's part is the package: both names are one item.
    static func name(_ number: Int) -> String {
        "Folder \(number / perFolder)/Photo \(number).ptk" + (number.isMultiple(of: 2) ? "/photo.data" : "")
    }

    private func read(_ number: Int) throws -> (writer: Int32, count: Int32) {
        let bytes = try counters.descriptor.read(at: Int64(number * 8), count: 8)
        guard bytes.count == 8 else { throw Violation(sentence: "the counters are too short") }
        func value(_ start: Int) -> Int32 { (0..<4).reduce(0) { $0 | Int32(bytes[start + $1]) << (8 * $1) } }
        return (value(0), value(4))
    }

    private func write(_ number: Int, _ writer: Int32, _ count: Int32) throws {
        let bytes = [writer, count].flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        try counters.descriptor.write(bytes, at: Int64(number * 8))
    }

    /// Another one that writes now, and lives: one that was killed in its claim has given it up.
    private func check(_ number: Int, _ found: (writer: Int32, count: Int32)) throws {
        if found.writer != 0, kill(found.writer, 0) == 0 { throw Violation(sentence: "process \(found.writer) writes document \(number), too") }
    }

    private func look(at numbers: [Int]) throws {
        let before = try numbers.map { try read($0) }
        for (number, found) in zip(numbers, before) { try check(number, found) }
        sched_yield()
        for (number, found) in zip(numbers, before) {
            guard try read(number).count == found.count else { throw Violation(sentence: "document \(number) was written while it was read") }
        }
    }

    private func change(_ numbers: [Int]) throws {
        for number in numbers {
            let found = try read(number)
            try check(number, found)
            try write(number, getpid(), found.count)
        }
        sched_yield()
        for number in numbers {
            let found = try read(number)
            guard found.writer == getpid() else { throw Violation(sentence: "process \(found.writer) came to document \(number), too") }
            try write(number, 0, found.count &+ 1)
        }
    }
}
