import Foundation
import Testing

/// How much a run of the tests tries.
///
/// `./mount-helper.sh test --quick` is what a change needs nine times of ten: what takes long is skipped, and named as skipped. Without `--quick` all
/// tests run; of what is tried in very many ways, a share that is another one each day. `.ci/run` tries the whole of that (`VALISE_WHOLE_TESTS`).
public enum TestRun {
    private static let environment = ProcessInfo.processInfo.environment
    static let isQuick = environment["VALISE_QUICK_TESTS"] != nil
    public static let isWhole = environment["VALISE_WHOLE_TESTS"] != nil
    static let leaveOut = ConditionTrait.disabled(if: isQuick, "it takes long: ./mount-helper.sh test runs it, and --quick does not")

    /// The day's, or that of VALISE_TEST_SEED: with it the same are tried again.
    public static let seed = environment["VALISE_TEST_SEED"].flatMap { Int($0) } ?? Int(Date().timeIntervalSince1970 / 86_400)

    /// As many of these as are tried today, or all of them.
    public static func share<Element>(_ count: Int, of all: some Collection<Element>) -> [Element] {
        let all = Array(all)
        return isWhole ? all : (0..<min(count, all.count)).map { all[(seed * count + $0) % all.count] }
    }
}

extension Trait where Self == ConditionTrait {
    /// For a suite or a test that takes many seconds and that few changes need. Those that compute (`computing`) are left out without it.
    public static var long: ConditionTrait { TestRun.leaveOut }
}
