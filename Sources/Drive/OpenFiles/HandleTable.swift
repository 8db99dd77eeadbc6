/// An open file of the drive.
struct OpenHandle: Sendable {
    let node: NodeNumber
    var target: Target
    /// It may write, so closing it is news.
    let writes: Bool
    /// Of a document: finds what the program has seen through it. Nil where it only reads, or only writes.
    var seen: SeenKey?

    enum Target: Sendable {
        case document(OpenDocument)
        case content(OpenContent)
    }

    var content: OpenContent {
        switch target {
        case .document(let document): document.content
        case .content(let content): content
        }
    }

    var document: OpenDocument? {
        if case .document(let document) = target { document } else { nil }
    }
}

/// The open files, by number. Numbers are used again, as descriptors are.
struct HandleTable {
    private var slots: [OpenHandle?] = []
    private var vacant: [Int] = []
    private var folders: [UInt64: FolderListing] = [:]
    private var lastFolder: UInt64 = 0

    subscript(handle: HandleID) -> OpenHandle? {
        let index = Int(truncatingIfNeeded: handle.rawValue)
        return slots.indices.contains(index) ? slots[index] : nil
    }

    mutating func add(_ handle: OpenHandle) -> HandleID {
        if let slot = vacant.popLast() {
            slots[slot] = handle
            return HandleID(rawValue: UInt64(slot))
        }
        slots.append(handle)
        return HandleID(rawValue: UInt64(slots.count - 1))
    }

    mutating func remove(_ handle: HandleID) -> OpenHandle? {
        guard let open = self[handle] else { return nil }
        slots[Int(handle.rawValue)] = nil
        vacant.append(Int(handle.rawValue))
        return open
    }

    /// All handles of a node go on with something else: it became a document, or a plain file. How many of them write.
    mutating func retarget(_ node: NodeNumber, to target: OpenHandle.Target) -> Int {
        var writers = 0
        for index in slots.indices where slots[index]?.node == node {
            slots[index]?.target = target
            slots[index]?.seen = nil
            if slots[index]?.writes == true { writers += 1 }
        }
        return writers
    }

    func writers(of node: NodeNumber) -> Int { slots.reduce(0) { $0 + ($1?.node == node && $1?.writes == true ? 1 : 0) } }

    /// What one of a node's handles has open: all that is left of a file without a name.
    func content(of node: NodeNumber) -> OpenContent? { slots.first { $0?.node == node }??.content }

    var count: Int { slots.count - vacant.count }

    // MARK: Folders

    subscript(folder handle: FolderHandleID) -> FolderListing? { folders[handle.rawValue] }

    mutating func add(_ listing: FolderListing) -> FolderHandleID {
        lastFolder += 1
        folders[lastFolder] = listing
        return FolderHandleID(rawValue: lastFolder)
    }

    mutating func remove(_ handle: FolderHandleID) -> FolderListing? { folders.removeValue(forKey: handle.rawValue) }
}
