import LinuxFiles

/// Sees when there may be something to hear in a share: by the kernel's notices, and by looking at the heads, because of what another computer does on a
/// store over a network nobody tells. A share at rest costs one `stat` a device, ever more rarely.
public final class ShareWatch {
    private let folder: ShareFolder
    private let notices: ChangeNotices?
    private let longest: Int64
    private var devices: [ShareDevice: OpenFile] = [:]
    private var stamps: Stamps?
    private var begun = Stamps()
    public private(set) var interval: Int64 = shortest

    /// In milliseconds: so long it waits while anything goes on, and twice as long after each look that finds nothing. Where the kernel tells of everything
    /// a look is for what nobody thought of.
    public static let shortest: Int64 = 2000, longest: Int64 = 60_000, longestWhereAllIsTold: Int64 = 600_000

    private struct Stamps: Equatable {
        var top: FileStatus.Stamp?
        var heads: [ShareDevice: FileStatus.Stamp] = [:]
    }

    /// `allIsTold`: by the kind of the store, if it is not said.
    public init(_ folder: ShareFolder, allIsTold: Bool? = nil) {
        self.folder = folder
        notices = try? ChangeNotices()
        let isWatched = notices.map { (try? $0.watch(folder.top.descriptor)) != nil } ?? false
        let isTold = allIsTold ?? (try? folder.top.descriptor.fileSystemType())?.isOfThisKernel ?? false
        longest = isWatched && isTold ? Self.longestWhereAllIsTold : Self.longest
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
        interval = isNews ? Self.shortest : min(interval * 2, longest)
        return isNews
    }

    /// Waits until it is time to look, or until the kernel says that something changed.
    public func wait() {
        guard let notices else {
            // Nothing ends this one earlier.
            return BackgroundThread.rest(milliseconds: Self.shortest)
        }
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
