import CFuse3
import Drive
import LinuxFiles

extension CFuse3_Operations {
    mutating func addFolders() {
        unsafe opendir = { request, node, file in
            let drive = unsafe Adapter.of(request, .opendir, node).drive
            unsafe OpenFolderReply(request, file, drive).answer { () throws(Errno) in
                try unsafe drive.openFolder(NodeID(rawValue: node), flags: CFuse3_file_flags(file), caller: Caller(of: request))
            }
        }
        unsafe readdir = { request, node, room, position, file in
            let drive = unsafe Adapter.of(request, .readdir, node).drive
            unsafe ListingReply(request).answer(
                drive, FolderHandleID(open: file), from: UInt64(bitPattern: Int64(position)), room: room, attributes: false)
        }
        unsafe readdirplus = { request, node, room, position, file in
            let drive = unsafe Adapter.of(request, .readdirplus, node).drive
            unsafe ListingReply(request).answer(
                drive, FolderHandleID(open: file), from: UInt64(bitPattern: Int64(position)), room: room, attributes: true)
        }
        unsafe releasedir = { request, node, file in
            let drive = unsafe Adapter.of(request, .releasedir, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in unsafe drive.releaseFolder(FolderHandleID(open: file)) }
        }
        unsafe fsyncdir = { request, node, dataOnly, file in
            let drive = unsafe Adapter.of(request, .fsyncdir, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in try drive.syncFolder(NodeID(rawValue: node)) }
        }
    }
}
