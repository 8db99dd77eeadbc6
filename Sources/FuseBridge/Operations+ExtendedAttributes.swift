import CFuse3
import Drive
import LinuxFiles

extension CFuse3_Operations {
    mutating func addExtendedAttributes() {
        unsafe getxattr = { request, node, name, room in
            let adapter = unsafe Adapter.of(request, .getxattr, node)
            unsafe AttributeValueReply(request, room: room).answer { () throws(Errno) in
                let name = try adapter.attribute(unsafe Array(bytesOf(name)))
                let caller = unsafe Caller(of: request)
                return try adapter.drive.byName(NodeID(rawValue: node), caller, isAll: false) { (node) throws(Errno) in
                    try adapter.drive.extendedAttribute(name, of: node, caller: caller)
                }
            }
        }
        unsafe setxattr = { request, node, name, value, size, flags in
            let adapter = unsafe Adapter.of(request, .setxattr, node)
            unsafe DoneReply(request).answer { () throws(Errno) in
                let name = try adapter.attribute(unsafe Array(bytesOf(name)))
                let value = unsafe Array(UnsafeRawBufferPointer(start: value, count: size))
                let caller = unsafe Caller(of: request)
                try adapter.drive.byName(NodeID(rawValue: node), caller) { (node) throws(Errno) in
                    try adapter.drive.setExtendedAttribute(name, of: node, to: value, flags: flags, caller: caller)
                }
            }
        }
        unsafe removexattr = { request, node, name in
            let adapter = unsafe Adapter.of(request, .removexattr, node)
            unsafe DoneReply(request).answer { () throws(Errno) in
                let name = try adapter.attribute(unsafe Array(bytesOf(name)))
                let caller = unsafe Caller(of: request)
                try adapter.drive.byName(NodeID(rawValue: node), caller) { (node) throws(Errno) in
                    try adapter.drive.removeExtendedAttribute(name, of: node, caller: caller)
                }
            }
        }
        unsafe listxattr = { request, node, room in
            let adapter = unsafe Adapter.of(request, .listxattr, node)
            unsafe AttributeValueReply(request, room: room).answer { () throws(Errno) in
                let names = try adapter.drive.byName(NodeID(rawValue: node), unsafe Caller(of: request)) { (node) throws(Errno) in
                    try adapter.drive.extendedAttributeNames(of: node)
                }
                return adapter.list(of: names)
            }
        }
    }
}

extension Adapter {
    /// `name`, unless it is of a namespace that does not exist here. "Not supported" is what `ls` remembers
    /// of a file system; any other answer, and it asks again for every file.
    func attribute(_ name: [UInt8]) throws(Errno) -> [UInt8] {
        guard serves(name) else { throw .notSupported }
        return name
    }

    /// Names as listxattr(2) wants them: each followed by a zero.
    func list(of names: [[UInt8]]) -> [UInt8] {
        var list: [UInt8] = []
        for name in names where serves(name) {
            list += name
            list.append(0)
        }
        return list
    }

    private func serves(_ name: [UInt8]) -> Bool {
        if name.starts(with: "system.".utf8) { return accessLists && name.starts(with: "system.posix_acl_".utf8) }
        return !name.starts(with: "security.".utf8)
    }
}
