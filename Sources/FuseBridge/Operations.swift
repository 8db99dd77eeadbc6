import CFuse3

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
