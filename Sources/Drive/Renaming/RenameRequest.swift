import LinuxFiles

/// One rename, as it was asked for.
struct RenameRequest {
    let id: NodeNumber
    let node: Node
    let replaced: NodeNumber?
    /// What is replaced, where it is no document.
    let remains: OpenFile?
    let from: (folder: NodeNumber, place: OpenFile)
    let to: (folder: NodeNumber, place: OpenFile)
    let name: Name
    let caller: Caller
}
