import CLinux
import Glibc

/// A change of attributes that a process which has given up its rights asks its helper for: of what it cannot open to change it, as a pipe, a symbolic link,
/// or a file that may not be read. The place is handed over with it.
///
/// The helper does not believe the one who asks. It changes what is in a folder that was settled before, and with the asker's rights.
public struct PlaceChange: Sendable {
    let call: AttributeCall
    let asker: Asker

    /// With whose rights. Where the helper has no others than the asker, it does not matter.
    struct Asker {
        let user: UInt32, group: UInt32, groups: [UInt32]
    }

    private static let helper = SetOnce<@Sendable (PlaceChange, OpenFile) throws(Errno) -> Void>()

    /// From now on this process changes attributes of open files only, and has its helper change others.
    public static func ask(_ helper: @escaping @Sendable (PlaceChange, OpenFile) throws(Errno) -> Void) { Self.helper.set(helper) }

    /// Makes a change of what a descriptor stands for.
    static func make(_ call: AttributeCall, of descriptor: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { return try call.make(on: descriptor.rawValue) } catch { guard error == .badDescriptor else { throw error } }
        // It is a place.
        guard let helper = helper.value else { return try call.make(at: descriptor.rawValue) }
        if [.regular, .folder].contains(try descriptor.status().type), let file = try? descriptor.reopened([.read, .nonBlocking]) {
            return try call.make(on: file.rawValue)
        }
        try helper(PlaceChange(call: call, asker: Asker()), OpenFile(try descriptor.duplicate()))
    }
}

extension PlaceChange.Asker {
    /// This thread, as who it is now. With root's rights over files it is root, whoever owns what it makes.
    init() {
        // Asked for nobody, the calls say who it is.
        let user = UInt32(bitPattern: setfsuid(.max))
        self.user = user == 0 || CLinux_has_file_rights() != 0 ? 0 : user
        group = UInt32(bitPattern: setfsgid(.max))
        guard self.user != 0 else {
            groups = []
            return
        }
        var found = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        // SAFETY: getgroups writes at most as many as there is room for.
        let count = unsafe getgroups(Int32(found.count), &found)
        groups = Array(found.prefix(Int(max(0, count))))
    }
}

// MARK: In the helper

extension PlaceChange {
    /// Numbers of four bytes each: the user, the group, how many groups there are, and those. Then the call.
    public var bytes: [UInt8] {
        ([asker.user, asker.group, UInt32(asker.groups.count)] + asker.groups).flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } } + call.bytes
    }

    public init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func number() -> UInt32? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        guard let user = number(), let group = number(), let count = number(), count <= 65_536, rest.count >= Int(count) * 4 else { return nil }
        let groups = (0..<count).compactMap { _ in number() }
        guard let call = AttributeCall(rest) else { return nil }
        (self.call, asker) = (call, Asker(user: user, group: group, groups: groups))
    }

    /// Changes what lies in a folder or deeper, and nothing else. `owner`: with whose rights, whoever asks; otherwise with the asker's.
    public func carryOut(on place: OpenFile, in top: OpenFile, as owner: SystemUser?) throws(Errno) {
        guard call.isOfDrives(isRoot: owner == nil && asker.user == 0) else { throw .notPermitted }
        try Self.check(place, liesIn: top)
        func make() throws(Errno) { try call.make(at: place.descriptor.rawValue) }
        guard geteuid() == 0, owner != nil || asker.user != 0 else { return try make() }
        guard let rights = ThreadRights() else { throw .notPermitted }
        if let owner { try rights.acting(as: owner.number, group: owner.group, groups: owner.groups, make) } else {
            try rights.acting(as: asker.user, group: asker.group, groups: asker.groups, make)
        }
    }

    /// Throws `.stale` unless a way without links leads from the folder to this place. It may be renamed meanwhile, and another program may have moved
    /// it out of the folder since the drive found it there.
    static func check(_ place: OpenFile, liesIn top: OpenFile) throws(Errno) {
        let identity = try place.descriptor.status().identity
        for _ in 0..<3 {
            let above = try AbsolutePath.bytes(of: top.descriptor), path = try AbsolutePath.bytes(of: place.descriptor)
            guard AbsolutePath.isInside(path, above) else { throw .stale }
            var names = path.dropFirst(above.count).split(separator: UInt8(ascii: "/")).compactMap { Name($0) }
            do throws(Errno) {
                guard let last = names.popLast() else {
                    if try top.descriptor.status().identity == identity { return }
                    throw .stale
                }
                if try top.folder(at: names).descriptor.open(last, .path).status().identity == identity { return }
            } catch { guard error == .noSuchEntry || error == .notDirectory else { throw error } }
        }
        throw .stale
    }
}
