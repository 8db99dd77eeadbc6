import Foundation
import Testing

/// Runs a suite's tests where drives can be mounted, on threads for tests that wait.
public struct MountingTrait: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true

    public func prepare(for test: Test) async throws {
        try await ConditionTrait.enabled("this machine cannot mount: there is no /dev/fuse that may be opened") {
            ProcessInfo.processInfo.environment["CI"] == "true" || access("/dev/fuse", R_OK | W_OK) == 0
        }.prepare(for: test)
    }

    public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        try await ThreadsTrait(threads: .waiting).provideScope(for: test, testCase: testCase, performing: function)
    }
}

extension Trait where Self == MountingTrait {
    /// For a suite that mounts drives: skipped where nothing can be mounted, but not in CI, where it then fails.
    public static var mounting: MountingTrait { MountingTrait() }
}
