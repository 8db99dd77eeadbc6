import CLinux

/// Keys that the kernel keeps for a user (keyrings(7)): they lie on no disk, programs of this user find them by their names, and each is gone when its time
/// is over. They are in a keyring of this name, in the user's own.
@safe public struct UserKeyring: Sendable {
    private let name: String
    private static let users: Int32 = -4, ofKeys = "keyring", ofBytes = "user"

    public init(_ name: String) { self.name = name }

    /// Keeps bytes for so many seconds, in the place of what had the name.
    public func keep(_ bytes: UnsafeRawBufferPointer, as key: String, seconds: UInt32) throws(Errno) {
        // SAFETY: the calls read the texts and the bytes that they are given.
        let keyring: Int32
        if let known = try found() { keyring = known } else { keyring = try check(unsafe CLinux_add_key(Self.ofKeys, name, nil, 0, Self.users)) }
        let added = try check(unsafe CLinux_add_key(Self.ofBytes, key, bytes.baseAddress, bytes.count, keyring))
        _ = try check(CLinux_set_key_timeout(added, seconds))
    }

    /// How long what is kept is that was read into a buffer, which may be longer than that; nil where there is none.
    public func read(_ key: String, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let keyring = try? found() else { return nil }
        // SAFETY: the call writes no more than the buffer has.
        let number = unsafe CLinux_find_key(keyring, Self.ofBytes, key)
        guard number >= 0 else { return nil }
        let count = unsafe CLinux_read_key(number, buffer.baseAddress, buffer.count)
        return count >= 0 ? count : nil
    }

    public func has(_ key: String) -> Bool {
        guard let keyring = try? found() else { return false }
        // SAFETY: reads a text.
        return unsafe CLinux_find_key(keyring, Self.ofBytes, key) >= 0
    }

    /// Forgets all keys of this name. False where there was none.
    public func forgetAll() throws(Errno) -> Bool {
        guard let keyring = try found() else { return false }
        _ = try check(CLinux_clear_keyring(keyring))
        _ = try check(CLinux_unlink_key(keyring, Self.users))
        return true
    }

    private func found() throws(Errno) -> Int32? {
        // SAFETY: reads texts.
        let number = unsafe CLinux_find_key(Self.users, Self.ofKeys, name)
        if number >= 0 { return number }
        let error = Errno.current
        // None of that name, one whose time is over, or one that was taken away.
        guard error.rawValue == 126 || error.rawValue == 127 || error.rawValue == 128 else { throw error }
        return nil
    }

    private func check(_ answer: Int32) throws(Errno) -> Int32 {
        guard answer >= 0 else { throw .current }
        return answer
    }
}
