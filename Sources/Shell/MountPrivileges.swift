/// Whether files on a drive may be more than their bytes: programs that run as their owner (“suid”), and devices (“dev”).
///
/// They are where root mounts and asks for it, and nowhere else: never more than the container's own file system allows, and
/// never where uid= and gid= say who the owner is, for whoever has a program in the container would run it as that user.
public struct MountPrivileges {
    public static let names = ["suid", "dev"]

    /// By mount(8), which tells its helpers what forbids them only: that they are allowed is its default.
    public let isCalledByMount: Bool
    public let isRoot: Bool
    /// Those that the container's file system is mounted without.
    public let missing: Set<String>

    /// The process that serves the drive is not root's, and could say of any file that it is.
    public let isServedAsOwner: Bool

    public init(isCalledByMount: Bool, isRoot: Bool, isServedAsOwner: Bool = false, missing: Set<String>) {
        self.isCalledByMount = isCalledByMount
        self.isRoot = isRoot && !isServedAsOwner
        self.isServedAsOwner = isServedAsOwner
        self.missing = missing
    }

    /// Leaves in the options what is granted, and answers the sentences about what was asked for and is not.
    public func grant(_ options: inout MountOptions) throws(UsageFault) -> [String] {
        let hasMadeUpOwners = options.owner != nil || options.group != nil
        // The later one wins.
        let asked = Self.names.filter { name in options.kernelOptions.last { $0 == name || $0 == "no\(name)" } == name }
        if isRoot, hasMadeUpOwners, let name = asked.first {
            throw UsageFault(
                "“\(name)” does not go with “uid=” and “gid=”: whatever is in the container would run, or open devices, as if it belonged to that user; leave out the one or the other",
                exitCode: 1)
        }
        let unasked = isCalledByMount && isRoot && !hasMadeUpOwners ? Self.names.filter { !options.kernelOptions.contains("no\($0)") } : []
        let granted = (isRoot ? Self.names.filter { asked.contains($0) || unasked.contains($0) } : []).filter { !missing.contains($0) }
        options.kernelOptions.removeAll { Self.names.contains($0) }
        options.kernelOptions += granted
        return refusals(asked.filter { !granted.contains($0) })
    }

    private func refusals(_ names: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        let list = names.map { "“\($0)”" }.joined(separator: " and ")
        return [
            isServedAsOwner
                ? "a drive that is served as its container's owner is mounted without \(list)"
                : isRoot
                ? "the file system that the container is on is mounted without \(list), and so is the drive"
                : "\(list) \(names.count == 1 ? "is" : "are") only for root; the drive is mounted without \(names.count == 1 ? "it" : "them")"
        ]
    }
}
