import CFuse3
import Drive
import LinuxFiles

// SAFETY, for all callbacks in the `Operations+` files: what libfuse passes lives until the request is
// answered, and each request is answered once, as the last thing done with it.

extension CFuse3_Operations {
    mutating func addNames() {
        unsafe lookup = { request, parent, name in
            let drive = unsafe Adapter.of(request, .lookup, subject(of: name, in: parent)).drive
            unsafe EntryReply(request, drive).answer { () throws(Errno) in
                try unsafe drive.lookUp(LookedUp(kernel: name), in: NodeID(rawValue: parent), caller: Caller(of: request))
            }
        }
        unsafe forget = { request, node, count in
            unsafe Adapter.of(request, .forget, node).drive.forget(NodeID(rawValue: node), count: count)
            unsafe CFuse3_reply_none(request)
        }
        unsafe forget_multi = { request, count, forgotten in
            let drive = unsafe Adapter.of(request, .forget, 0).drive
            for index in 0..<count {
                let node = unsafe NodeID(rawValue: CFuse3_forgotten_node(forgotten, index))
                drive.forget(node, count: unsafe CFuse3_forgotten_count(forgotten, index))
            }
            unsafe CFuse3_reply_none(request)
        }
        unsafe readlink = { request, node in
            let drive = unsafe Adapter.of(request, .readlink, node).drive
            unsafe LinkReply(request).answer { () throws(Errno) in try drive.readLink(NodeID(rawValue: node), caller: unsafe Caller(of: request)) }
        }
    }
}

/// What a look-up is counted for: who looks for the control folder asks it and not the root.
private func subject(of name: UnsafePointer<CChar>, in folder: UInt64) -> UInt64 {
    let isControl = unsafe folder == NodeID.root.rawValue && bytesOf(name).elementsEqual(Drive.controlFolder.bytes)
    return isControl ? NodeID.control.rawValue : folder
}

extension LookedUp {
    init(kernel name: UnsafePointer<CChar>) throws(Errno) {
        switch unsafe bytesOf(name).elementsEqual(".".utf8) {
        case true: self = .itself
        case false where unsafe bytesOf(name).elementsEqual("..".utf8): self = .parent
        case false: self = .name(try unsafe Name(kernel: name))
        }
    }
}
