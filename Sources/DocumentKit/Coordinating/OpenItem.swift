import Foundation
import LinuxFiles

/// An item that somebody is about to write or move, held by its descriptor: wherever it goes on its file system, also out of its container, it is found.
struct OpenItem: Sendable {
    private let item: OpenFile
    private let place: ItemPlace

    /// nil where it is not there, and on a drive, which shows other files than it has.
    init?(_ url: URL, of place: ItemPlace) {
        guard !place.isOnDrive, let item = try? Descriptor.atPath(url.standardizedFileURL.path, .path) else { return nil }
        (self.item, self.place) = (OpenFile(item), place)
    }

    /// Where it is, if that is in another container, or in none any more. nil where it is gone, or kept by somebody under a hidden name.
    var placeElsewhere: URL? {
        guard let path = try? AbsolutePath.of(item.descriptor), let identity = try? item.descriptor.status().identity,
              // Of what is gone the path says that, and leads nowhere.
              (try? Descriptor.atPath(path, .path).status().identity) == identity else { return nil }
        // Where the container itself is somewhere else by now, the item is in it as before: what is typed waits until it is back.
        if case .container(let coordinator) = place.home, let top = try? AbsolutePath.of(coordinator.reading.base.descriptor), path.hasPrefix(top + "/") { return nil }
        let url = URL(fileURLWithPath: path)
        guard let new = try? ItemPlace(url), !new.isBeside(place), let names = url.realNames else { return nil }
        let known = place.url.realNames ?? []
        return names.contains { $0.bytes.first == UInt8(ascii: ".") && !known.contains($0) } ? nil : url
    }
}
