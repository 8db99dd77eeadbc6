import Dispatch
import Foundation

/// Whether code runs where the main queue's blocks do, and running it there. After `dispatchMain()` that is no certain thread.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }

    /// Later, and nobody waits.
    static func run(_ body: @escaping @MainActor () -> Void) { DispatchQueue.main.async { MainActor.assumeIsolated(body) } }

    static func run(after delay: Double, _ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { MainActor.assumeIsolated(body) }
    }

    /// At once; waits for it.
    static func wait(_ body: @MainActor () throws -> Void) rethrows {
        func outcome() throws { try MainActor.assumeIsolated { try body() } }
        if isCurrent { try outcome() } else { try DispatchQueue.main.sync { try outcome() } }
    }
}
