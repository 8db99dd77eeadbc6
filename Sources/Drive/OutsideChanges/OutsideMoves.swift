import LinuxFiles

/// What other programs have moved from one folder into another: the kernel tells of both ends, by one number, and what is kept of the items by their
/// paths follows in the same order. Of renames in a folder only those of folders are known here, for the paths of what is moved into them.
struct OutsideMoves {
    /// A name in a folder, and its path in the container.
    struct Place: Equatable {
        let folder: NodeNumber
        var path: [Name]
    }

    struct Move: Equatable {
        var from: Place, to: Place
    }

    /// What has left a folder and has not arrived in another one yet.
    private var leaving: [(number: UInt32, from: Place)] = []
    private var moves: [Move] = []

    /// Both ends come one after the other, mostly.
    private static let mostLeaving = 64

    /// `place`: as the tree has it, which may not know yet that a folder above it was moved.
    mutating func leave(_ number: UInt32, _ place: Place) {
        leaving = leaving.suffix(Self.mostLeaving - 1) + [(number, now(place))]
    }

    mutating func arrive(_ number: UInt32, _ place: Place, isFolder: Bool) {
        guard let index = leaving.firstIndex(where: { $0.number == number }) else { return }
        let from = leaving.remove(at: index).from, to = now(place)
        if from.folder == to.folder, !isFolder { return }
        // What went on before anybody followed it has gone to where it is.
        if let before = moves.firstIndex(where: { $0.to.path == from.path }) {
            moves[before].to = to
            return moveAlong(from.path, to.path, after: before + 1)
        }
        let first = isFolder ? moves.firstIndex { $0.to.path.starts(with: from.path) } ?? moves.count : moves.count
        moves.insert(Move(from: from, to: to), at: first)
        moveAlong(from.path, to.path, after: first + 1)
    }

    /// Those in a folder that was moved itself.
    private mutating func moveAlong(_ old: [Name], _ new: [Name], after first: Int) {
        for index in moves.indices.dropFirst(first) {
            moves[index].from.path = Self.path(moves[index].from.path, movedFrom: old, to: new)
            moves[index].to.path = Self.path(moves[index].to.path, movedFrom: old, to: new)
        }
    }

    private func now(_ place: Place) -> Place { Place(folder: place.folder, path: moves.reduce(place.path) { Self.path($0, movedFrom: $1.from.path, to: $1.to.path) }) }

    private static func path(_ path: [Name], movedFrom old: [Name], to new: [Name]) -> [Name] { path.count > old.count && path.starts(with: old) ? new + path.dropFirst(old.count) : path }

    /// What is to be followed now, in this order.
    mutating func take() -> [Move] {
        defer { moves = [] }
        return moves
    }
}
