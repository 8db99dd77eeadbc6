import CFuse3
import Drive
import LinuxFiles

extension CFuse3_Operations {
    mutating func addAttributes() {
        unsafe getattr = { request, node, file in
            let drive = unsafe Adapter.of(request, .getattr, node).drive
            unsafe AttributesReply(request).answer { () throws(Errno) in
                let attributes = try unsafe drive.attributes(of: NodeID(rawValue: node), handle: HandleID(of: file), caller: Caller(of: request))
                if CFuse3_asks_birth(), let birth = drive.birth(of: NodeID(rawValue: node)) { CFuse3_say_birth(birth.seconds, birth.nanoseconds) }
                return attributes
            }
        }
        unsafe setattr = { request, node, facts, what, file in
            let drive = unsafe Adapter.of(request, .setattr, node).drive
            unsafe AttributesReply(request).answer { () throws(Errno) in
                return try unsafe drive.setAttributes(
                    of: NodeID(rawValue: node), try AttributeChange(what, facts.pointee), handle: HandleID(of: file),
                    caller: Caller(of: request))
            }
        }
        unsafe statfs = { request, node in
            let drive = unsafe Adapter.of(request, .statfs, node).drive
            unsafe FileSystemReply(request).answer { () throws(Errno) in try drive.fileSystemStatus(of: NodeID(rawValue: node)) }
        }
    }
}
