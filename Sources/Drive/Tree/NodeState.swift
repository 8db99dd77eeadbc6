/// Where a node is in its life. What may follow what is in one table, `followers`; docs/ARCHITECTURE.md draws it, and NodeStateTests walks it.
enum NodeState: String, CaseIterable, Sendable {
    /// A place in the table that is nobody's.
    case vacant
    /// A file or folder as it lies in the container, or one that the drive makes itself.
    case file
    /// A document as it lies in the container.
    case document
    /// A document in the container of which somebody has written another content that is not saved.
    case drafted
    /// A new document that is a draft only: no item in the container has its name.
    case unborn
    /// Its name is gone. It lives on for those who have it open.
    case nameless

    /// What a node may be next.
    var followers: Set<NodeState> {
        switch self {
        // It is found or made; without a name by O_TMPFILE.
        case .vacant: [.file, .document, .unborn, .nameless]
        // Its name fits a kind; its name goes; the kernel has forgotten it.
        case .file: [.document, .nameless, .vacant]
        // It is written to; it gets another kind's name.
        case .document: [.drafted, .file, .nameless, .vacant]
        // It is saved or given up; its item goes from under the draft; what was written gets a plain file's name.
        case .drafted: [.document, .unborn, .file, .nameless]
        // It is being saved, as what it is or as a plain file; an app makes an item of its name, or the one that it was of is found elsewhere.
        case .unborn: [.drafted, .nameless]
        // Another name of the same file is found, or it gets one; an app has moved it or makes it anew, or has moved it to where it cannot follow;
        // nobody has it open any more.
        case .nameless: [.file, .document, .unborn, .vacant]
        }
    }
}

extension NodeTable {
    func state(of id: NodeNumber) -> NodeState {
        let state = self[id].state
        return state == .document && documents[id]?.draft != nil ? .drafted : state
    }

    /// The one way from a state to another. Debug builds end where none leads from the one to the other.
    mutating func become(_ state: NodeState, _ id: NodeNumber) {
        #if DEBUG
        let before = self.state(of: id)
        precondition(before == state || before.followers.contains(state), "a node is \(before.rawValue), and is to be \(state.rawValue)")
        #endif
        self[id].become(state)
    }
}
