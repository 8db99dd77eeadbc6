/// The mounts that /proc/self/mountinfo lists.
public struct MountTable: Sendable {
    public let mounts: [Mount]
    public let hasDrives: Bool

    public struct Mount: Hashable, Sendable {
        /// That of the mount, which is given again when it is gone.
        public let number: String
        /// "0:52", as `stat` tells it of every file on the mount.
        public let device: String
        public let mountpoint: String
        /// All of it, and not a folder of it that was mounted here once more.
        public let isWhole: Bool
        /// "fuse.valise"; "fuse.valise.apps" for a drive that shows several containers, each in a folder of its own.
        public let type: String
        /// What was mounted: for a drive the container's path, or its `fsname`.
        public let source: String
        public let isReadOnly: Bool
        /// Whose a FUSE mount is.
        public let user: UInt32?
        /// A folder of a drive that shows several containers, and no mount by itself.
        public var isApp = false

        /// A folder of this drive, which shows a container of its own.
        public func folder(_ name: String, of container: String) -> Mount {
            Mount(
                number: number, device: device, mountpoint: mountpoint == "/" ? "/" + name : mountpoint + "/" + name, isWhole: isWhole, type: "fuse.valise",
                source: container, isReadOnly: isReadOnly, user: user, isApp: true)
        }

        /// A place where systemd or automount waits for somebody to come by, and mounts then.
        public var isAutomount: Bool { type == "autofs" }
        public var isDrive: Bool { type == "fuse.valise" || showsApps }
        public var showsApps: Bool { type == "fuse.valise.apps" }
        public var isFuse: Bool { type == "fuse" || type == "fuseblk" || type.hasPrefix("fuse.") }
    }

    /// What is mounted now. Reading the table asks no file system anything.
    public static func read() throws(Errno) -> MountTable {
        MountTable(try Descriptor.atPath("/proc/self/mountinfo", .read).readAll(limit: 64 << 20))
    }

    /// Lines that are none are left out.
    public init(_ bytes: [UInt8]) {
        mounts = bytes.split(separator: UInt8(ascii: "\n")).compactMap { Self.mount($0) }
        hasDrives = mounts.contains(where: \.isDrive)
    }

    public init(mounts: [Mount]) {
        self.mounts = mounts
        hasDrives = mounts.contains(where: \.isDrive)
    }

    public var drives: [Mount] { mounts.filter { $0.isDrive && !$0.isApp } }


    /// The mount that is seen at this path: the last of those on top of each other.
    public func mount(at mountpoint: String) -> Mount? { mounts.last { $0.mountpoint == mountpoint } }

    /// The mount that a path is on, as far as names tell.
    public func mount(under path: String) -> Mount? {
        let above = mounts.filter { $0.mountpoint == "/" || path == $0.mountpoint || path.hasPrefix($0.mountpoint + "/") }
        let longest = above.map(\.mountpoint.utf8.count).max()
        return above.last { $0.mountpoint.utf8.count == longest }
    }

    public func mount(onDevice device: String) -> Mount? { mounts.last { $0.device == device && !$0.isApp } }

    /// Another mount of the same file system. A number is given again as soon as nothing has it: what is mounted tells that as well.
    public func mount(like other: Mount) -> Mount? { mounts.last { $0.device == other.device && $0.type == other.type && $0.source == other.source } }

    /// "36 35 98:0 /root /mountpoint options optional… - type source superoptions"
    private static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard fields.count > 6, let dash = fields[6...].firstIndex(where: { $0.elementsEqual([0x2D]) }), fields.count > dash + 2 else { return nil }
        let options = text(fields[5]).split(separator: ",")
        // Where it is mounted, and the file system itself.
        let own = fields.count > dash + 3 ? text(fields[dash + 3]).split(separator: ",") : []
        return Mount(
            number: text(fields[0]), device: text(fields[2]), mountpoint: text(fields[4]), isWhole: text(fields[3]) == "/", type: text(fields[dash + 1]), source: text(fields[dash + 2]),
            isReadOnly: options.contains("ro") || own.contains("ro"), user: own.first { $0.hasPrefix("user_id=") }.flatMap { UInt32($0.dropFirst(8)) })
    }

    /// The kernel writes spaces, tabs, line ends and backslashes as three octal digits.
    private static func text(_ field: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
