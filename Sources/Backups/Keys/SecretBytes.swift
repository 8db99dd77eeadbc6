import Glibc

/// A password or a key: its memory is overwritten when nobody has it any more, and is in no core dump.
@safe package final class SecretBytes: @unchecked Sendable {
    // SAFETY, of `Sendable` too: the memory is this object's, is written before it is handed on, and is freed with it.
    private let bytes: UnsafeMutableRawBufferPointer
    private let mapped: Int

    package var count: Int { unsafe bytes.count }

    /// `fill` is given memory of whole pages that no core dump has; nil where there is none.
    package init?(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Bool) {
        let page = Int(getpagesize()), length = (max(1, count) + page - 1) / page * page
        let start = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard unsafe start != MAP_FAILED, let start = unsafe start else { return nil }
        // Neither in a core dump nor, where this process may have that, in the swap.
        _ = unsafe madvise(start, length, MADV_DONTDUMP)
        _ = unsafe mlock(start, length)
        unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
        mapped = length
        if unsafe !fill(bytes) { return nil }
    }

    package convenience init?(_ copied: some Collection<UInt8>) {
        unsafe self.init(count: copied.count) { (memory) in
            unsafe memory.copyBytes(from: copied)
            return true
        }
    }

    deinit {
        // SAFETY: the mapping is this object's, and nobody reads it after this.
        guard let start = unsafe bytes.baseAddress else { return }
        unsafe explicit_bzero(start, mapped)
        unsafe munmap(start, mapped)
    }

    /// A process that this one starts has zeros in its place.
    package func staysHere() {
        // SAFETY: the mapping is this object's.
        if let start = unsafe bytes.baseAddress { _ = unsafe madvise(start, mapped, MADV_WIPEONFORK) }
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(bytes))
    }
}

private let MADV_DONTDUMP: Int32 = 16, MADV_WIPEONFORK: Int32 = 18

extension SecretBytes {
    /// Bytes that were secret and are in an array: overwritten where they lie.
    package static func wipe(_ array: inout [UInt8]) {
        // SAFETY: the buffer is the array's.
        unsafe array.withUnsafeMutableBytes { (memory) in
            if let start = memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
        }
        array = []
    }
}
