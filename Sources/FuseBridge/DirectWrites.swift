import CFuse3
import Dispatch

/// Writes that go past the kernel's pages (O_DIRECT), until they are answered.
///
/// The kernel lets go of the pages under such a write before it asks for it, and again after the answer; but of one that a program
/// made asynchronously only before. Who reads the range meanwhile makes the kernel remember what was there, and that would be
/// served from then on. So the kernel is told to let go of them when the bytes are written and the program does not know it yet.
///
/// 1. A page that is being read is locked by the kernel until the read is answered, and the notice waits for it. Told by the
///    threads that answer, all of them could come to wait for a read that nobody is left to answer. So one thread of its own
///    tells it, and answers the write.
/// 2. What waits here holds no lane: the read may wait for one.
/// 3. A write that was to go past the pages, and for which the kernel fell back to them, keeps them locked until it is answered.
///    It does not come as a direct one (Request.c).
final class DirectWrites: Sendable {
    private let queue = DispatchQueue(label: "valise.direct-writes")
    private let session: Session

    init(_ session: Session) { self.session = session }

    /// Lets go of what the kernel remembers of a range, and then does the rest.
    func forget(_ node: UInt64, from offset: Int64, count: Int, _ answer: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            // SAFETY: what waits here keeps the session.
            _ = unsafe CFuse3_notify_content(session.handle, node, offset, Int64(count))
            answer()
        }
    }
}
