/// What went wrong, for a program and for a person: the errno that a caller gets,
/// a sentence that names the file and the mend, and what lay beneath.
public struct Failure: Error, Sendable {
    public let errno: Errno
    public let sentence: String
    public let cause: (any Error)?

    public init(_ errno: Errno, _ sentence: String, cause: (any Error)? = nil) {
        self.errno = errno
        self.sentence = sentence
        self.cause = cause
    }
}

extension Failure: CustomStringConvertible {
    public var description: String { sentence }
}

extension Failure {
    /// A system call's error on something that has a name: "cannot open “x”: Permission denied".
    public static func cannot(_ deed: String, _ name: Name, _ errno: Errno) -> Failure {
        Failure(errno, "cannot \(deed) “\(name)”: \(errno)", cause: errno)
    }
}
