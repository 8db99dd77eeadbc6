import Drive
import Glibc
import JSONValues
import LinuxFiles

/// How a backup is shown.
public struct BackupDriveOptions: Sendable {
    /// The backup's folder, for sentences.
    public var path: String
    public var mountpoint: String
    public var owner = geteuid()
    public var group = getegid()
    public var umask: UInt32 = 0

    public init(path: String, mountpoint: String) { (self.path, self.mountpoint) = (path, mountpoint) }
}

/// `/.valise/status` of a backup's drive: what `valise status` and `valise list` ask for.
final class BackupStatusPage: Sendable {
    let since = Timestamp.now
    private let options: BackupDriveOptions
    private let counts: RequestCounts
    private let sealsFiles = SetOnce<Bool>()

    init(_ options: BackupDriveOptions, _ counts: RequestCounts) { (self.options, self.counts) = (options, counts) }

    func setSandbox(files: Bool) { sealsFiles.set(files) }

    func text() -> [UInt8] {
        let sandbox = [
            ("calls", sealsFiles.value != nil), ("files", sealsFiles.value == true),
            ("capabilities", sealsFiles.value != nil),
        ]
        let requests = RequestKind.allCases.filter { counts.count(of: $0) > 0 }
        let page = JSON.object([
            JSON.Member("valise", .string(Drive.version)), JSON.Member("container", .string(options.path)),
            JSON.Member("backup", .bool(true)),
            JSON.Member("mountpoint", .string(options.mountpoint)), JSON.Member("process", .integer(Int64(getpid()))),
            JSON.Member("since", .integer(since.seconds)), JSON.Member("readOnly", .bool(true)),
            JSON.Member("sandbox", .object(sandbox.map { JSON.Member($0.0, .bool($0.1)) })),
            JSON.Member(
                "requests",
                .object(requests.map { JSON.Member($0.label, .integer(Int64(clamping: counts.count(of: $0)))) })),
        ])
        return Array((page.line + "\n").utf8)
    }
}
