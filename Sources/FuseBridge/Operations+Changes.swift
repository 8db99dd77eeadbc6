import CFuse3
import Drive
import Glibc
import LinuxFiles

extension CFuse3_Operations {
    mutating func addChanges() {
        unsafe mknod = { request, parent, name, mode, device in
            let drive = unsafe Adapter.of(request, .mknod, parent).drive
            unsafe EntryReply(request, drive).answer { () throws(Errno) in
                try unsafe drive.makeNode(
                    Name(kernel: name), in: NodeID(rawValue: parent), mode: mode, device: UInt64(device),
                    caller: Caller(of: request))
            }
        }
        unsafe mkdir = { request, parent, name, mode in
            let drive = unsafe Adapter.of(request, .mkdir, parent).drive
            unsafe EntryReply(request, drive).answer { () throws(Errno) in
                try unsafe drive.makeFolder(
                    Name(kernel: name), in: NodeID(rawValue: parent), mode: mode, caller: Caller(of: request))
            }
        }
        unsafe symlink = { request, target, parent, name in
            let drive = unsafe Adapter.of(request, .symlink, parent).drive
            unsafe EntryReply(request, drive).answer { () throws(Errno) in
                try unsafe drive.makeSymbolicLink(
                    Name(kernel: name), in: NodeID(rawValue: parent), to: Array(bytesOf(target)),
                    caller: Caller(of: request))
            }
        }
        unsafe link = { request, node, newParent, newName in
            let drive = unsafe Adapter.of(request, .link, node).drive
            unsafe EntryReply(request, drive).answer { () throws(Errno) in
                try unsafe drive.link(
                    NodeID(rawValue: node), as: Name(kernel: newName), in: NodeID(rawValue: newParent), caller: Caller(of: request))
            }
        }
        unsafe create = { request, parent, name, mode, file in
            let drive = unsafe Adapter.of(request, .create, parent).drive
            unsafe CreateReply(request, file, drive).answer { () throws(Errno) in
                let (folder, flags, caller) = unsafe (NodeID(rawValue: parent), CFuse3_file_flags(file), Caller(of: request))
                // What Request.c made of O_TMPFILE.
                if unsafe strcmp(name, "/") == 0 { return try drive.createNameless(in: folder, mode: mode, flags: flags, caller: caller) }
                return try drive.create(unsafe Name(kernel: name), in: folder, mode: mode, flags: flags, caller: caller)
            }
        }
        addRemovals()
    }

    private mutating func addRemovals() {
        unsafe unlink = { request, parent, name in
            let drive = unsafe Adapter.of(request, .unlink, parent).drive
            unsafe DoneReply(request).answer { () throws(Errno) in
                try unsafe drive.unlink(Name(kernel: name), in: NodeID(rawValue: parent), caller: Caller(of: request))
            }
        }
        unsafe rmdir = { request, parent, name in
            let drive = unsafe Adapter.of(request, .rmdir, parent).drive
            unsafe DoneReply(request).answer { () throws(Errno) in
                try unsafe drive.removeFolder(Name(kernel: name), in: NodeID(rawValue: parent), caller: Caller(of: request))
            }
        }
        unsafe rename = { request, parent, name, newParent, newName, flags in
            let drive = unsafe Adapter.of(request, .rename, parent).drive
            unsafe DoneReply(request).answer { () throws(Errno) in
                try unsafe drive.rename(
                    Name(kernel: name), in: NodeID(rawValue: parent), to: Name(kernel: newName),
                    in: NodeID(rawValue: newParent), flags: flags, caller: Caller(of: request))
            }
        }
    }
}
