import Coordination
import Foundation
import MountTesting
import SeededNumbers
import Synchronization
import Testing

@Suite(.waiting, .timeLimit(.minutes(40))) struct DocumentCoordinatorTests {
    let coordinator = DocumentCoordinator(label: "test")
    let item = LaneID(rawValue: 1)

    @Test func readersRunSideBySide() {
        let inside = Atomic(0)
        let allInside = Signal()
        let met = Atomic(0)
        onThreads(8) { [coordinator, item] _ in
            coordinator.read(item) {
                if inside.add(1, ordering: .relaxed).newValue == 8 { allInside.give() }
                if allInside.wait() { met.add(1, ordering: .relaxed) }
            }
        }
        #expect(met.load(ordering: .relaxed) == 8)
    }

    @Test func writersOfOneItemRunAlone() {
        let guarded = Guarded()
        onThreads(8) { [coordinator, item] number in
            for step in 0..<300 {
                if (number + step).isMultiple(of: 3) { coordinator.read(item) { guarded.look() } } else { coordinator.write(item) { guarded.change() } }
            }
        }
        #expect(guarded.faults == 0)
        #expect(guarded.changes == 8 * 200)
    }

    @Test func itemsDoNotWaitForEachOther() {
        let both = [Signal(), Signal()]
        let met = Atomic(0)
        onThreads(2) { [coordinator] number in
            coordinator.write(LaneID(rawValue: UInt64(number))) {
                both[number].give()
                if both[1 - number].wait() { met.add(1, ordering: .relaxed) }
            }
        }
        #expect(met.load(ordering: .relaxed) == 2)
    }

    @Test func claimsComeInTheirOrder() {
        let record = Record<Int>()
        let isReading = Signal(), mayEnd = Signal()
        onThreads(2) { [coordinator, item] number in
            if number == 0 {
                coordinator.read(item) {
                    isReading.give()
                    _ = mayEnd.wait()
                    record.add(0)
                }
                return
            }
            _ = isReading.wait()
            for errand in 1...5 { coordinator.later(item) { record.add(errand) } }
            mayEnd.give()
            coordinator.read(item) { record.add(6) }
            coordinator.write(item) { record.add(7) }
            coordinator.later(item) { record.add(8) }
            coordinator.read(item) { record.add(9) }
        }
        #expect(record.events == Array(0...9))
    }

    @Test func errandsRunOneAfterTheOther() {
        let record = Record<Int>()
        let guarded = Guarded()
        for number in 0..<1_000 {
            coordinator.later(item) {
                guarded.change()
                record.add(number)
            }
        }
        coordinator.drain()
        #expect(record.events == Array(0..<1_000))
        #expect(guarded.faults == 0)
    }

    @Test func drainingWaitsForWhatErrandsOrder() {
        let ended = Atomic(0)
        @Sendable func errand(_ depth: UInt64) {
            ended.add(1, ordering: .relaxed)
            if depth > 0 { for _ in 0..<2 { coordinator.later(LaneID(rawValue: depth % 3)) { errand(depth - 1) } } }
        }
        coordinator.later(item) { errand(7) }
        coordinator.drain()
        #expect(ended.load(ordering: .relaxed) == 255)
        #expect(coordinator.inUse == 0)
    }

    @Test func lanesVanishWhenNobodyIsInThem() {
        #expect(coordinator.inUse == 0)
        coordinator.write(item, LaneID(rawValue: 2)) { #expect(coordinator.inUse == 2) }
        coordinator.write(item, item) { #expect(coordinator.inUse == 1) }
        coordinator.read(item) { #expect(coordinator.inUse == 1) }
        onThreads(4) { [coordinator] number in
            for step in 0..<200 { coordinator.read(LaneID(rawValue: UInt64(number * 1_000 + step))) {} }
        }
        #expect(coordinator.inUse == 0)
    }

    @Test func aClaimThatFailsIsLeft() {
        struct Problem: Error, Equatable { let number: Int }
        #expect(throws: Problem(number: 1)) { try coordinator.read(item) { throw Problem(number: 1) } }
        #expect(throws: Problem(number: 2)) { try coordinator.write(item) { throw Problem(number: 2) } }
        #expect(throws: Problem(number: 3)) { try coordinator.write(item, LaneID(rawValue: 0)) { throw Problem(number: 3) } }
        #expect(coordinator.inUse == 0)
        #expect(coordinator.write(item) { 7 } == 7)
    }

    @Test func tenThousandClaimsOnTwoItemsNeverWaitForEachOther() {
        let items = (0..<5).map { _ in Guarded() }
        onThreads(8) { [coordinator] number in
            var random = SeededNumbers(seed: UInt64(number))
            for _ in 0..<1_250 {
                let (first, second) = (Int(random.next() % 5), Int(random.next() % 5))
                coordinator.write(LaneID(rawValue: UInt64(first)), LaneID(rawValue: UInt64(second))) {
                    items[first].change()
                    if second != first { items[second].change() }
                }
            }
        }
        coordinator.drain()
        #expect(items.allSatisfy { $0.faults == 0 })
        #expect(items.reduce(0) { $0 + $1.changes } > 10_000)
        #expect(coordinator.inUse == 0)
    }
}

/// Something that only stays whole when its item is claimed: its count is not changed atomically,
/// so that the thread sanitizer sees whoever comes in unclaimed.
final class Guarded: @unchecked Sendable {
    private let inside = Atomic(0)
    private let faultCount = Atomic(0)
    private var count = 0

    var faults: Int { faultCount.load(ordering: .relaxed) }
    var changes: Int { count }

    func look() {
        if inside.load(ordering: .relaxed) != 0 { faultCount.add(1, ordering: .relaxed) }
        if count < 0 { faultCount.add(1, ordering: .relaxed) }
    }

    func change() {
        if inside.add(1, ordering: .relaxed).newValue != 1 { faultCount.add(1, ordering: .relaxed) }
        count += 1
        inside.subtract(1, ordering: .relaxed)
    }
}
