import Foundation
import LinuxFiles

/// The presenters of this process.
enum FilePresenters {
    private struct Added: @unchecked Sendable {
        // Sendable, because the presenter is handed on and called on its own queue only.
        let presenter: any NSFilePresenter
        var link: PresenterLink?
    }

    private static let added = Locked<[Added]>([])

    static var all: [any NSFilePresenter] { added.withLock { $0 }.map(\.presenter) }

    static func link(of presenter: ObjectIdentifier) -> PresenterLink? { added.withLock { $0 }.first { ObjectIdentifier($0.presenter) == presenter }?.link }

    /// Where its item is, as far as that is known.
    @discardableResult
    static func add(_ presenter: any NSFilePresenter) -> ItemPlace? {
        guard !added.withLock({ $0.contains { $0.presenter === presenter } }) else { return nil }
        var entry = Added(presenter: presenter), found: ItemPlace?
        if let url = presenter.presentedItemURL, let place = try? ItemPlace(url) {
            found = place
            let link = PresenterLink(presenter, at: place)
            // Where nobody can be asked, it is a presenter all the same.
            if (try? link.begin()) != nil { entry.link = link }
        }
        added.withLock { [entry] in $0.append(entry) }
        return found
    }

    /// An item has left its container, or come into one: from now on it is presented at its new place. False where the link is not the presenter's any more.
    static func move(_ presenter: any NSFilePresenter, _ old: PresenterLink, to url: URL) -> Bool {
        guard let place = try? ItemPlace(url) else { return false }
        let link = PresenterLink(presenter, at: place)
        let isPresented = added.withLock { added in
            guard let index = added.firstIndex(where: { $0.presenter === presenter && $0.link === old }) else { return false }
            added[index].link = link
            return true
        }
        guard isPresented else { return false }
        old.end()
        try? link.begin()
        return true
    }

    /// What is presented at a place, or in it, and where in it that is.
    static func presented(in place: ItemPlace) -> [(link: PresenterLink, inside: ArraySlice<Name>)] {
        added.withLock { $0 }.compactMap { entry in
            guard let link = entry.link, link.place.isBeside(place), link.path.isInside(place.path) else { return nil }
            return (link, link.path.names.dropFirst(place.path.names.count))
        }
    }

    /// Who presents an item, or what it is in, on the operation queue that this is called on. The main queue is served while it waits.
    static func calling(of place: ItemPlace) -> (any NSFilePresenter)? {
        guard let queue = OperationQueue.current, queue !== OperationQueue.main else { return nil }
        return added.withLock { $0 }.first { entry in
            guard let link = entry.link, link.place.isBeside(place), place.path.isInside(link.path) else { return false }
            return entry.presenter.presentedItemOperationQueue === queue
        }?.presenter
    }

    static func remove(_ presenter: any NSFilePresenter) {
        let gone = added.withLock { added in
            let gone = added.filter { $0.presenter === presenter }
            added.removeAll { $0.presenter === presenter }
            return gone
        }
        for entry in gone { entry.link?.end() }
    }
}
