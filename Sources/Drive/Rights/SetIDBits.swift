import LinuxFiles

/// Set-id bits of a file whose content changes. The kernel leaves it to the drive to take them away, and the store does it, by its
/// own rules, when the one who writes there is the one who writes here.
final class SetIDBits: Sendable {
    private let kernel: KernelMemory
    private let rights: CallerRights

    init(kernel: KernelMemory, rights: CallerRights) {
        (self.kernel, self.rights) = (kernel, rights)
    }

    /// Changes a file's content, for somebody who has no right to keep its set-id bits; nil for one who has.
    func losingSetIDs<Value>(_ file: OpenFile, of id: NodeNumber, _ writer: Caller?, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        guard let writer, let status = try? file.descriptor.status(), status.permissions & Self.setIDs != 0 else { return try body() }
        // The kernel remembers the permissions, and goes by them when a program is started.
        defer { kernel.tell([.attributes(id)]) }
        // Without the right to execute for the group, whoever is of the group keeps the bit: a further group is as good as the first.
        let group = rights.isMember(writer, of: status.group) ? status.group : writer.group
        let value = try ThreadRights.owning(as: writer.user, group: group, clearsSetIDs: true, body)
        // Root without that right, as in some containers: to the store it is the drive that writes.
        if writer.user == 0 { try file.descriptor.setPlacePermissions(Self.withoutSetIDs(status.permissions)) }
        return value
    }

    /// The same where the kernel does not say who has the right: root has it.
    func mayLoseSetIDs(_ caller: Caller?) -> Caller? { caller.flatMap { $0.user == 0 ? nil : $0 } }

    private static let setUser: UInt32 = 0o4000, setGroup: UInt32 = 0o2000, groupExecutes: UInt32 = 0o010

    private static let setIDs = setUser | setGroup

    /// Without the right to execute for the group, the other bit is no set-id bit.
    private static func withoutSetIDs(_ permissions: UInt32) -> UInt32 {
        permissions & ~(permissions & groupExecutes != 0 ? setIDs : setUser)
    }
}
