@testable import Drive
import LinuxFiles
import Testing

/// What the kernel tells of moves, and what is to be followed then.
@Suite struct OutsideMovesTests {
    /// Each folder has a number of its own, which is that of its path.
    private func followed(_ moves: [(old: String, new: String, isFolder: Bool)]) -> [String] {
        var folders: [String: NodeNumber] = [:], pending = OutsideMoves()
        func place(_ path: String) -> OutsideMoves.Place {
            let names = path.split(separator: "/").compactMap { Name(String($0)) }, above = names.dropLast().map { "\($0)" }.joined(separator: "/")
            if folders[above] == nil { folders[above] = NodeNumber(UInt32(folders.count + 1)) }
            return OutsideMoves.Place(folder: folders[above] ?? NodeNumber.root, path: names)
        }
        for (index, move) in moves.enumerated() {
            pending.leave(UInt32(index + 1), place(move.old))
            pending.arrive(UInt32(index + 1), place(move.new), isFolder: move.isFolder)
        }
        let taken = pending.take()
        #expect(pending.take() == [])
        return taken.map { move in [move.from, move.to].map { place in place.path.map { "\($0)" }.joined(separator: "/") }.joined(separator: " ") }
    }

    @Test func bothEndsAreOneMove() {
        #expect(followed([("Notes", "Trip/Notes", false)]) == ["Notes Trip/Notes"])
        // What is renamed in its folder is seen there.
        #expect(followed([("Notes", "Plan", false)]) == [])
        #expect(followed([("Trip", "Journey", true)]) == ["Trip Journey"])
    }

    @Test func whatGoesOnIsOneMove() {
        #expect(followed([("Notes", "Trip/Notes", false), ("Trip/Notes", "Other/Plan", false)]) == ["Notes Other/Plan"])
    }

    /// The folder first: what came into it comes to where it is then.
    @Test func aFolderGoesBeforeWhatCameIntoIt() {
        #expect(followed([("Notes", "Trip/Rome/Notes", false), ("Trip/Rome", "Rome", true)]) == ["Trip/Rome Rome", "Notes Rome/Notes"])
        #expect(followed([("Trip/Plan", "Other/Plan", false), ("Notes", "Trip/Notes", false), ("Trip", "Other/Trip", true)]) == ["Trip/Plan Other/Plan", "Trip Other/Trip", "Notes Other/Trip/Notes"])
    }

    /// The tree calls a folder still what it was called before.
    @Test func whatComesIntoAMovedFolderComesToItsNewPlace() {
        #expect(followed([("Trip", "Other/Trip", true), ("Notes", "Trip/Notes", false)]) == ["Trip Other/Trip", "Notes Other/Trip/Notes"])
    }

    /// Nor does it know, for a moment after the folder's move was taken, where that is; and then it does.
    @Test func whatComesIntoAFolderWhoseMoveWasTakenComesToItsPlace() {
        var pending = OutsideMoves()
        let trip = NodeNumber(5), other = NodeNumber(6), top = NodeNumber.root
        func place(_ folder: NodeNumber, _ path: String) -> OutsideMoves.Place { OutsideMoves.Place(folder: folder, path: path.split(separator: "/").compactMap { Name(String($0)) }) }
        pending.leave(1, place(top, "Trip"), node: trip)
        pending.arrive(1, place(other, "Other/Trip"), isFolder: true)
        #expect(pending.take().count == 1)
        #expect(pending.movedFolders == [trip: place(other, "Other/Trip").path])
        // What it is in is moved as well, and then it is renamed itself.
        pending.leave(2, place(top, "Other"), node: other)
        pending.arrive(2, place(top, "More"), isFolder: true)
        pending.leave(3, place(other, "More/Trip"), isNow: true)
        pending.arrive(3, place(other, "More/Rome"), isNow: true, isFolder: true)
        #expect(pending.movedFolders == [trip: place(other, "More/Rome").path, other: place(top, "More").path])
        pending.leave(4, place(top, "Notes"))
        pending.arrive(4, place(trip, "More/Rome/Notes"), isNow: true, isFolder: false)
        #expect(pending.take().map(\.to) == [place(top, "More"), place(other, "More/Rome"), place(trip, "More/Rome/Notes")])
        #expect(Set(pending.forgetTaken()) == [trip, other])
        #expect(pending.movedFolders == [:])
    }

    @Test func oneEndIsNone() {
        var pending = OutsideMoves()
        let place = OutsideMoves.Place(folder: NodeNumber.root, path: [Name(constant: "Notes")])
        pending.arrive(7, place, isFolder: false)
        for number in 1...1_000 { pending.leave(UInt32(number), place) }
        pending.arrive(7, place, isFolder: false)
        #expect(pending.take() == [])
    }
}
