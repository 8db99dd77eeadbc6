import LinuxFiles
import Testing

@testable import Drive

/// What waits for the catalog.
@Suite struct ChangeFeedTests {
    private func name(_ text: String) throws -> Name { try #require(Name(text)) }

    /// Folders in each other share what leads to them.
    @Test(arguments: [20, 200]) func deepFoldersTakeNoMoreRoomThanOthers(_ depth: Int) throws {
        let feed = ChangeFeed(), inner = try name("d")
        feed.startFollowing()
        let paths = (0..<depth).map { Array(repeating: inner, count: $0) }
        for path in paths { feed.add([inner], in: path) }
        #expect(feed.kept == 3 * depth - 1)
        let changes = feed.take()
        func taken(_ changes: ChangeFeed.Changes) -> [[Name]] {
            changes.all.compactMap { if case .path(let number) = $0.place { changes.paths.names(of: number) } else { nil } }
        }
        #expect(taken(changes) == paths && feed.kept == 0 && !changes.isLost)
        // What could not be followed is there again, beside what came meanwhile.
        feed.add(nil, in: [inner, inner])
        feed.putBack(changes, from: depth - 5)
        #expect(taken(feed.take()) == [[inner, inner]] + paths.suffix(5))
    }

    /// Of very much nobody keeps what it was: everything counts as changed.
    @Test func veryManyChangesAreLost() throws {
        let feed = ChangeFeed()
        feed.startFollowing()
        for number in 0..<50_002 { feed.add(nil, in: [try name("\(number)")]) }
        #expect(feed.kept < 10 && feed.hasChanges)
        #expect(feed.take().isLost && !feed.hasChanges)
        for number in 0..<600 { feed.add((0..<1000).compactMap { Name("\($0)") }, in: [try name("\(number)")]) }
        #expect(feed.kept < 500_000 && feed.take().isLost)
    }
}
