import KeyValueStore
import LinuxFiles

/// How a drive shows its container.
public struct DriveOptions: Sendable {
    public var readOnly = true
    /// Reading leaves no trace in the container.
    public var keepsAccessTimes = false
    /// All that is shown belongs to this user and group, where given.
    public var owner: UInt32?
    public var group: UInt32?
    /// Permissions that nothing on the drive has.
    public var umask: UInt32?
    /// Access control lists of the store are shown and can be changed.
    public var accessLists = false
    public var changes = SeeingChanges.watch
    /// Other users than the one who mounted it may use the drive.
    public var isShared = false
    /// What saves replace is kept, with both sides of what two changed at once.
    public var keepsVersions = false
    /// So is what programs change in plain files.
    public var keepsFiles = false
    /// Which files programs have locked.
    public var locks: FileLocks?
    /// What is deleted is kept for a while.
    public var keepsDeleted = false
    /// A package that programs fill is whole when nothing in it was changed for so long, whoever they are: in milliseconds.
    public var growingPatience: Int64 = 10_000
    /// Who watches a file system, as far as that can be told: for a process that may not look itself.
    public var watched: @Sendable (DeviceNumber) -> Set<UInt64>? = { Watchers.inodes(on: $0) }

    /// What everybody is told of a thread: for a process that may not read it itself.
    public var threadPage: @Sendable (UInt32) -> [UInt8]? = { ThreadFacts.page(of: $0) }
    /// Makes a device node in a folder, with that mode and number, for a program that asks the drive for it: for a process that may not itself.
    public var makeDevice: (@Sendable (OpenFile, Name, UInt32, UInt64, Caller) throws(Errno) -> Void)?

    /// The key-value store, where it is not the container's.
    public var keyValues: KeyValueFile?

    public init() {}
}

/// How a drive sees what other programs change in its container.
public enum SeeingChanges: String, CaseIterable, Sendable {
    /// The kernel tells of changes that others make.
    case watch
    /// It looks again for each question, and the kernel's own memory is short.
    case poll
    /// It does not look: whoever mounted it says that nobody else changes anything.
    case off
}
