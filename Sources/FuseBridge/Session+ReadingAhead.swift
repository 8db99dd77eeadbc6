import CFuse3
import Glibc
import LinuxFiles

extension Session {
    /// Lets the kernel read as far ahead as one request reads. By itself it reads 128 KiB ahead, and the first reading of
    /// photos takes a fourth longer. Only root may change it, and only once the kernel has been greeted; without it all works.
    func readAhead() {
        guard geteuid() == 0 else { return }
        try? setReadAhead(kibibytes: CFuse3_most_read >> 10)
    }

    private func setReadAhead(kibibytes: some BinaryInteger) throws(Errno) {
        let device = try Descriptor.atPath(mountpoint, [.path, .folder]).deviceNumbers()
        let setting = try Descriptor.atPath("/sys/class/bdi/\(device)/read_ahead_kb", [.write])
        try setting.write(Array("\(kibibytes)".utf8), at: 0)
    }
}
