import LinuxFiles

/// What a step of a change is about, so that it is never carried out on something else that has got the name meanwhile:
/// what it moves or removes, the folder that something comes to, and what is replaced there. And of a file that the plan
/// makes an end of, as which content it does.
///
/// Nodes are known by their number and the time they were made. That holds as long as they lie where they were made: an
/// intent says which staging folder it belongs to, and in a copy of the container, where all nodes are others, names
/// alone are gone by; as on stores that give numbers anew when they are mounted, where none are written down.
package struct StepMeaning: Hashable {
    package enum Node: Hashable {
        /// Not asked about.
        case any
        case nothing
        case this(NodeBirth)
    }

    package var source = Node.any, folder = Node.any, target = Node.any
    /// What the file held of which nothing is left when the plan is done.
    package var ended: BaseStamp?

    package init(source: Node = .any, folder: Node = .any, target: Node = .any, ended: BaseStamp? = nil) {
        (self.source, self.folder, self.target, self.ended) = (source, folder, target, ended)
    }
}

extension StepMeaning.Node {
    /// "-", "0", or number and time: "1234.1700000000.123456789".
    var text: String {
        switch self {
        case .any: "-"
        case .nothing: "0"
        case .this(let birth): birth.text
        }
    }

    init?(text: ArraySlice<UInt8>) {
        if text.elementsEqual("-".utf8) { self = .any } else if text.elementsEqual("0".utf8) { self = .nothing } else {
            guard let birth = NodeBirth(text: text) else { return nil }
            self = .this(birth)
        }
    }
}

extension NodeBirth {
    var text: String { "\(number).\(made.seconds).\(made.nanoseconds)" }

    init?(text: ArraySlice<UInt8>) {
        let words = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, let number = UInt64(words[0]), let made = Timestamp(seconds: words[1], nanoseconds: words[2])
        else { return nil }
        self.init(number: number, made: made)
    }
}

extension Store {
    /// A folder of Valise's own, by which nodes are known; nil where they have other numbers at another time, as on FAT,
    /// on shares, and on what programs show by FUSE, or where some of what is taken back are copies.
    func anchor(_ folder: borrowing Descriptor) -> NodeBirth? {
        guard hasSecondNames, let type = try? folder.fileSystemType(), Self.typesWithLastingNumbers.contains(type) else { return nil }
        return try? folder.birth()
    }

    private static let typesWithLastingNumbers: Set<FileSystemType> = [.ext, .xfs, .btrfs, .f2fs, .bcachefs, .zfs, .tmpfs]
}

extension Plan {
    /// Where that was before the plan began which lies in a place when this many of its steps are done; nil of what left it since.
    func origin(of place: Place, after count: Int) -> Place? {
        var place = place
        for step in steps[..<count].reversed() {
            switch step {
            case .move(let from, let to), .add(let from, let to):
                if let arrived = place.replacing(to, by: from) { place = arrived } else if place.replacing(from, by: from) != nil { return nil }
            case .remove(let gone): if place.replacing(gone, by: gone) != nil { return nil }
            }
        }
        return place
    }

    /// The file in the documents that a step makes an end of: the one that it removes or replaces, or takes out of them
    /// for good.
    package func ended(by index: Int) -> Place? {
        switch steps[index] {
        case .remove(let place): place.top == .documents ? place : nil
        case .move(let from, let to), .add(let from, let to):
            if from.top == .documents, to.top == .staging {
                destination(of: to, after: index + 1).map { $0.top == .staging } ?? true ? from : nil
            } else if case .move = steps[index], to.top == .documents {
                to
            } else {
                nil
            }
        }
    }

    /// Where that comes to in the end which lies in a place when this many of the plan's steps are done; nil of what a
    /// later one replaces or removes.
    package func destination(of place: Place, after count: Int) -> Place? {
        var place = place
        for step in steps[count...] {
            switch step {
            case .move(let from, let to), .add(let from, let to):
                if let arrived = place.replacing(from, by: to) {
                    place = arrived
                } else if place.replacing(to, by: to) != nil {
                    return nil
                }
            case .remove(let gone): if place.replacing(gone, by: gone) != nil { return nil }
            }
        }
        return place
    }
}

extension Place {
    /// nil where it is neither the place nor in there.
    fileprivate func replacing(_ place: Place, by other: Place) -> Place? {
        if self == place { return other }
        let inside = place.path + [place.name]
        guard top == place.top, path.starts(with: inside) else { return nil }
        return path.dropFirst(inside.count).reduce(other) { $0.part($1) }.part(name)
    }
}
