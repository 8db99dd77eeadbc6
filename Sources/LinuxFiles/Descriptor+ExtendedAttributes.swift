import CLinux
import Glibc

// Extended attributes. Their names are bytes without a NUL, "user.something".
extension Descriptor {
    /// How a file's attributes are reached. What cannot be opened for reading (a pipe, a file without permission)
    /// and a place are reached through /proc.
    private borrowing func throughPlace<Result>(_ call: (UnsafePointer<CChar>) -> Result) -> Result {
        let path = Array("/proc/self/fd/\(rawValue)".utf8CString)
        return unsafe path.withUnsafeBufferPointer { unsafe call($0.baseAddress!) }
    }

    public borrowing func extendedAttribute(_ name: [UInt8]) throws(Errno) -> [UInt8] {
        let text = try Self.attributeName(name)
        while true {
            let size = try retrying { unsafe throughPlace { unsafe getxattr($0, text, nil, 0) } }
            var value = [UInt8](repeating: 0, count: size)
            do throws(Errno) {
                let count = try retrying { unsafe throughPlace { path in unsafe getxattr(path, text, &value, value.count) } }
                return Array(value.prefix(count))
            } catch {
                // It grew between the two calls.
                if error != .range { throw error }
            }
        }
    }

    public borrowing func extendedAttributeNames() throws(Errno) -> [[UInt8]] {
        while true {
            let size = try retrying { unsafe throughPlace { unsafe listxattr($0, nil, 0) } }
            guard size > 0 else { return [] }
            var list = [CChar](repeating: 0, count: size)
            do throws(Errno) {
                let count = try retrying { unsafe throughPlace { path in unsafe listxattr(path, &list, list.count) } }
                return list.prefix(count).split(separator: 0).map { $0.map { UInt8(bitPattern: $0) } }
            } catch {
                if error != .range { throw error }
            }
        }
    }

    /// Those of a name in this folder, in one call where there are none; of a symbolic link, its own.
    public borrowing func extendedAttributeNames(of name: Name) throws(Errno) -> [[UInt8]] {
        let path = Array("/proc/self/fd/\(rawValue)/".utf8CString.dropLast()) + name.bytes.map { CChar(bitPattern: $0) } + [0]
        // SAFETY: llistxattr reads the text to its end and, without room, writes nothing.
        let size = try retrying { unsafe llistxattr(path, nil, 0) }
        return size > 0 ? try open(name, .path).extendedAttributeNames() : []
    }

    /// `flags` are those of setxattr(2).
    public borrowing func setExtendedAttribute(_ name: [UInt8], to value: [UInt8], flags: Int32 = 0) throws(Errno) {
        try PlaceChange.make(.attribute(name, value: value, flags: flags), of: self)
    }

    /// Also of a file that may not be written. Attributes are written like content: the permission for it is needed once more.
    public borrowing func setExtendedAttributes(_ attributes: [[UInt8]: [UInt8]]) throws(Errno) {
        guard !attributes.isEmpty else { return }
        let permissions = try status().permissions, isClosed = permissions & 0o200 == 0
        if isClosed { try setPlacePermissions(permissions | 0o200) }
        for (name, value) in attributes { try setExtendedAttribute(name, to: value) }
        if isClosed { try setPlacePermissions(permissions) }
    }

    public borrowing func removeExtendedAttribute(_ name: [UInt8]) throws(Errno) { try PlaceChange.make(.removal(name), of: self) }

    private static func attributeName(_ name: [UInt8]) throws(Errno) -> [CChar] {
        guard !name.isEmpty, !name.contains(0) else { throw .invalid }
        return name.map { CChar(bitPattern: $0) } + [0]
    }
}
