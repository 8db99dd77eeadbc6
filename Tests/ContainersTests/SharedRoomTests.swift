import SeededNumbers
import Testing

@testable import Containers

/// What of earlier versions and deleted items goes, and what of everybody's stays.
@Suite struct SharedRoomTests {
    private typealias Kept = SharedRoom.Kept
    private static let now: Int64 = 1_795_303_653, hour: Int64 = 3600, day: Int64 = 86_400

    /// Deleted so many hours ago.
    private func deleted(_ size: Int64, _ hours: Int64 = 1, by owner: UInt32 = 1) -> Kept {
        Kept(owner: owner, size: size, what: .deleted(Self.now - hours * Self.hour))
    }

    private func version(_ size: Int64, _ hours: Int64 = 1, of owner: UInt32 = 1) -> Kept {
        Kept(owner: owner, size: size, what: .version(Self.now - hours * Self.hour))
    }

    private func gone(_ kept: [Kept], room: Int64?, days: Int? = nil) -> [Int] {
        SharedRoom.superfluous(kept, room: room, days: days, now: Self.now).map(\.index)
    }

    @Test func ofOneSortTheOldestGo() {
        #expect(gone([deleted(10), deleted(10), deleted(10)], room: 30) == [])
        #expect(gone([deleted(10), deleted(10), deleted(10)], room: 25) == [0])
        #expect(gone([version(10, 1), version(10, 3), version(10, 2)], room: 15) == [1, 2])
        #expect(gone([], room: 0) == [])
        #expect(gone([deleted(.max), version(.max)], room: nil) == [])
    }

    /// One large deletion, or one large save, costs nothing else.
    @Test func whatIsLargerThanTheRoomGoesAlone() {
        #expect(gone([deleted(10, 48), version(10), deleted(70, 1)], room: 64) == [2])
        #expect(gone([deleted(10, 48), version(80, 9), version(10)], room: 64) == [1])
        #expect(SharedRoom.superfluous([deleted(70)], room: 64, now: Self.now).map(\.reason) == [.tooLarge])
    }

    /// What was deleted more than a day ago, versions, what was deleted since.
    @Test func theyGoInThisOrder() {
        let kept = [deleted(10, 2), version(10, 99), deleted(10, 30), deleted(10, 40), version(10, 1)]
        #expect(gone(kept, room: 49) == [3])
        #expect(gone(kept, room: 0).count == 5)
        #expect(gone(kept, room: 12) == [3, 2, 1, 4])
        // Whatever there is room for.
        #expect(gone([deleted(10, 24 * 29), deleted(10, 24 * 31)], room: nil, days: 30) == [1])
        #expect(SharedRoom.superfluous([deleted(0, 24 * 31)], room: 64, days: 30, now: Self.now).map(\.reason) == [.tooOld])
        // A clock that was set back makes nothing old.
        #expect(gone([deleted(10, -5), version(10, 1)], room: 12, days: 0) == [1])
    }

    @Test func smallOnesGoLast() {
        #expect(gone([deleted(1, 700), version(1, 700), deleted(40, 1), deleted(40, 2)], room: 64) == [3])
        #expect(gone([deleted(1, 700), version(1, 700), deleted(1, 2)], room: 2) == [0])
    }

    @Test func whoKeepsMuchLosesTheirs() {
        #expect(gone([deleted(5, by: 1), deleted(100, by: 2), version(5, of: 1), deleted(100, by: 2), version(100, of: 2)], room: 120) == [4, 1])
        // A lie about sizes costs nobody else.
        #expect(gone([deleted(5, by: 1), deleted(.max, by: 2), deleted(.max, by: 2)], room: 50) == [1, 2])
        // Both, in turn.
        #expect(gone([deleted(30, by: 1), deleted(30, by: 2), deleted(30, by: 1), deleted(30, by: 2)], room: 60) == [0, 1])
        #expect(gone([deleted(20, 99, by: 1), deleted(44, by: 2), deleted(20, by: 2)], room: 64) == [1])
    }

    @Test func aFullStoreTakesAQuarter() {
        #expect(SharedRoom.quarter(of: [deleted(10), deleted(10), deleted(10), deleted(10)], now: Self.now) == [0, 1])
        #expect(SharedRoom.quarter(of: [deleted(0), deleted(0)], now: Self.now).count == 2)
        #expect(SharedRoom.quarter(of: [], now: Self.now) == [])
    }

    /// Rules that hold whatever is kept, and by whom.
    @Test(arguments: 0..<500) func theRulesHoldInEachWorld(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let room = Int64.random(in: 0...1000, using: &numbers), days = Bool.random(using: &numbers) ? 30 : nil
        let owners = UInt32.random(in: 1...4, using: &numbers), most = [2, 40, 400, 2000].randomElement(using: &numbers) ?? 2
        let kept = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
            let hours = Int64.random(in: -2...1000, using: &numbers), size = Int64.random(in: 0...Int64(most), using: &numbers)
            let owner = UInt32.random(in: 1...owners, using: &numbers)
            return Bool.random(using: &numbers) ? deleted(size, hours, by: owner) : version(size, hours, of: owner)
        }
        let all = SharedRoom.superfluous(kept, room: room, days: days, now: Self.now), gone = Set(all.map(\.index))
        #expect(gone.count == all.count)
        func size(_ indices: some Sequence<Int>) -> Int64 { indices.reduce(0) { $0 + kept[$1].size } }
        let left = kept.indices.filter { !gone.contains($0) }
        #expect(size(left) <= room)
        // For two reasons all go of which they are true, and nothing else.
        for index in kept.indices {
            let isOld = if case .deleted(let when) = kept[index].what, days != nil { Self.now - when > 30 * Self.day } else { false }
            let reason = all.first { $0.index == index }?.reason
            #expect((reason == .tooOld) == isOld)
            #expect((reason == .tooLarge) == (!isOld && kept[index].size > room))
        }
        let forRoom = all.filter { $0.reason == .noRoom }.map(\.index), before = left + forRoom
        #expect(forRoom.isEmpty == (size(before) <= room))
        // No more than there must.
        if let last = forRoom.last { #expect(size(left) + kept[last].size > room) }
        let sharing = Set(before.map { kept[$0].owner })
        for owner in sharing {
            let own = before.filter { kept[$0].owner == owner }, lost = forRoom.filter { kept[$0].owner == owner }
            if size(own) <= room / Int64(sharing.count) { #expect(lost.isEmpty) }
            // Of each one's, what goes comes before what stays.
            for gone in lost { for stays in own where !lost.contains(stays) { #expect(!isAfter(kept[gone], kept[stays], room: room)) } }
        }
    }

    /// Whether one is to go after the other, written down once more.
    private func isAfter(_ one: Kept, _ other: Kept, room: Int64) -> Bool {
        func key(_ kept: Kept) -> [Int64] {
            let small: Int64 = kept.size <= room / 64 ? 1 : 0
            switch kept.what {
            case .deleted(let when): return [small, Self.now - when > Self.day ? 0 : 2, when]
            case .version(let when): return [small, 1, when]
            }
        }
        return key(other).lexicographicallyPrecedes(key(one))
    }
}
