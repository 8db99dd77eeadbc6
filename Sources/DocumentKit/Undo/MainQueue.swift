import Dispatch
import Foundation

/// Whether code runs where the main queue's blocks do. After `dispatchMain()` that is no certain thread.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }
}
