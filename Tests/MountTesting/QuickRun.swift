import Foundation
import Testing

/// `./mount-helper.sh test --quick`: what a change needs nine times of ten. What takes long is skipped, and named as skipped.
enum QuickRun {
    static let isWanted = ProcessInfo.processInfo.environment["VALISE_QUICK_TESTS"] != nil
    static let leaveOut = ConditionTrait.disabled(if: isWanted, "it takes long: ./mount-helper.sh test runs it, and --quick does not")
}

extension Trait where Self == ConditionTrait {
    /// For a suite or a test that takes many seconds and that few changes need. Those that compute (`computing`) are left out without it.
    public static var long: ConditionTrait { QuickRun.leaveOut }
}
