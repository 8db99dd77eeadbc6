import Foundation
import LinuxFiles
import MountTesting
import Testing

#if DEBUG
/// The checks of locks and lanes are checked: what takes them in a wrong order is ended, and told why. Tests/WrongOrderTrial takes them.
@Suite struct WrongOrderTests {
    /// What the process says that ends.
    private static let sentences = [
        "table before table": "“openHandles” is taken while “tree” is held: see LockRank",
        "table before table that may be had": "“openHandles” is taken while “tree” is held: see LockRank",
        "table before turn": "“journalRecords” is taken while “openHandles” is held: see LockRank",
        "turn before turn": "“journalRecords” is taken while “systemLog” is held: see LockRank",
        "leaf in leaf": "“leaf” is taken while “leaf” is held: see LockRank",
        "lock in itself": "“tree” is taken while “tree” is held: see LockRank",
        "file with table": "“atPath(_:_:)” while “tree” is held",
        "file with leaf": "“atPath(_:_:)” while “leaf” is held",
        "file with turn and table": "“atPath(_:_:)” while “journalRecords”, “openHandles” is held",
        "lane with table": "“a lane” while “openHandles” is held",
        "reader's lane with table": "“a lane” while “openHandles” is held",
        "waiting with table": "“waitForOthers” while “openHandles” is held",
        "lane in itself": "a lane is entered from inside itself",
        "reader's lane in itself": "a lane is entered from inside itself",
        "lane in its reader's": "a lane is entered from inside itself",
        "writing outside": "“saved” outside of the lane that it needs",
        "writing as reader": "“saved” outside of the lane that it needs",
        "writing in another's": "“saved” outside of the lane that it needs",
        "writing in another coordinator's": "“saved” outside of the lane that it needs",
        "reading outside": "“looked” outside of the lane that it needs",
        "waiting in lane": "“drain()” waits inside a lane",
        "waiting in reader's lane": "“waitForOthers” waits inside a lane",
    ]

    /// What Swift has to say of where it ended is of no use.
    private func trial(_ words: String...) throws -> Ended {
        try Program([Places.built + "/WrongOrderTrial"] + words, environment: ["SWIFT_BACKTRACE": "enable=no"]).wait()
    }

    @Test func eachCaseHasItsSentence() throws {
        #expect(try Set(trial().good().lines) == Set(Self.sentences.keys).union(["right"]))
    }

    @Test func theRightOrderGoesOn() throws { #expect(try trial("right").good().output == "went on\n") }

    @Test(arguments: sentences.keys.sorted())
    func aWrongOrderEndsTheProcess(name: String) throws {
        let ended = try trial(name), sentence = try #require(Self.sentences[name])
        #expect(ended.code > 128 && ended.output == "", "\(ended)")
        #expect(ended.errors.contains(": \(sentence)\n") || ended.errors.hasSuffix(": \(sentence)"), "\(ended.errors)")
    }

    /// A lock is taken while one of a lower rank is held, and never the other way round: of all ranks, the tables come last.
    @Test func ranksAreTurnsAndThenTables() {
        let kinds = LockRank.allCases.map(\.isTurn)
        #expect(kinds == kinds.filter { $0 } + kinds.filter { !$0 })
        #expect(LockRank.allCases.map(\.rawValue) == LockRank.allCases.map(\.rawValue).sorted())
        #expect(LockRank.allCases.last == .leaf)
    }
}
#endif
