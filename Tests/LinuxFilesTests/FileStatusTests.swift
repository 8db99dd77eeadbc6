import Glibc
import Testing

@testable import LinuxFiles

/// What a store says of a file is any number that there is.
@Suite struct FileStatusTests {
    private static let seconds = [Int.min, Int.min + 1, -9_223_372_037, -1, 0, 9_223_372_036, 9_223_372_037, Int.max - 1, Int.max]

    @Test(arguments: seconds, [Int.min, -1, 0, 999_999_999, 1_000_000_000, Int.max]) func anyTimeIsOne(seconds: Int, nanoseconds: Int) {
        var facts = stat()
        facts.st_ctim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        let status = FileStatus(facts)
        #expect(!status.isUnsettled)
        #expect(status.changed.seconds == seconds && (0..<1_000_000_000).contains(status.changed.nanoseconds))
    }

    @Test func whatChangedJustNowIsUnsettled() {
        var facts = stat()
        let now = Timestamp.now
        facts.st_ctim = timespec(tv_sec: Int(now.seconds), tv_nsec: Int(now.nanoseconds))
        #expect(FileStatus(facts).isUnsettled)
        facts.st_ctim = timespec(tv_sec: Int(now.seconds) - 1, tv_nsec: 1)
        #expect(!FileStatus(facts).isUnsettled)
        facts.st_ctim = timespec(tv_sec: Int(now.seconds) + 10, tv_nsec: 0)
        #expect(!FileStatus(facts).isUnsettled)
    }

    @Test(arguments: [0, 1, 511, 512, 513, Int64.max]) func blocksAreRoundedUp(size: Int64) {
        #expect(FileStatus.blocks(of: size) == Int64((Int128(size) + 511) / 512))
    }

    @Test func sizesAreNotNegative() {
        var facts = stat()
        (facts.st_size, facts.st_blocks) = (-1, Int.min)
        #expect(FileStatus(facts).size == 0 && FileStatus(facts).blocks == 0)
    }
}
