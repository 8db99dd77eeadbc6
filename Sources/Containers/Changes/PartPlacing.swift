import Documents
import LinuxFiles

extension Plan {
    /// The steps with which a document's new parts come from staging to their places: `home` is what they come into, which the document
    /// itself is, or what it is made of before it gets its name. `names` are those of
    /// the parts, nil of a document that is a file. A part that stays has no place in staging.
    ///
    /// The content comes last: until then the document is the old one, whole.
    static func placing(_ staged: [Place?], called names: [Name]?, in home: Place, as target: Place) -> [Journal.Step] {
        guard let names else {
            return staged.compactMap { $0 }.map { home == target ? .move($0, target) : .add($0, target) }
        }
        let steps = zip(staged, names).reversed().compactMap { place, part -> Journal.Step? in
            // A draft's content is in its own package already.
            guard let place, place != home.part(part) else { return nil }
            return .move(place, home.part(part))
        }
        return home == target ? steps : steps + [.add(home, target)]
    }
}
