import CFuse3
import Drive
import LinuxFiles

extension CFuse3_Operations {
    mutating func addExtendedAttributes() {
        unsafe getxattr = { request, node, name, room in
            let drive = unsafe Adapter.of(request, .getxattr, node).drive
            unsafe AttributeValueReply(request, room: room).answer { () throws(Errno) in
                let name = unsafe Array(bytesOf(name))
                return try drive.extendedAttribute(name, of: NodeID(rawValue: node), caller: unsafe Caller(of: request))
            }
        }
        unsafe setxattr = { request, node, name, value, size, flags in
            let drive = unsafe Adapter.of(request, .setxattr, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in
                let name = unsafe Array(bytesOf(name))
                let value = unsafe Array(UnsafeRawBufferPointer(start: value, count: size))
                try drive.setExtendedAttribute(
                    name, of: NodeID(rawValue: node), to: value, flags: flags, caller: unsafe Caller(of: request))
            }
        }
        unsafe removexattr = { request, node, name in
            let drive = unsafe Adapter.of(request, .removexattr, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in
                let name = unsafe Array(bytesOf(name))
                try drive.removeExtendedAttribute(name, of: NodeID(rawValue: node), caller: unsafe Caller(of: request))
            }
        }
        unsafe listxattr = { request, node, room in
            let drive = unsafe Adapter.of(request, .listxattr, node).drive
            unsafe AttributeValueReply(request, room: room).answer { () throws(Errno) in
                // Each followed by a zero, as listxattr(2) wants them.
                try drive.extendedAttributeNames(of: NodeID(rawValue: node), caller: unsafe Caller(of: request)).flatMap { $0 + [0] }
            }
        }
    }
}
