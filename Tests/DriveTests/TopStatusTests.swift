import Dispatch
@testable import Drive
import Glibc
import LinuxFiles
import Testing

/// A store that may not answer keeps nobody waiting who asks the drive how it is.
@Suite struct TopStatusTests {
    private func top() throws -> TopStatus { TopStatus(OpenFile(try Descriptor.atPath("/", [.path, .folder])), mayNotAnswer: true) }

    @Test func whatIsNotAnsweredInTimeIsNotWaitedFor() throws {
        let top = try top(), store = DispatchSemaphore(value: 0), answered = DispatchSemaphore(value: 0)
        #expect(top.answer { 1 } == 1)
        let late: Int? = top.answer {
            store.wait()
            answered.signal()
            return 2
        }
        #expect(late == nil)
        // Nobody else asks meanwhile, and the top is what it was.
        #expect(top.answer { 3 } == nil)
        #expect(try top.status().type == .folder)
        store.signal()
        answered.wait()
        #expect((0..<5_000).contains { _ in
            usleep(1_000)
            return top.answer { 4 } == 4
        })
    }
}
