import LinuxFiles

/// What other programs have moved from one folder into another: the kernel tells of both ends, by one number, and what is kept of the items by their
/// paths follows in the same order. Of renames in a folder only those of folders are known here, for the paths of what is moved into them.
struct OutsideMoves {
    /// A name in a folder, and its path in the container.
    struct Place: Equatable {
        let folder: NodeNumber
        var path: [Name]
    }

    /// `node`: of a folder, as the tree had it when it left.
    struct Move: Equatable {
        var from: Place, to: Place
        var node: NodeNumber?
    }

    /// What has left a folder and has not arrived in another one yet. `node`: that of a folder which the tree knows.
    private var leaving: [(number: UInt32, from: Place, node: NodeNumber?)] = []
    private var moves: [Move] = []

    /// Where a folder of the tree is, which the tree has at another place still, or nowhere for a moment.
    private struct Moved {
        var place: Place
        /// Its move was taken: the tree is about to know.
        var isTaken = false
    }
    private var moved: [NodeNumber: Moved] = [:]

    /// Names that an item has left by a move that is followed, or come to, until they are looked at.
    private var ends: [NodeNumber: Ends] = [:]

    struct Ends: Equatable {
        var left: Set<Name> = [], come: Set<Name> = []
    }

    /// Of how many there was a note since all were forgotten: nobody looks at those in folders that nobody has read.
    private var endCount = 0
    private static let mostEnds = 16_384

    /// Both ends come one after the other, mostly.
    private static let mostLeaving = 64

    /// Where folders are that the tree does not have there yet.
    var movedFolders: [NodeNumber: [Name]] { moved.mapValues(\.place.path) }

    /// `place`: as the tree has it, which may not know yet that a folder above it was moved; or, `isNow`, below a moved folder where that is.
    mutating func leave(_ number: UInt32, _ place: Place, isNow: Bool = false, node: NodeNumber? = nil) {
        let from = isNow ? place : now(place), known = moved.first { $0.value.place == from }?.key ?? node
        leaving = leaving.suffix(Self.mostLeaving - 1) + [(number, from, known)]
    }

    mutating func arrive(_ number: UInt32, _ place: Place, isNow: Bool = false, isFolder: Bool) {
        guard let index = leaving.firstIndex(where: { $0.number == number }) else { return }
        let left = leaving.remove(at: index), from = left.from, to = isNow ? place : now(place)
        if isFolder { noteFolder(left.node, from.path, to) }
        if from.folder == to.folder, !isFolder { return }
        note(from, to)
        // What went on before anybody followed it has gone to where it is.
        if let before = moves.firstIndex(where: { $0.to.path == from.path }) {
            moves[before].to = to
            return moveAlong(from.path, to.path, after: before + 1)
        }
        let first = isFolder ? moves.firstIndex { $0.to.path.starts(with: from.path) } ?? moves.count : moves.count
        moves.insert(Move(from: from, to: to, node: left.node), at: first)
        moveAlong(from.path, to.path, after: first + 1)
    }

    private mutating func noteFolder(_ node: NodeNumber?, _ old: [Name], _ to: Place) {
        for (other, place) in moved { moved[other]?.place.path = Self.path(place.place.path, movedFrom: old, to: to.path) }
        if let node { moved[node] = Moved(place: to) }
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

    private mutating func note(_ from: Place, _ to: Place) {
        if endCount >= Self.mostEnds { (ends, endCount) = ([:], 0) }
        endCount += 2
        if let name = from.path.last { ends[from.folder, default: Ends()].left.insert(name) }
        if let name = to.path.last { ends[to.folder, default: Ends()].come.insert(name) }
    }

    /// Which of these names are ends of moves: what became of them is told with the move.
    mutating func takeEnds(in folder: NodeNumber, _ names: some Sequence<Name>) -> Ends {
        guard var known = ends[folder] else { return Ends() }
        var found = Ends()
        for name in names {
            if let name = known.left.remove(name) { found.left.insert(name) }
            if let name = known.come.remove(name) { found.come.insert(name) }
        }
        ends[folder] = known == Ends() ? nil : known
        return found
    }

    /// What is to be followed now, in this order.
    mutating func take() -> [Move] {
        defer { moves = [] }
        for node in moved.keys { moved[node]?.isTaken = true }
        return moves
    }

    /// The tree knows of all that was taken: of these folders.
    mutating func forgetTaken() -> [NodeNumber] {
        let known = moved.filter(\.value.isTaken).keys
        for folder in known { moved[folder] = nil }
        return Array(known)
    }
}
