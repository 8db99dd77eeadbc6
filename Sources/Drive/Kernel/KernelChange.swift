import LinuxFiles

/// What changed, as far as the kernel may remember something else.
enum KernelChange: Sendable {
    /// A name may mean something else.
    case entry(Name, in: NodeNumber)
    /// A name that is gone, and the node that it led to, if the kernel knows it.
    case removed(ShownEntry, was: NodeNumber?)
    case added(ShownEntry)
    case attributes(NodeNumber)
    case content(NodeNumber)
}

/// An entry as it is shown, or was.
struct ShownEntry: Sendable {
    let name: Name
    let folder: NodeNumber
    let number: UInt64
    let type: FileType
    let isListed: Bool
    let isDocument: Bool
}
