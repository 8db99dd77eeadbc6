import Hashes
import Replication

/// Names that some stores do not have, and what those do with them.
enum WorldNames {
    private static let composed: [UInt8] = [0xC3, 0xA9], decomposed: [UInt8] = [0x65, 0xCC, 0x81]

    /// What a store can have: as Linux's, as one that composes letters its way, or as one that takes case for nothing.
    static func store(drawnWith world: World) -> StoreNames {
        var names = StoreNames(world.pick([.exact, .exact, .composed, .folded, .folded]))
        if world.chance(0.5) { names.forbidden = [UInt8(ascii: ":")] }
        names.trims = world.chance(0.5)
        return names
    }

    /// The kind of which packages are, in worlds that have some.
    static let packages = AddedKind(ending: Array("p".utf8), words: Array("[package]\nextension = p\n".utf8))

    /// How many bytes a content is said to have.
    static func size(_ content: Digest?) -> UInt64 { content.map { UInt64($0.bytes[0]) } ?? 0 }

    /// What is a link, a plain file or a document by its name, in worlds that have all three.
    static func kind(_ name: [UInt8]) -> Location.Kind { name.last == UInt8(ascii: "l") ? .link : name.last == UInt8(ascii: "m") ? .plain : .document }

    static func end(_ kind: Location.Kind) -> String {
        switch kind {
        case .document: ".t"
        case .plain: ".m"
        case .folder: ""
        case .link: ".l"
        }
    }

    /// What somebody calls something.
    static func some(_ world: World, _ kind: Location.Kind) -> [UInt8] {
        let end = Array(end(kind).utf8)
        switch world.number(0...9) {
        case 0: return Array("A".utf8) + end
        case 1: return composed + end
        case 2: return decomposed + end
        case 3: return Array("b:".utf8) + end
        case 4 where kind != .link && kind != .plain: return Array("c.".utf8)
        case 5: return [UInt8](repeating: UInt8(ascii: "l"), count: ItemName.longest - end.count) + end
        case 6 where kind != .link && kind != .plain: return Array(".valise".utf8)
        default: return Array(world.pick(["a", "b", "c"]).utf8) + end
        }
    }

    /// One that takes letters for composed answers each in two.
    static func answered(_ name: [UInt8], _ names: StoreNames) -> [UInt8] {
        guard names.likeness != .exact else { return name }
        var answered: [UInt8] = [], index = 0
        while index < name.count {
            if name[index...].starts(with: composed) {
                answered += decomposed
                index += composed.count
            } else {
                answered.append(name[index])
                index += 1
            }
        }
        return answered
    }

    static func areOne(_ one: [UInt8], _ other: [UInt8], _ names: StoreNames) -> Bool {
        func key(_ name: [UInt8]) -> [UInt8] {
            names.likeness == .folded ? answered(name, names).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } : answered(name, names)
        }
        return key(one) == key(other)
    }
}
