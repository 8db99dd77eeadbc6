import LinuxFiles

/// The names of a node, in the container's folder and as it is shown, in as little memory as may be: there are very many, and
/// mostly the one is the other with another extension.
///
/// Its bytes are the length of the stored name, how much of that the shown one begins with, the stored name, and the rest of the
/// shown one. They lie in the node itself where they are few.
struct NodeNames {
    private enum Form {
        /// Filled up with zeros, which no name has.
        case short(UInt64, UInt64, UInt64)
        case long([UInt8])
    }

    private let form: Form
    private static let head = 2, room = 24

    init(stored: Name, shown: Name) {
        let (stored, shown) = (stored.bytes, shown.bytes)
        var shared = 0
        while shared < min(stored.count, shown.count), stored[shared] == shown[shared] { shared += 1 }
        let count = Self.head + stored.count + shown.count - shared
        if count > Self.room {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            bytes += [UInt8(stored.count), UInt8(shared)]
            bytes += stored
            bytes += shown[shared...]
            form = .long(bytes)
        } else {
            var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
            // SAFETY: there is room for all of them, as was just found.
            unsafe withUnsafeMutableBytes(of: &words) { bytes in
                unsafe bytes[0] = UInt8(stored.count)
                unsafe bytes[1] = UInt8(shared)
                for (index, byte) in stored.enumerated() { unsafe bytes[Self.head + index] = byte }
                for index in shared..<shown.count { unsafe bytes[Self.head + stored.count + index - shared] = shown[index] }
            }
            form = .short(words.0, words.1, words.2)
        }
    }

    // SAFETY: nothing keeps the bytes that it is given.
    var stored: Name { unsafe withStored(Self.name) }
    var shown: Name { unsafe withShown(Self.name) }

    func isStored(_ name: Name) -> Bool { unsafe withStored { unsafe Self.isSame($0, name.bytes) } }
    func isShown(_ name: Name) -> Bool { unsafe withShown { unsafe Self.isSame($0, name.bytes) } }

    var storedHash: Int { unsafe withStored { unsafe nameHash($0) } }
    var shownHash: Int { unsafe withShown { unsafe nameHash($0) } }

    /// What was made of a name is one.
    private static func name(_ bytes: UnsafeRawBufferPointer) -> Name { unsafe Name(Array(bytes)) ?? Tree.noName }

    private static func isSame(_ bytes: UnsafeRawBufferPointer, _ others: [UInt8]) -> Bool {
        guard bytes.count == others.count else { return false }
        for index in others.indices where unsafe bytes[index] != others[index] { return false }
        return true
    }

    @inline(__always)
    private func withStored<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        // SAFETY: the bytes live through the call, and the first tells how many of them are the name.
        unsafe withBytes { bytes in
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[Self.head..<(Self.head + Int(bytes[0]))]))
        }
    }

    @inline(__always)
    private func withShown<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        // SAFETY: the bytes live through the call, and so does the copy, which has room for all of them.
        unsafe withBytes { bytes in
            let stored = unsafe Int(bytes[0]), shared = unsafe Int(bytes[1]), rest = Self.head + stored
            var end = bytes.count
            while end > rest, unsafe bytes[end - 1] == 0 { end -= 1 }
            if shared == stored, end == rest { return unsafe body(UnsafeRawBufferPointer(rebasing: bytes[Self.head..<rest])) }
            return unsafe withUnsafeTemporaryAllocation(byteCount: shared + end - rest, alignment: 1) { copy in
                unsafe copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Self.head..<(Self.head + shared)]))
                unsafe UnsafeMutableRawBufferPointer(rebasing: copy[shared...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[rest..<end]))
                return unsafe body(UnsafeRawBufferPointer(copy))
            }
        }
    }

    @inline(__always)
    private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        switch form {
        // SAFETY: the words and the array live through the call.
        case .short(let first, let second, let third): unsafe withUnsafeBytes(of: (first, second, third), body)
        case .long(let bytes): unsafe bytes.withUnsafeBytes(body)
        }
    }
}
