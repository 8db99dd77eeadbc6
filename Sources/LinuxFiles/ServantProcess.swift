import CLinux
import Glibc

/// A process that was started to serve this one: it has a channel as its standard input, and no other open file of ours.
public struct ServantProcess: Sendable {
    public let number: Int32

    public static func start(_ program: String, talkingOver channel: Channel) throws(Errno) -> ServantProcess {
        var number: pid_t = 0
        let path = Array(program.utf8CString), raw = channel.rawValue
        _ = try retrying { unsafe CLinux_spawn(path, raw, &number) }
        withExtendedLifetime(channel) {}
        return ServantProcess(number: number)
    }

    /// Ends it, whatever it does, and takes it off the system's table. To be called once.
    /// Returns the signal that it died of: another one than SIGKILL where it was dead already.
    public func end() -> Int32? {
        kill(number, SIGKILL)
        var status: Int32 = 0
        // SAFETY: waitpid writes the status that it is given room for.
        guard let ended = try? retrying({ unsafe waitpid(number, &status, 0) }), ended == number else { return nil }
        return status & 0x7F == 0 ? nil : status & 0x7F
    }
}
