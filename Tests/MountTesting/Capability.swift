import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For a suite that mounts drives: skipped where nothing can be mounted, but not in CI, where it then fails.
    public static var mounting: ConditionTrait {
        .enabled("this machine cannot mount: there is no /dev/fuse that may be opened") {
            ProcessInfo.processInfo.environment["CI"] == "true" || access("/dev/fuse", R_OK | W_OK) == 0
        }
    }
}
