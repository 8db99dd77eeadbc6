import LinuxFiles
import Dispatch

/// An answer that one thread waits for and another one gives.
final class Answered: Sendable {
    private let bytes = Locked<[UInt8]?>(nil)
    private let bell = DispatchSemaphore(value: 0)

    func give(_ answer: [UInt8]?) {
        bytes.withLock { $0 = answer }
        bell.signal()
    }

    func take() -> [UInt8]? {
        bell.wait()
        return bytes.withLock { $0 }
    }
}
