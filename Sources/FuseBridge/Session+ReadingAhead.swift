import CFuse3
import Glibc
import LinuxFiles

extension Session {
    /// Lets the kernel read as far ahead as one request reads. By itself it reads 128 KiB ahead, and the first reading of
    /// photos takes a fourth longer. Only root may change it, and only once the kernel has been greeted; without it all works.
    func readAhead() {
        guard geteuid() == 0, let device = try? Descriptor.atPath(mountpoint, [.path, .folder]).device() else { return }
        Self.readAhead(on: device)
    }

    static func readAhead(on device: DeviceNumber) {
        guard let setting = try? Descriptor.atPath("/sys/class/bdi/\(device.major):\(device.minor)/read_ahead_kb", [.write]) else { return }
        try? setting.write(Array("\(CFuse3_most_read >> 10)".utf8), at: 0)
    }
}
