import LinuxFiles

/// What becomes another one of a document's parts when it gets another shown name.
enum RenamedPart {
    /// It was written anew: where it lies, and its name in the package, nil of a document that is a file.
    case written(Place, part: Name?)
    /// It is called otherwise, in its package.
    case called(Name, Name)

    func step(in document: Place) -> Journal.Step {
        switch self {
        case .written(let place, let part): .move(place, part.map(document.part) ?? document)
        case .called(let old, let new): .add(document.part(old), document.part(new))
        }
    }
}
