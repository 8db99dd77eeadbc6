import Containers
import Coordination
import LinuxFiles
import MountTesting
import Testing

@testable import Drive

/// Each change is followed by a look at what is to go, however soon it comes after the last one.
@Suite struct ThinningTests {
    @Test func noChangeIsForgotten() throws {
        let folder = try TemporaryFolder()
        let workshop = try Workshop.open(in: Container.open(folder.path, access: .readWrite, kinds: .shipped), purpose: "tested", versions: .standard, deleted: .standard)
        var options = DriveOptions()
        (options.keepsVersions, options.keepsDeleted) = (true, true)
        let timers = Locked<[@Sendable () -> Void]>([]), coordinator = DocumentCoordinator()
        let tree = Tree(workshop.container.kinds)
        let thinning = VersionThinning(tree: tree, coordinator: coordinator, workshop: workshop, options: options, counts: RequestCounts()) { body in timers.withLock { $0.append(body) } }
        var count: Int { timers.withLock { $0.count } }
        thinning.order(afterChange: false)
        thinning.order()
        thinning.order()
        #expect(count == 1)
        for expected in 2...4 {
            let look = try #require(timers.withLock { $0.last })
            look()
            coordinator.drain()
            #expect(count == expected - 1)
            // Right after the last look, and again before the next one.
            thinning.order()
            thinning.order()
            #expect(count == expected)
        }
    }
}
