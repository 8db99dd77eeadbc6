import CFuse3
import Drive

extension CFuse3_Operations {
    /// Every callback the drive serves. There is none for `access`, because the kernel checks permissions,
    /// and none for locks, because the kernel keeps them itself.
    static func all() -> CFuse3_Operations {
        var operations = CFuse3_Operations()
        operations.addNames()
        operations.addAttributes()
        operations.addFolders()
        operations.addContent()
        operations.addChanges()
        operations.addExtendedAttributes()
        return operations
    }
}

/// What is answered whatever the stores do: how the drive is, and what leads there. A thread is kept for it (Pool.c), so that a
/// store that does not answer keeps nobody from asking.
let needsNoStore: CFuse3_NeedsNoStore = { node, name in
    let node = NodeID(rawValue: node)
    guard let name = unsafe name else { return [.root, .control, .status].contains(node) }
    let bytes = unsafe bytesOf(name)
    return unsafe node == .root && bytes.elementsEqual(Drive.controlFolder.bytes) || node == .control && bytes.elementsEqual("status".utf8)
}
