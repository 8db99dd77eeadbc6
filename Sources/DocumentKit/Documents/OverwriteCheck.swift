import Containers
import Foundation
import LinuxFiles

/// What may lie at a place that a document has not seen and of which no version can be kept: a save would lose it without a word.
struct OverwriteCheck {
    private let place: ItemPlace
    private let base: DocumentFile.Mark

    /// nil where the document never had what is there.
    init?(at place: ItemPlace, since base: DocumentFile.Mark?) {
        guard let base, base.date != nil else { return nil }
        (self.place, self.base) = (place, base)
    }

    /// Whoever writes there keeps a version of it.
    private static func isVersioned(_ place: ItemPlace) -> Bool {
        guard case .container(let coordinator) = place.home else { return false }
        return coordinator.reading.canKeepVersion(at: place.path.names)
    }

    /// Throws where the place has something else than the document began from, and than what is to be put there.
    func check(against new: URL) throws {
        let now = DocumentFile.Look(place.url, at: place).mark
        guard now.date != nil, !now.isSame(as: base), !Self.isVersioned(place), !Self.isSame(place.url, new) else { return }
        throw Self.error(place.url)
    }

    static func error(_ url: URL) -> CocoaError {
        CocoaError(.fileWriteUnknown, userInfo: [
            NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(Errno.stale.rawValue)),
            NSLocalizedDescriptionKey: "“\(url.lastPathComponent)” was changed by somebody else, and no version of that can be kept: "
                + "read it again, or save under another name",
        ])
    }

    /// Files with the same bytes.
    private static func isSame(_ one: URL, _ other: URL) -> Bool {
        guard let one = try? FilePlace(one), let other = try? FilePlace(other),
              let first = try? one.folder.descriptor.open(one.name, [.read, .nonBlocking]), (try? first.status().type) == .regular,
              let second = try? other.folder.descriptor.open(other.name, [.read, .nonBlocking]), (try? second.status().type) == .regular
        else { return false }
        return (try? first.hasSameContent(as: second)) == true
    }
}
