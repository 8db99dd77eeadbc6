import CFuse3
import Drive
import Glibc
import LinuxFiles

/// What a callback finds behind its request.
///
/// The callbacks are in the `Operations+` files: each counts, decodes, makes one call on the drive and
/// hands the result to a reply. They decide nothing. A request's bytes are read before that, in C: Request.c sees whether
/// it is whole, and libfuse takes it apart.
final class Adapter: Sendable {
    let drive: any ServedTree
    /// While the session runs.
    let directWrites = Latest<DirectWrites?>(nil)

    init(drive: any ServedTree) { self.drive = drive }

    @inline(__always)
    static func of(_ request: OpaquePointer, _ kind: RequestKind, _ node: UInt64) -> Adapter {
        let adapter = unsafe of(request)
        adapter.drive.count(kind, at: NodeID(rawValue: node))
        return adapter
    }

    @inline(__always)
    static func of(_ request: OpaquePointer) -> Adapter {
        // SAFETY: libfuse was given the session's adapter as its context; the session keeps it until the last request.
        unsafe Unmanaged<Adapter>.fromOpaque(CFuse3_context(request)).takeUnretainedValue()
    }
}

extension Caller {
    init(of request: OpaquePointer) {
        let caller = unsafe CFuse3_caller(request)
        self.init(user: caller.user, group: caller.group, thread: caller.thread, umask: caller.umask)
    }
}

extension Name {
    /// A name as the kernel gives it: ended by zero, and perhaps none at all.
    init(kernel text: UnsafePointer<CChar>) throws(Errno) {
        let bytes = unsafe bytesOf(text)
        guard let name = unsafe Name(bytes) else { throw bytes.count > Name.longest ? .nameTooLong : .invalid }
        self = name
    }
}

/// The bytes of a C string, which live as long as the string does.
func bytesOf(_ text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    // SAFETY: the kernel ends its strings with zero, and Request.c has looked.
    unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
}

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

extension HandleID {
    init?(of file: OpaquePointer?) {
        guard let file = unsafe file else { return nil }
        unsafe self.init(open: file)
    }

    init(open file: OpaquePointer) { self.init(rawValue: unsafe CFuse3_file_handle(file)) }
}

extension FolderHandleID {
    init(open file: OpaquePointer) { self.init(rawValue: unsafe CFuse3_file_handle(file)) }
}
