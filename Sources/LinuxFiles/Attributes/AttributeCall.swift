import CLinux
import Glibc

/// A change of what a file's attributes are: a call on an open file, or one by way of /proc on a place (`OpenFlags.path`), which has no
/// calls of its own for that.
enum AttributeCall {
    case permissions(UInt32)
    /// nil leaves it as it is.
    case owner(UInt32?, group: UInt32?)
    case times(accessed: Descriptor.TimeChange?, modified: Descriptor.TimeChange?)
    /// The flags are those of setxattr(2).
    case attribute([UInt8], value: [UInt8], flags: Int32)
    case removal([UInt8])

    /// Throws `.badDescriptor` where that is a place.
    func make(on file: Int32) throws(Errno) {
        switch self {
        case .permissions(let mode): _ = try retrying { fchmod(file, mode) }
        case .owner(let user, let group): _ = try retrying { fchown(file, user ?? .max, group ?? .max) }
        case .times(let accessed, let modified):
            let times = Self.times(accessed, modified)
            // SAFETY: futimens reads the two times.
            _ = try retrying { unsafe futimens(file, times) }
        case .attribute(let name, let value, let flags):
            let text = try Self.text(name)
            // SAFETY: the name ends in zero, and the count is the value's.
            _ = try retrying { unsafe fsetxattr(file, text, value, value.count, flags) }
        case .removal(let name):
            let text = try Self.text(name)
            // SAFETY: the name ends in zero.
            _ = try retrying { unsafe fremovexattr(file, text) }
        }
    }

    /// Changes what a place stands for, a symbolic link itself.
    func make(at place: Int32) throws(Errno) {
        let path = Array("/proc/thread-self/fd/\(place)".utf8CString)
        switch self {
        case .permissions(let mode): _ = try retrying { CLinux_fchmodat_link(place, mode) }
        // SAFETY: both texts end in zero.
        case .owner(let user, let group): _ = try retrying { unsafe fchownat(place, "", user ?? .max, group ?? .max, CLinux_AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) }
        case .times(let accessed, let modified):
            let times = Self.times(accessed, modified)
            // SAFETY: utimensat reads the two times.
            _ = try retrying { unsafe utimensat(place, "", times, CLinux_AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) }
        case .attribute(let name, let value, let flags):
            let text = try Self.text(name)
            // SAFETY: the texts end in zero, and the count is the value's.
            _ = try retrying { unsafe setxattr(path, text, value, value.count, flags) }
        case .removal(let name):
            let text = try Self.text(name)
            // SAFETY: the texts end in zero.
            _ = try retrying { unsafe removexattr(path, text) }
        }
    }

    private static func times(_ accessed: Descriptor.TimeChange?, _ modified: Descriptor.TimeChange?) -> [timespec] {
        [Descriptor.TimeChange.kernelTime(accessed), Descriptor.TimeChange.kernelTime(modified)]
    }

    private static func text(_ name: [UInt8]) throws(Errno) -> [CChar] {
        guard !name.isEmpty, !name.contains(0) else { throw .invalid }
        return name.map { CChar(bitPattern: $0) } + [0]
    }
}

extension AttributeCall {
    /// Numbers of eight bytes each, the lowest byte first: which call it is, its four arguments, and the length of a name, which the bytes of
    /// the name and the value follow.
    var bytes: [UInt8] {
        func words(_ kind: Int64, _ arguments: [Int64], _ name: [UInt8] = [], _ value: [UInt8] = []) -> [UInt8] {
            let numbers = [kind] + arguments + Array(repeating: 0, count: 4 - arguments.count) + [Int64(name.count)]
            return numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } } + name + value
        }
        switch self {
        case .permissions(let mode): return words(1, [Int64(mode)])
        case .owner(let user, let group): return words(2, [Int64(user ?? .max), Int64(group ?? .max)])
        case .times(let accessed, let modified):
            let times = Self.times(accessed, modified)
            return words(3, times.flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] })
        case .attribute(let name, let value, let flags): return words(4, [Int64(flags)], name, value)
        case .removal(let name): return words(5, [], name)
        }
    }

    /// Nothing of it is trusted.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 48 else { return nil }
        let start = bytes.startIndex
        func number(_ index: Int) -> Int64 { bytes[(start + index * 8)..<(start + index * 8 + 8)].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } }
        let rest = bytes[(start + 48)...], length = number(5)
        guard length >= 0, length <= rest.count else { return nil }
        let name = Array(rest.prefix(Int(length))), value = Array(rest.dropFirst(Int(length)))
        func user(_ index: Int) -> UInt32? { UInt32(exactly: number(index)).flatMap { $0 == .max ? nil : $0 } }
        switch number(0) {
        case 1:
            guard let mode = UInt32(exactly: number(1)), mode <= 0o7777 else { return nil }
            self = .permissions(mode)
        case 2: self = .owner(user(1), group: user(2))
        case 3: self = .times(accessed: Descriptor.TimeChange(number(1), number(2)), modified: Descriptor.TimeChange(number(3), number(4)))
        case 4:
            guard let flags = Int32(exactly: number(1)) else { return nil }
            self = .attribute(name, value: value, flags: flags)
        case 5: self = .removal(name)
        default: return nil
        }
    }

    /// Whether an attribute's name is one that a drive lets its users set. `isRoot`: those of the system's administrator as well.
    func isOfDrives(isRoot: Bool) -> Bool {
        switch self {
        case .permissions, .owner, .times: true
        case .attribute(let name, _, _), .removal(let name):
            name.starts(with: "user.".utf8) || name.starts(with: "system.posix_acl_".utf8) || isRoot && name.starts(with: "trusted.".utf8)
        }
    }
}
