import LinuxFiles

/// What another program did in the container, as those are to hear it who watch the drive.
struct Announcement: Sendable {
    let folder: UInt32
    let name: Name
    /// The container's inode: tells a move from a removal and something new.
    let number: UInt64
    var what: What

    enum What: Sendable {
        case came(FileType)
        case went(isFolder: Bool)
        case moved(from: Name, in: UInt32, isFolder: Bool)
        case content(of: UInt32)
        case attributes(of: UInt32)
    }

    /// Whether somebody hears it, who watches the folder or, for what happens to a file, the file itself.
    func isHeard(by watched: Set<UInt64>) -> Bool {
        if watched.contains(UInt64(folder)) { return true }
        switch what {
        case .came, .went: return false
        case .moved(_, let other, _): return watched.contains(UInt64(other))
        case .content(let node), .attributes(let node): return watched.contains(UInt64(node))
        }
    }

    /// What went and came with one inode has moved.
    static func paired(_ all: [Announcement]) -> [Announcement] {
        var result: [Announcement?] = all
        var unpaired: [UInt64: Int] = [:]
        for (index, announcement) in all.enumerated() {
            guard let isFolder = announcement.comesOrGoes else { continue }
            guard let other = unpaired[announcement.number], let earlier = result[other], let move = move(earlier, announcement, isFolder) else {
                unpaired[announcement.number] = index
                continue
            }
            result[other] = nil
            result[index] = move
            unpaired[announcement.number] = nil
        }
        return result.compactMap { $0 }
    }

    /// Whether it is a folder that comes or goes; nil for anything else.
    private var comesOrGoes: Bool? {
        switch what {
        case .came(let type): type == .folder
        case .went(let isFolder): isFolder
        default: nil
        }
    }

    private static func move(_ one: Announcement, _ other: Announcement, _ isFolder: Bool) -> Announcement? {
        guard one.comesOrGoes == isFolder, one.folder != other.folder || one.name != other.name else { return nil }
        switch (one.what, other.what) {
        case (.went, .came): return Announcement(folder: other.folder, name: other.name, number: other.number, what: .moved(from: one.name, in: one.folder, isFolder: isFolder))
        case (.came, .went): return Announcement(folder: one.folder, name: one.name, number: one.number, what: .moved(from: other.name, in: other.folder, isFolder: isFolder))
        default: return nil
        }
    }
}
