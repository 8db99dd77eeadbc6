import Foundation
import Testing

@testable import LinuxFiles

/// Locks of programs are seen in what the kernel says of them.
struct FileLockTests {
    private static let list = Array(
        """
        1: FLOCK  ADVISORY  WRITE 17440 fe:00:9839729 0 EOF
        1: -> FLOCK  ADVISORY  WRITE 17441 00:27:10 0 EOF
        2: LEASE  ACTIVE    READ  17330 fe:00:77 0 EOF
        3: OFDLCK ADVISORY  READ  -1 103:05:78 128 128
        """.utf8)

    @Test func aLineIsOneLock() {
        let disk = DeviceNumber(major: 0xFE, minor: 0)
        #expect(FileLocks.has(9_839_729, on: disk, in: Self.list))
        #expect(FileLocks.has(10, on: DeviceNumber(major: 0, minor: 0x27), in: Self.list))
        #expect(FileLocks.has(78, on: DeviceNumber(major: 0x103, minor: 5), in: Self.list))
        // Another device, another number, and a lease.
        for (inode, device) in [(10, disk), (983, disk), (77, disk), (9_839_729, DeviceNumber(major: 0, minor: 0xFE))] as [(UInt64, DeviceNumber)] {
            #expect(!FileLocks.has(inode, on: device, in: Self.list))
        }
    }

    @Test func whatIsLockedNowIsSeen() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("valise-lock-\(UUID().uuidString)").path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), locks = FileLocks()
        defer { unlink(path) }
        let place = try Descriptor.atPath(path, .path), inode = try place.status().identity.number, device = try place.device()
        #expect(!locks.isLocked(inode, on: device))
        #expect(flock(file, LOCK_EX) == 0)
        #expect(locks.isLocked(inode, on: device))
        close(file)
        #expect(!locks.isLocked(inode, on: device))
    }
}
