import Coordination
import Foundation
import LinuxFiles

/// One item that a coordinator wants, and for what.
struct WantedItem {
    let url: URL
    let purpose: ClaimPurpose
    /// A copy of it is wanted, which is made in the claim.
    var isUpload = false
    /// Where the URL leads, where that was looked up a moment ago.
    var place: ItemPlace?

    init(reading url: URL, _ options: NSFileCoordinator.ReadingOptions) {
        self.url = options.contains(.resolvesSymbolicLink) ? url.resolvingSymlinksInPath() : url
        isUpload = options.contains(.forUploading)
        purpose = isUpload ? .readingAll : options.isDisjoint(with: [.withoutChanges, .immediatelyAvailableMetadataOnly]) ? .reading : .readingUnsaved
    }

    init(writing url: URL, _ options: NSFileCoordinator.WritingOptions) {
        self.url = url
        purpose = options.contains(.forDeleting) ? .deleting : options.contains(.forReplacing) ? .replacing : options.contains(.forMoving) ? .moving
            : options.contains(.forMerging) ? .merging : .writing
    }
}

/// The access to one or more items, from when it is asked for until its block has ended.
struct CoordinatedAccess {
    let purpose: String
    let link: PresenterLink?
    let wait: AccessWait

    private struct Wanted {
        let index: Int
        let place: ItemPlace
        let item: ClaimedItem
        let isUpload: Bool
    }

    /// Runs `body` with the items' places, in their order. Throws where it could not be granted: then `body` did not run.
    func run(_ items: [WantedItem], _ body: ([URL]) -> Void) throws {
        var wanted: [Wanted] = []
        for (index, item) in items.enumerated() {
            let place = try item.place ?? ItemPlace(item.url)
            wanted.append(Wanted(index: index, place: place, item: ClaimedItem(place.path, item.purpose), isUpload: item.isUpload))
        }
        // One order for everybody, so that no two accesses wait for each other.
        wanted.sort { $0.place.order < $1.place.order }
        var urls = items.map(\.url)
        // What this purpose has already, it does not wait for.
        let own = wanted.filter { HeldAccesses.covers($0.item, in: $0.place.order.0, for: purpose) }.map(\.index), needed = wanted.filter { !own.contains($0.index) }
        try WaitingMainQueue.begin(wait.mainQueue, needed.map { .init(home: $0.place.order.0, item: $0.item, purpose: purpose) })
        try claim(needed[...], &urls) { body($0) }
    }

    /// Two at a time are one claim; the next ones are claimed inside of that.
    private func claim(_ wanted: ArraySlice<Wanted>, _ urls: inout [URL], _ body: ([URL]) -> Void) throws {
        guard let first = wanted.first else { return body(urls) }
        if first.isUpload, case .container(let coordinator) = first.place.home {
            return try coordinator.coordinate(uploading: first.item.path, as: link?.presentation, wait.claim) { copy in
                urls[first.index] = URL(fileURLWithPath: copy)
                try claim(wanted.dropFirst(), &urls, body)
            }
        }
        let both = wanted.prefix(2).filter { $0.place.isBeside(first.place) && $0.place.isOnDrive == first.place.isOnDrive && !$0.isUpload }
        let group = both.isEmpty ? [first] : Array(both), rest = wanted.dropFirst(group.count)
        var found = urls
        defer { urls = found }
        switch first.place.home {
        case .container(let coordinator):
            try coordinator.coordinate(group.map(\.item), as: link?.presentation, throughDrive: first.place.isOnDrive, wait.claim) { coordinated in
                for (item, now) in zip(group, coordinated) { found[item.index] = item.place.url(of: now.path) }
                let written = zip(group, coordinated).filter { $0.0.item.purpose.isWriting }.map(\.1.path)
                try hold(zip(group, coordinated).map { ($0.place.order.0, ClaimedItem($1.path, $0.item.purpose), $1) }) {
                    guard let link, !written.isEmpty, link.place.isBeside(first.place) else { return try claim(rest, &found, body) }
                    try link.writing(written) { try claim(rest, &found, body) }
                }
            }
        case .process:
            try ProcessCoordination.shared.coordinate(group.map(\.item), as: link, wait.process) { paths in
                for (item, path) in zip(group, paths) { found[item.index] = item.place.url(of: path) }
                try hold(zip(group, paths).map { ($0.place.order.0, ClaimedItem($1, $0.item.purpose), nil) }) { try claim(rest, &found, body) }
            }
        }
    }

    private func hold(_ items: [(home: String, item: ClaimedItem, coordinated: CoordinatedItem?)], _ body: () throws -> Void) throws {
        let numbers = HeldAccesses.begin(items, for: purpose)
        defer { HeldAccesses.end(numbers) }
        try body()
    }
}

/// An access while it is waited for.
final class AccessWait: Sendable {
    /// Where that is the one who waits.
    let mainQueue: WaitingMainQueue.Access?
    let claim: ClaimWait
    let process: ProcessWait

    init() {
        mainQueue = WaitingMainQueue.newAccess()
        let elsewhere = mainQueue.map { access in { @Sendable (body: @escaping @Sendable () -> Void) in access.wait(body) } }
        (claim, process) = (ClaimWait(elsewhere), ProcessWait(elsewhere))
    }

    func cancel() {
        claim.cancel()
        process.cancel()
    }

    /// What was granted is not needed any more, although the block runs still.
    func letGo() {
        claim.letGo()
        process.letGo()
    }
}
