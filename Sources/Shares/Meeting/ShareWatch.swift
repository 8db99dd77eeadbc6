import LinuxFiles

/// Sees when there may be something to hear in a share: by the kernel's notices where the store has them, and by looking at the heads, because many stores
/// have none. A share at rest costs one `stat` a device, ever more rarely.
public final class ShareWatch {
    private let folder: ShareFolder
    private let notices: ChangeNotices?
    private var devices: [ShareDevice: OpenFile] = [:]
    private var stamps: Stamps?
    private var begun = Stamps()
    public private(set) var interval: Int64 = shortest

    /// In milliseconds: so long it waits while anything goes on, and twice as long after each look that finds nothing.
    public static let shortest: Int64 = 2000, longest: Int64 = 60_000

    private struct Stamps: Equatable {
        var top: FileStatus.Stamp?
        var heads: [ShareDevice: FileStatus.Stamp] = [:]
    }

    public init(_ folder: ShareFolder) {
        self.folder = folder
        notices = try? ChangeNotices()
        if let notices { _ = try? notices.watch(folder.top.descriptor) }
    }

    /// Before a meeting: what changes after this is news.
    public func begin() throws {
        begun = Stamps()
        begun.top = FileStatus.Stamp(try folder.top.descriptor.status())
        let there = try folder.devices()
        for device in devices.keys where !there.contains(device) { devices[device] = nil }
        for device in there {
            let opened = try ShareFolder.present { () throws(Errno) in try folder.folder(of: device) } ?? nil
            guard let opened else { continue }
            devices[device] = opened
            if let notices { _ = try? notices.watch(opened.descriptor) }
        }
        begun.heads = heads()
    }

    /// After it. `isComplete`: all that the heads speak of was there, so there is nothing to look for until one of them is another.
    public func end(isComplete: Bool) { stamps = isComplete ? begun : nil }

    private func heads() -> [ShareDevice: FileStatus.Stamp] {
        devices.compactMapValues { folder in (try? folder.descriptor.freshStatus(of: ShareFolder.head)).map { FileStatus.Stamp($0) } }
    }

    /// Whether there may be something to hear.
    public func hasNews() -> Bool {
        let top = (try? folder.top.descriptor.status()).map { FileStatus.Stamp($0) }, isNews = stamps == nil || stamps != Stamps(top: top, heads: heads())
        interval = isNews ? Self.shortest : min(interval * 2, Self.longest)
        return isNews
    }

    /// Waits until it is time to look, or until the kernel says that something changed.
    public func wait() {
        guard let notices else { return }
        notices.wait(milliseconds: interval)
        // What they say is seen by looking.
        if !notices.take().isEmpty { interval = Self.shortest }
    }

    /// Ends a wait, also the next one; from any thread.
    public var interruption: @Sendable () -> Void { { [notices] in notices?.wake() } }
}

extension FileStatus {
    /// By what one sees that a file is another.
    fileprivate struct Stamp: Equatable {
        let identity: FileIdentity, size: Int64, modified: Timestamp
        init(_ status: FileStatus) { (identity, size, modified) = (status.identity, status.size, status.modified) }
    }
}
