import Foundation
import MountTesting
import Testing

/// Locks, mapped memory, direct and appended writes, long names and paths, attributes at their limits: what plain files do
/// beyond what random calls try is as on the file system below. Tests/Support/calls.py has the calls.
@Suite(.mounting) struct CallTests {
    @Test func plainFilesDoTheSame() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            for folder in [drive.path("here"), container.beside("there")] { mkdir(folder, 0o755) }
            let ours = try run("python3", Places.support("calls.py"), drive.path("here")).good()
            let native = try run("python3", Places.support("calls.py"), container.beside("there")).good()
            #expect(ours.lines.count >= 48)
            #expect(ours.lines == native.lines)
        }
    }

    /// What Linux passes on to no file system like this one, or what makes no sense on a drive, is refused and nothing happens.
    @Test func whatADriveCannotIsRefused() throws {
        try withDrive(TemporaryContainer()) { drive in
            let said = try shell(
                """
                head -c 20000 /dev/zero >file
                fallocate -c -o 4096 -l 4096 file 2>&1 | grep -o 'not supported'
                fallocate -i -o 4096 -l 4096 file 2>&1 | grep -o 'not supported'
                python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.renameat2(-100, b"file", -100, b"new", 4), ctypes.get_errno())'
                stat -c '%n %s' *
                """, in: drive.mountpoint).good()
            #expect(said.lines == ["not supported", "not supported", "-1 22", "file 20000"])
        }
    }
}
