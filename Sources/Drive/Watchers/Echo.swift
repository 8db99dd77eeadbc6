import LinuxFiles

/// What another program did in the container, as those are to hear it who watch the drive.
struct Echo: Sendable {
    let folder: NodeID
    let name: Name
    /// The container's inode: tells a move from a removal and something new.
    let number: UInt64
    var what: What

    enum What: Sendable {
        case came(FileType)
        case went(isFolder: Bool)
        case moved(from: Name, in: NodeID, isFolder: Bool)
        case content(of: NodeID)
        case attributes(of: NodeID)
    }

    /// Whether somebody hears it, who watches the folder or, for what happens to a file, the file itself.
    func isHeard(by watched: Set<UInt64>) -> Bool {
        if watched.contains(folder.rawValue) { return true }
        switch what {
        case .came, .went: return false
        case .moved(_, let other, _): return watched.contains(other.rawValue)
        case .content(let node), .attributes(let node): return watched.contains(node.rawValue)
        }
    }

    /// What went and came with one inode has moved.
    static func paired(_ all: [Echo]) -> [Echo] {
        var result: [Echo?] = all
        var unpaired: [UInt64: Int] = [:]
        for (index, echo) in all.enumerated() {
            guard let isFolder = echo.comesOrGoes else { continue }
            guard let other = unpaired[echo.number], let earlier = result[other], let move = move(earlier, echo, isFolder) else {
                unpaired[echo.number] = index
                continue
            }
            result[other] = nil
            result[index] = move
            unpaired[echo.number] = nil
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

    private static func move(_ one: Echo, _ other: Echo, _ isFolder: Bool) -> Echo? {
        guard one.comesOrGoes == isFolder, one.folder != other.folder || one.name != other.name else { return nil }
        switch (one.what, other.what) {
        case (.went, .came): return Echo(folder: other.folder, name: other.name, number: other.number, what: .moved(from: one.name, in: one.folder, isFolder: isFolder))
        case (.came, .went): return Echo(folder: one.folder, name: one.name, number: one.number, what: .moved(from: other.name, in: other.folder, isFolder: isFolder))
        default: return nil
        }
    }
}
