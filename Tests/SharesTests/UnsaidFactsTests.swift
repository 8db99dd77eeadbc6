import Foundation
import Replication
import SeededNumbers
import Testing

@testable import Shares

/// What no file says, found by what changed, is what is found by looking through everything.
@Suite struct UnsaidFactsTests {
    @Test(arguments: UInt64(0)..<3)
    func whatIsFollowedIsTheWhole(seed: UInt64) throws {
        let meeting = try Meeting(3)
        var numbers = SeededNumbers(seed: seed), followed = meeting.computers.map { _ in UnsaidFacts() }, items: [ItemID] = []
        for _ in 0..<60 {
            let computer = meeting.computers[Int.random(in: 0..<3, using: &numbers)]
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0..<4: items.append(try computer.save(Bool.random(using: &numbers) ? items.last : nil, size: 10))
            case 4..<9: try computer.meet()
            case 9:
                guard let lost = try meeting.factFiles().randomElement(using: &numbers) else { continue }
                try FileManager.default.removeItem(atPath: "\(meeting.folder.path)/\(lost)")
                meeting.clock.seconds += 4000
            case 10: try computer.restart()
            default: computer.share.forget(meeting.computers[0].share.memory.device)
            }
            for (index, computer) in meeting.computers.enumerated() {
                let whole = computer.facts.all.filter { !computer.share.memory.said.contains($0.id) }.sorted { $0.id < $1.id }
                #expect(followed[index].find(in: computer.facts, computer.share.memory) == whole)
            }
        }
    }
}
