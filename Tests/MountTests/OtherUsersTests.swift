import Foundation
import MountTesting
import Testing

/// Several people use root's drive, and the container's owner exchanges names below it: the kernel remembers what she had, and
/// what is Bob's has its name.
@Suite(.long, .mounting, .enabled(if: geteuid() == 0, "only root may be several users")) struct OtherUsersTests {
    /// With other permissions than the store has, the drive itself decides who may do what.
    @Test(arguments: ["allow_other", "allow_other,umask=0"])
    func theOwnerOfAContainerGetsAtNothingOfOthers(options: String) throws {
        let container = try TemporaryContainer()
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        chown(container.path, 5001, 5001)
        chmod(container.path, 0o777)
        try withDrive(container, options: options) { drive in
            let ended = try Program(
                ["python3", Places.support("exchange_attack.py"), drive.mountpoint, container.path, "60"], environment: ["VALISE": Places.valise]
            ).wait(seconds: 600)
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
            #expect(ended.lines.count == 29 && ended.lines.allSatisfy { $0.hasSuffix(": held") }, "\(ended.output)")
        }
    }

    /// Where the store is not asked, the drive itself refuses what the kernel refuses for what it saw before (`fs.protected_hardlinks`).
    @Test func nobodyGivesWhatIsNotTheirsAnotherName() throws {
        let container = try TemporaryContainer()
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        chown(container.path, 5001, 5001)
        try withDrive(container, options: "allow_other,umask=0") { drive in
            let ended = try Program(
                ["python3", Places.support("exchange_attack.py"), drive.mountpoint, container.path, "2000", "link"]).wait(seconds: 600)
            #expect(ended.output == "link: held\n", "\(ended.output)\(ended.errors)")
        }
    }
}
