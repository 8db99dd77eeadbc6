import Foundation
import MountTesting
import Testing

@testable import LinuxFiles

/// Who makes devices for others believes nobody that root asks for one. SandboxedDriveTests has the programs that get theirs.
@Suite(.mounting, .enabled(if: geteuid() == 0, "only root makes devices")) struct AskedDeviceTests {
    @Test func nobodyAsksForNothing() throws {
        let waits = try Program(["sleep", "1000"])
        defer { waits.end() }
        for thread in [0, 1, UInt32(getpid()), UInt32(waits.process), .max] { #expect(AskedDevice(of: thread) == nil, "\(thread)") }
    }

    /// Somebody waits in the very call, on a drive that does not answer.
    @Test func onlyWhatRootWaitsForIsMade() throws {
        let container = try TemporaryContainer(), beside = container.beside("folder")
        mkdir(beside, 0o755)
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        let folder = try Descriptor.atPath(beside, [.path, .folder])
        func make(_ name: String, _ mode: UInt32, _ device: UInt64, for thread: pid_t) -> Errno? {
            guard let name = Name(name), let asked = AskedDevice(of: UInt32(thread)) else { return .notPermitted }
            do throws(Errno) { try asked.make(name, in: folder, mode: mode, device: device) } catch { return error }
            return nil
        }
        try withDrive(container, options: "allow_other,dev") { drive throws in
            kill(drive.process, SIGSTOP)
            defer { kill(drive.process, SIGCONT) }
            let roots = try Program(["mknod", drive.path("roots"), "b", "7", "99"])
            let bens = try Program(["setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", "mknod", drive.path("bens"), "b", "7", "99"])
            let unable = try Program(["setpriv", "--bounding-set=-mknod", "mknod", drive.path("unable"), "b", "7", "99"])
            for program in [roots, bens, unable] {
                let call = "/proc/\(program.process)/syscall"
                #expect(eventually { ["133 ", "259 ", "33 "].contains { (try? String(contentsOfFile: call, encoding: .utf8))?.hasPrefix($0) == true } })
            }
            let disk = UInt32(S_IFBLK) | 0o600, number: UInt64 = 7 << 8 | 99
            #expect(make("disk", disk, number, for: bens.process) == .notPermitted && make("disk", disk, number, for: unable.process) == .notPermitted)
            #expect(make("other", disk, number + 1, for: roots.process) == .notPermitted)
            #expect(make("terminal", UInt32(S_IFCHR) | 0o600, number, for: roots.process) == .notPermitted)
            #expect(make("disk", disk, number, for: roots.process) == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: beside) == ["disk"])
            kill(drive.process, SIGCONT)
            for program in [roots, bens, unable] { _ = try program.wait() }
        }
    }
}
