import Foundation
import Testing

@testable import LinuxFiles

@Suite struct ErrnoTests {
    @Test func speaksTheLibrarysWords() {
        #expect(Errno.noSpace.description == "No space left on device")
        #expect(Errno(rawValue: 99_999).description.contains("99999"))
    }

    /// A call that fails with these numbers one after the other, and then gives its result.
    static func call(failing numbers: [Int32], then result: Int) -> (calls: Int, outcome: Result<Int, Errno>) {
        var calls = 0
        do throws(Errno) {
            let value = try retrying { () -> Int in
                calls += 1
                guard calls <= numbers.count else { return result }
                errno = numbers[calls - 1]
                return -1
            }
            return (calls, .success(value))
        } catch { return (calls, .failure(error)) }
    }

    @Test(arguments: [0, 1, 5]) func retriesWhatASignalInterrupted(_ times: Int) {
        let made = Self.call(failing: Array(repeating: EINTR, count: times), then: 7)
        #expect(made.calls == times + 1)
        #expect(made.outcome == .success(7))
    }

    @Test(arguments: [EIO, EAGAIN, ENOSPC, ENOENT, EBADF]) func passesOnEveryOtherError(_ number: Int32) {
        let made = Self.call(failing: [EINTR, number, EINTR], then: 7)
        #expect(made.calls == 2)
        #expect(made.outcome == .failure(Errno(rawValue: number)))
    }

    @Test func resultsBelowMinusOneAreResults() { #expect(Self.call(failing: [], then: -2).outcome == .success(-2)) }
}
