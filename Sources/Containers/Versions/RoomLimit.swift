import LinuxFiles

extension VersionPolicy {
    /// How much room there is for what takes so much now: a share of the container's size, or of what is free and kept together, where that is more. Nil
    /// where there is no limit, or it is not reached.
    func room(for used: Int64, in container: Container) throws(Errno) -> Int64? {
        let percent: Int
        switch self {
        case .all: return nil
        case .off: percent = Self.standardPercent
        case .thinned(let share): percent = share
        }
        let free = (try? container.base.descriptor.fileSystemStatus().availableBytes) ?? 0
        let least = max(Self.leastRoom, free.saturatingAdd(used) / Self.freeParts)
        guard used > least else { return nil }
        // So large must the container be; no more of it is measured than that takes.
        let (enough, isMore) = (used / Int64(max(percent, 1))).multipliedReportingOverflow(by: 100)
        return try max(least, container.size(upTo: isMore ? .max : enough.saturatingAdd(100)) / 100 * Int64(percent))
    }
}

extension Container {
    /// How large the documents are, but for Valise's own. No more is looked at than to know that they are as large as asked for.
    fileprivate func size(upTo enough: Int64) throws(Errno) -> Int64 {
        var size: Int64 = 0
        try Self.measure(documents, enough, &size)
        return size
    }

    private static func measure(_ folder: OpenFile, _ enough: Int64, _ size: inout Int64) throws(Errno) {
        var entries = try FolderReader(folder.descriptor)
        while size < enough, let entry = try entries.next() {
            if Hidden.isState(entry.name) { continue }
            // What goes or may not be read meanwhile does not count.
            guard let status = try? folder.descriptor.status(of: entry.name) else { continue }
            if status.type == .folder {
                if let inner = try? folder.descriptor.open(entry.name, [.path, .folder]) { try measure(OpenFile(inner), enough, &size) }
            } else {
                size = size.saturatingAdd(status.size)
            }
        }
    }
}

extension Int64 {
    /// Sizes of files are what a store says: their sum is at most the largest number.
    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, isMore) = addingReportingOverflow(other)
        return isMore ? .max : sum
    }
}
