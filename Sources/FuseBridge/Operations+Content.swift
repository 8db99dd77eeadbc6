import CFuse3
import Drive
import LinuxFiles

extension CFuse3_Operations {
    mutating func addContent() {
        unsafe open = { request, node, file in
            let drive = unsafe Adapter.of(request, .open, node).drive
            unsafe OpenReply(request, file, drive).answer { () throws(Errno) in
                let flags = unsafe CFuse3_file_flags(file)
                return try unsafe drive.open(NodeID(rawValue: node), flags: flags, caller: Caller(of: request))
            }
        }
        unsafe read = { request, node, count, offset, file in
            let drive = unsafe Adapter.of(request, .read, node).drive
            unsafe ContentReply(request).answer { () throws(Errno) in
                try unsafe drive.read(HandleID(open: file), at: FilePlace.checked(offset), count: min(count, FilePlace.mostBytes))
            }
        }
        unsafe write_buf = { request, node, data, offset, file in
            let adapter = unsafe Adapter.of(request, .write, node)
            let drive = adapter.drive
            let isDirect = CFuse3_is_direct(), directWrites = isDirect ? adapter.directWrites.value : nil
            unsafe WriteReply(request, node, offset, directWrites).answer { () throws(Errno) in
                let writer = CFuse3_loses_set_ids() ? unsafe Caller(of: request) : nil
                let end: WriteEnd = unsafe CFuse3_file_flags(file) & OpenFlags.append.rawValue == 0 ? .asAsked : isDirect ? .appendedInPieces : .appended
                return try unsafe drive.write(HandleID(open: file), at: FilePlace.checked(offset), count: CFuse3_data_size(data), end, isMapped: CFuse3_is_mapped(), losingSetIDs: writer) {
                    (descriptor, place) throws(Errno) in try unsafe moved(data, to: descriptor, at: place, whole: isDirect)
                }
            }
        }
        unsafe flush = { request, node, file in
            let drive = unsafe Adapter.of(request, .flush, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in try unsafe drive.flush(HandleID(open: file)) }
        }
        unsafe fsync = { request, node, dataOnly, file in
            let drive = unsafe Adapter.of(request, .fsync, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in
                try unsafe drive.sync(HandleID(open: file), dataOnly: dataOnly != 0)
            }
        }
        unsafe release = { request, node, file in
            let drive = unsafe Adapter.of(request, .release, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in unsafe drive.release(HandleID(open: file)) }
        }
        addRanges()
    }

    private mutating func addRanges() {
        unsafe fallocate = { request, node, mode, offset, length, file in
            let drive = unsafe Adapter.of(request, .fallocate, node).drive
            unsafe DoneReply(request).answer { () throws(Errno) in
                try unsafe drive.allocate(
                    HandleID(open: file), mode: mode, offset: FilePlace.checked(offset), length: FilePlace.checked(length), caller: Caller(of: request))
            }
        }
        unsafe lseek = { request, node, offset, whence, file in
            let drive = unsafe Adapter.of(request, .lseek, node).drive
            unsafe OffsetReply(request).answer { () throws(Errno) in
                // Before the beginning there is no data and no hole, which is another answer than that of a wrong place.
                try unsafe drive.seek(HandleID(open: file), to: Int64(offset), whence: whence)
            }
        }
        unsafe copy_file_range = { request, from, fromOffset, fromFile, to, toOffset, toFile, count, flags in
            let drive = unsafe Adapter.of(request, .copyFileRange, to).drive
            unsafe CountReply(request).answer { () throws(Errno) in
                try unsafe drive.copyRange(
                    from: HandleID(open: fromFile), at: FilePlace.checked(fromOffset),
                    to: HandleID(open: toFile), at: FilePlace.checked(toOffset), count: min(count, FilePlace.mostBytes), caller: Caller(of: request))
            }
        }
    }
}

/// Moves what a request brought to a place in a file. How many bytes it was, for there may be no room for all: of what goes past its pages
/// the kernel takes a part for an input/output error, and so that is told `whole`, or why not.
private func moved(_ data: OpaquePointer, to descriptor: Int32, at offset: Int64, whole: Bool) throws(Errno) -> Int {
    let count = unsafe CFuse3_data_move(data, descriptor, offset, whole)
    guard count >= 0 else { throw Errno(rawValue: Int32(-count)) }
    return count
}
