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
        mkdir(beside + "/inner", 0o755)
        let folder = OpenFile(try Descriptor.atPath(beside, [.path, .folder])), inner = OpenFile(try Descriptor.atPath(beside + "/inner", [.path, .folder]))
        func make(_ name: String, _ mode: UInt32, _ device: UInt64, for thread: pid_t, in place: OpenFile? = nil, of top: OpenFile? = nil) -> Errno? {
            guard let name = Name(name), let asked = AskedDevice(of: UInt32(thread)) else { return .notPermitted }
            do throws(Errno) { try asked.make(name, in: place ?? folder, of: top ?? folder, mode: mode, device: device) } catch { return error }
            return nil
        }
        func permissions(_ name: String) throws -> String { try run("stat", "-c", "%a", beside + "/" + name).good().lines[0] }
        try withDrive(container, options: "allow_other,dev") { drive throws in
            kill(drive.process, SIGSTOP)
            defer { kill(drive.process, SIGCONT) }
            let roots = try Program(["sh", "-c", "umask 027; exec mknod \"$0\" b 7 99", drive.path("roots")])
            let owners = try Program(["mknod", "-m", "600", drive.path("owners"), "b", "7", "99"])
            let bens = try Program(["setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", "mknod", drive.path("bens"), "b", "7", "99"])
            let unable = try Program(["setpriv", "--bounding-set=-mknod", "mknod", drive.path("unable"), "b", "7", "99"])
            for program in [roots, owners, bens, unable] {
                let call = "/proc/\(program.process)/syscall"
                #expect(eventually { ["133 ", "259 ", "33 "].contains { (try? String(contentsOfFile: call, encoding: .utf8))?.hasPrefix($0) == true } })
            }
            let disk = UInt32(S_IFBLK) | 0o600, number: UInt64 = 7 << 8 | 99
            #expect(make("disk", disk, number, for: bens.process) == .notPermitted && make("disk", disk, number, for: unable.process) == .notPermitted)
            #expect(make("other", disk, number + 1, for: roots.process) == .notPermitted)
            #expect(make("terminal", UInt32(S_IFCHR) | 0o600, number, for: roots.process) == .notPermitted)
            #expect(make("disk", disk, number, for: roots.process) == nil)
            // In the container alone, and with the permissions that root asks for.
            #expect(make("outside", disk, number, for: roots.process, of: inner) == .stale)
            #expect(make("open", disk | 0o6777, number, for: roots.process) == nil && make("private", disk | 0o6777, number, for: owners.process) == nil)
            #expect(make("deep", disk, number, for: roots.process, in: inner) == nil)
            #expect(try permissions("disk") == "600" && permissions("private") == "600" && permissions("inner/deep") == "600" && permissions("open") == "640")
            #expect(try FileManager.default.contentsOfDirectory(atPath: beside).sorted() == ["disk", "inner", "open", "private"])
            kill(drive.process, SIGCONT)
            for program in [roots, owners, bens, unable] { _ = try program.wait() }
        }
    }
}
