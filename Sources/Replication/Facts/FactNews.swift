/// What a fact says something about. Of all that say something about the same one is known.
public enum FactSubject: Hashable, Sendable {
    /// Of which there is one fact only.
    case version(FactID)
    case place(ItemID)
    case same(ItemID, ItemID)
    case key([UInt8])
    case kind([UInt8])
    case name(DeviceID)
}

extension Fact {
    public var subject: FactSubject {
        switch statement {
        case .version: .version(id)
        case .place(let place): .place(place.item)
        case .same(let one, let other): .same(one, other)
        case .key(let key): .key(key.key)
        case .kind(let kind): .kind(kind.ending)
        case .name: .name(device)
        }
    }
}

extension Facts {
    /// What is known of it: what was said last.
    public subscript(subject: FactSubject) -> Fact? {
        switch subject {
        case .version(let id): versions[id]
        case .place(let item): places[item]
        case .same(let one, let other): sames[.same(one, other)]
        case .key(let key): keys[key]
        case .kind(let ending): kinds[ending]
        case .name(let device): names[device]
        }
    }
}

/// Of what something new became known lately. Who goes on from where he was need not go through all that is known.
public struct FactNews: Sendable {
    fileprivate final class Source: Sendable {}

    private var source = Source()
    /// How many came before those that are remembered.
    private var forgotten = 0
    private var subjects: [FactSubject] = []
    /// After each of them: of two copies of facts that went different ways the same number may be another one.
    private var sums: [Int] = []

    private static let most = 16_384

    /// Where somebody was.
    public struct Mark: Sendable {
        fileprivate let source: Source, count: Int, sum: Int
    }

    public var mark: Mark { Mark(source: source, count: forgotten + subjects.count, sum: sums.last ?? 0) }

    mutating func add(_ subject: FactSubject) {
        if subjects.count == Self.most {
            let half = Self.most / 2
            forgotten += half
            subjects.removeFirst(half)
            sums.removeFirst(half)
        }
        var hasher = Hasher()
        hasher.combine(sums.last ?? 0)
        hasher.combine(subject)
        subjects.append(subject)
        sums.append(hasher.finalize())
    }

    /// Nil where it was too long ago, or among other facts: then all may be new.
    public func since(_ mark: Mark?) -> ArraySlice<FactSubject>? {
        guard let mark, mark.source === source, mark.count >= forgotten else { return nil }
        let known = mark.count - forgotten
        guard known <= subjects.count, known == 0 ? mark.count == 0 : sums[known - 1] == mark.sum else { return nil }
        return subjects[known...]
    }
}
