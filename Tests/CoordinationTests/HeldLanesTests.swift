import MountTesting
import Testing

@testable import Coordination

#if DEBUG
/// What waits must be in no lane, and a debug build says so.
@Suite struct HeldLanesTests {
    private struct Problem: Error {}

    private let coordinator = DocumentCoordinator(label: "test")
    private let one = LaneID(rawValue: 1), other = LaneID(rawValue: 2)

    @Test func eachLaneCounts() {
        #expect(HeldLanes.count == 0)
        coordinator.write(one) {
            #expect(HeldLanes.count == 1)
            coordinator.read(other) { #expect(HeldLanes.count == 2) }
            #expect(HeldLanes.count == 1)
        }
        coordinator.write(one, other) { #expect(HeldLanes.count == 2) }
        coordinator.later(one) { #expect(HeldLanes.count == 1) }
        coordinator.drain()
        #expect(throws: Problem.self) { try coordinator.read(one) { throw Problem() } }
        #expect(HeldLanes.count == 0)
    }

    /// Another thread's lanes are not this one's.
    @Test func eachThreadHasItsOwn() {
        coordinator.write(one) {
            onThreads(2) { [coordinator, other] _ in
                #expect(HeldLanes.count == 0)
                coordinator.read(other) { #expect(HeldLanes.count == 1) }
                HeldLanes.checkNone()
            }
        }
    }

    @Test func waitingOutsideIsRight() { HeldLanes.checkNone() }

    @Test func waitingInsideEndsTheProcess() throws {
        // Its folder goes with it.
        let container = try ClaimContainer()
        let ended = try withExtendedLifetime(container) { try container.start("wait", "inside").wait() }
        #expect(ended.code > 128 && ended.output == "" && ended.errors.contains("waits inside a lane"), "\(ended)")
    }
}
#endif
