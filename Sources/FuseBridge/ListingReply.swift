import CFuse3
import Drive
import Glibc
import LinuxFiles

/// A page of a folder's listing: entries are written where they will be sent from, without a step between.
struct ListingReply: ~Copyable {
    private let reply: Reply

    /// More than any kernel has room for.
    private static let mostRoom = 1 << 20

    init(_ request: OpaquePointer) { unsafe reply = Reply(request) }

    /// Reads the folder until the page is full. With `attributes`, each entry tells what a look-up would.
    consuming func answer(_ drive: any ServedTree, _ folder: FolderHandleID, from position: UInt64, room: Int, attributes: Bool) {
        let request = unsafe reply.take(), room = min(room, Self.mostRoom)
        // SAFETY: the page lives through the closure, libfuse copies out of it when it replies, and
        // `put` writes nothing when the entry does not fit into the space it is told.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { page in
            guard let start = page.baseAddress else { return unsafe Reply(request).fail(.invalid) }
            var used = 0
            do throws(Errno) {
                try drive.readFolder(folder, from: position, counting: attributes) { entry in
                    let needed = unsafe Self.put(entry, request, start + used, room - used, attributes: attributes)
                    guard needed <= room - used else { return false }
                    used += needed
                    return true
                }
            } catch where used == 0 {
                return unsafe Reply(request).fail(error)
            } catch {
                // What was read before is shown; the error comes again when the kernel goes on from there.
            }
            _ = unsafe CFuse3_reply_bytes(request, start, used)
        }
    }

    @inline(__always)
    private static func put(
        _ entry: borrowing FolderEntry, _ request: OpaquePointer, _ page: UnsafeMutablePointer<CChar>, _ space: Int, attributes: Bool
    ) -> Int {
        unsafe withBytes(of: entry) { name in
            let text = unsafe name.baseAddress.unsafelyUnwrapped
            if attributes {
                var facts = CFuse3_Entry(entry.entry)
                // The kernel is not told a node that it would have to forget.
                if entry.isNameOnly { facts.node = 0 }
                return unsafe CFuse3_put_entry_plus(request, page, space, text, name.count, &facts, entry.next)
            }
            var facts = stat(entry.entry.attributes)
            return unsafe CFuse3_put_entry(request, page, space, text, name.count, &facts, entry.next)
        }
    }

    @inline(__always)
    private static func withBytes(of entry: borrowing FolderEntry, _ body: (UnsafeBufferPointer<UInt8>) -> Int) -> Int {
        let dots: StaticString = entry.dots == .one ? "." : ".."
        // SAFETY: a name has at least one byte, so its buffer has an address; so has a static string.
        if let name = entry.name, entry.dots == .none { return unsafe name.bytes.withUnsafeBufferPointer(body) }
        return dots.withUTF8Buffer(body)
    }
}
