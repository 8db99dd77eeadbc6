import Containers
import LinuxFiles

// For a library above this one, whose claims have presenters of their own and can be given up one by one.
extension FileCoordinator {
    /// Presents an item by its place.
    package func present(_ path: ItemPath, by presenter: any FilePresenter) throws(Failure) -> FilePresentation {
        try presentations.add(path, presenter, in: self)
    }

    /// Runs `body` in one claim of all these items, made by whoever presents one of them.
    package func coordinate<Value>(
        _ items: [ClaimedItem], as presentation: FilePresentation?, throughDrive: Bool, _ wait: ClaimWait, _ body: ([CoordinatedItem]) throws -> Value
    ) throws -> Value {
        let held = try claim(items, nil, throughDrive: throughDrive, as: presentation?.name, wait)
        let thread = Self.thisThread()
        return try wait.holding({ [self] in give(held, claimedBy: thread) }) {
            try body(held.items.enumerated().map { CoordinatedItem(path: $1.path, container: container, held: held, index: $0, copy: nil) })
        }
    }

    /// Runs `body` with the absolute path of a copy, which was made in a claim.
    package func coordinate<Value>(uploading path: ItemPath, as presentation: FilePresentation?, _ wait: ClaimWait, _ body: (String) throws -> Value) throws -> Value {
        let copy = try coordinate([ClaimedItem(path, .readingAll)], as: presentation, throughDrive: false, wait) { try SnapshotCopy(of: $0[0].path, in: container) }
        defer { withExtendedLifetime(copy) {} }
        return try body(copy.path)
    }

    /// The absolute path of an item.
    package func place(of path: ItemPath) -> String { CoordinatedItem(path: path, container: container, held: nil, index: 0, copy: nil).place }

    /// The container, for who only reads in it.
    package var reading: Container { container }
}
