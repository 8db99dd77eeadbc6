import CFuse3
import Drive
import LinuxFiles

extension CFuse3_Operations {
    mutating func addAttributes() {
        unsafe getattr = { request, node, file in
            let drive = unsafe Adapter.of(request, .getattr, node).drive
            unsafe AttributesReply(request).answer { () throws(Errno) in
                let handle = unsafe HandleID(of: file)
                return try drive.byName(NodeID(rawValue: node), unsafe Caller(of: request), isAll: false) { (node) throws(Errno) in
                    try drive.attributes(of: node, handle: handle)
                }
            }
        }
        unsafe setattr = { request, node, facts, what, file in
            let drive = unsafe Adapter.of(request, .setattr, node).drive
            unsafe AttributesReply(request).answer { () throws(Errno) in
                if unsafe drive.isHerald(Caller(of: request)) { return try drive.attributes(of: NodeID(rawValue: node), handle: nil) }
                let (change, handle, caller) = try unsafe (AttributeChange(what, facts.pointee), HandleID(of: file), Caller(of: request))
                return try drive.byName(NodeID(rawValue: node), caller) { (node) throws(Errno) in
                    try drive.setAttributes(of: node, change, handle: handle, caller: caller)
                }
            }
        }
        unsafe statfs = { request, node in
            let drive = unsafe Adapter.of(request, .statfs, node).drive
            unsafe FileSystemReply(request).answer { () throws(Errno) in try drive.fileSystemStatus() }
        }
    }
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
