import CFuse3
import Drive
import Glibc
import LinuxFiles

/// A request that waits for its one answer. Whoever takes it answers it; one that is let go of answers EIO and says so.
///
/// The replies in `Replies.swift` are made of this, one type for each kind of answer, so that a
/// callback cannot answer twice, not at all, or with the wrong thing.
@safe struct Reply: ~Copyable {
    private let request: OpaquePointer

    init(_ request: OpaquePointer) { unsafe self.request = request }

    deinit {
        // SAFETY: nobody took the request, so it is still libfuse's to be answered.
        _ = unsafe CFuse3_reply_error(request, EIO)
        log("a request was not answered; it got an input/output error")
    }

    /// The request, for the call that answers it.
    consuming func take() -> OpaquePointer {
        let taken = unsafe request
        discard self
        return unsafe taken
    }

    consuming func fail(_ error: Errno) {
        let request = unsafe take(), error = unsafe Adapter.of(request).drive.explained(error)
        // An answer without an error number would be a success that did not happen.
        _ = unsafe CFuse3_reply_error(request, error.rawValue > 0 ? error.rawValue : EIO)
    }
}

/// An answer that is a value: sent, or turned into an errno.
protocol ValueReply: ~Copyable {
    associatedtype Value
    consuming func send(_ value: Value)
    consuming func fail(_ error: Errno)
}

extension ValueReply where Self: ~Copyable {
    /// Makes the value and sends it, or sends what was thrown instead.
    @inline(__always)
    consuming func answer(_ value: () throws(Errno) -> Value) {
        let made: Result<Value, Errno>
        do throws(Errno) { made = .success(try value()) } catch { made = .failure(error) }
        switch made {
        case .success(let value): send(value)
        case .failure(let error): fail(error)
        }
    }
}
