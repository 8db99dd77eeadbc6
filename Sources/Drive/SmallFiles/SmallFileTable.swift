import LinuxFiles

/// What of a folder of small files is in memory: its nodes, what is open, what is being written. A plain struct behind the folder's lock.
struct SmallFileTable {
    struct DraftID: Hashable, Sendable { fileprivate let number: UInt64 }

    /// What somebody writes, until it is saved as a whole.
    struct Draft: Sendable {
        /// The file's name; nil when it was taken away.
        var name: Name?
        /// The content is in memory only, and not saved yet.
        let file: OpenFile
        var type: String?
        var writers = 0
        /// Somebody wrote to it since it was saved or refused.
        var isWritten = false
        /// It is to be saved even if nobody writes to it: it is new, or was cut when it was opened.
        var isOwed = false
        /// Part of what was to be written was refused: what was written besides is none of anybody's.
        var isCutShort = false
        /// The reason for which the content was refused when it was closed.
        var fault: Failure?
    }

    enum Content: Sendable {
        case bytes([UInt8])
        case file(OpenFile)
        case draft(DraftID)
    }

    struct Handle: Sendable {
        let node: UInt32
        let content: Content
    }

    /// Where a name is to be looked for.
    enum Place: Sendable {
        case draft(DraftID)
        case store
        /// It lies in the store, and had its name taken away a moment ago.
        case away
    }

    var nodes = ControlNodes<Name>()
    private(set) var drafts: [DraftID: Draft] = [:]
    private var draftsByName: [Name: DraftID] = [:]
    private var lastDraft: UInt64 = 0
    private var handles: [Handle?] = []
    private var vacantHandles: [Int] = []
    /// Names that a program gave to a file beside, as it does before it writes a new one: see `SmallFileFolder.settle`.
    private(set) var away: Set<Name> = []
    /// Why files that are there were not saved anew.
    private var faults: [Name: String] = [:]

    private static let mostDrafts = 256

    // MARK: Drafts

    func place(of name: Name) -> Place {
        if let draft = draftsByName[name] { return .draft(draft) }
        return away.contains(name) ? .away : .store
    }

    func draft(called name: Name) -> DraftID? { draftsByName[name] }
    var draftNames: [Name] { Array(draftsByName.keys) }

    subscript(id: DraftID) -> Draft? {
        get { drafts[id] }
        set { drafts[id] = newValue }
    }

    mutating func add(_ draft: Draft) throws(Errno) -> DraftID {
        guard drafts.count < Self.mostDrafts else { throw .noSpace }
        lastDraft += 1
        let id = DraftID(number: lastDraft)
        drafts[id] = draft
        if let name = draft.name { draftsByName[name] = id }
        return id
    }

    /// A draft has no name any more, and is gone with the last who writes to it.
    mutating func detachDraft(called name: Name) {
        guard let id = draftsByName.removeValue(forKey: name) else { return }
        drafts[id]?.name = nil
        if drafts[id]?.writers == 0 { drafts[id] = nil }
    }

    /// A draft that nobody needs: it was saved, or refused.
    mutating func drop(_ id: DraftID) {
        if let name = drafts[id]?.name, draftsByName[name] == id { draftsByName[name] = nil }
        drafts[id] = nil
    }

    mutating func rename(_ id: DraftID, to new: Name) {
        if let old = drafts[id]?.name { draftsByName[old] = nil }
        detachDraft(called: new)
        drafts[id]?.name = new
        draftsByName[new] = id
    }

    // MARK: Names that are away

    mutating func putAway(_ name: Name) { away.insert(name) }
    mutating func takeBack(_ name: Name) -> Bool { away.remove(name) != nil }

    // MARK: Faults

    mutating func setFault(_ fault: String?, of name: Name) { faults[name] = fault }
    func fault(of name: Name) -> String? { faults[name] }

    // MARK: Handles

    mutating func add(_ handle: Handle) -> UInt32 {
        nodes.hold(handle.node)
        if case .draft(let id) = handle.content { drafts[id]?.writers += 1 }
        if let free = vacantHandles.popLast() {
            handles[free] = handle
            return UInt32(truncatingIfNeeded: free)
        }
        handles.append(handle)
        return UInt32(truncatingIfNeeded: handles.count - 1)
    }

    func handle(_ number: UInt32) -> Handle? { handles.indices.contains(Int(number)) ? handles[Int(number)] : nil }

    mutating func removeHandle(_ number: UInt32) -> Handle? {
        guard let handle = handle(number) else { return nil }
        handles[Int(number)] = nil
        vacantHandles.append(Int(number))
        nodes.letGo(handle.node)
        return handle
    }
}
