import KeyedArchives
import PropertyLists

/// How the two apps that keep photos spell their archives.
///
/// A spelling is the Swift module's name ("PhotoKeeper": top key `Data`, class `PhotoKeeper.PhotoData`), or
/// "PTK" for the Objective-C app (top key `data`, class `PTKData`).
enum PhotoArchive {
    static let imageKey = "Photo", thumbnailKey = "Thumbnail", versionKey = "Version"
    static let defaultSpelling = Spelling(rawValue: "PhotoKeeper")
    private static let objectiveC = "PTK"
    private static let topKeys = ["Data", "data"]

    enum Part: String { case data = "Data", metadata = "Metadata" }

    /// The photo's object: under one of the two keys, or of one of the classes.
    static func object(in archive: KeyedArchive) throws(PropertyListFault) -> KeyedArchive.Object? {
        for entry in archive.top.prefix(8) {
            guard let object = try archive.root(entry.key), let name = object.shortClassName else { continue }
            let isKnown = ["PhotoData", "PhotoMetadata", "PTKData", "PTKMetadata"].contains(name)
            let looksLikeOne = topKeys.contains(entry.key) && (object.field(imageKey) != nil || object.field(thumbnailKey) != nil)
            if isKnown || looksLikeOne { return object }
        }
        return nil
    }

    static func spelling(of object: KeyedArchive.Object) -> Spelling? {
        guard let name = object.className else { return nil }
        if name.hasPrefix(objectiveC) { return Spelling(rawValue: objectiveC) }
        guard let dot = name.firstIndex(of: ".") else { return nil }
        return Spelling(rawValue: String(name[..<dot]))
    }

    static func isObjectiveC(_ spelling: Spelling) -> Bool { spelling.rawValue == objectiveC }

    private static func new(_ part: Part, _ spelling: Spelling) -> NewArchive {
        var archive =
            isObjectiveC(spelling)
            ? NewArchive(topKey: "data", className: objectiveC + part.rawValue)
            : NewArchive(topKey: "Data", className: "\(spelling.rawValue).Photo\(part.rawValue)")
        archive.set(versionKey, to: .integer(1))
        return archive
    }

    static func newData(_ spelling: Spelling, _ image: ArchiveEditor.NewValue) -> NewArchive {
        var archive = new(.data, spelling)
        archive.set(imageKey, to: image)
        return archive
    }

    /// Objective-C says that there is no thumbnail with nil, Swift by not naming it.
    static func newMetadata(_ spelling: Spelling, thumbnail: [UInt8]? = nil) -> NewArchive {
        var archive = new(.metadata, spelling)
        if let thumbnail { archive.set(thumbnailKey, to: .data(thumbnail)) } else if isObjectiveC(spelling) { archive.set(thumbnailKey, to: .none) }
        return archive
    }
}
