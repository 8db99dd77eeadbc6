import Glibc
import LinuxFiles
import Shell

extension LocalClock {
    /// By the time zone that TZ or the system says.
    static var current: LocalClock {
        tzset()
        return LocalClock(now: Timestamp.now.seconds) { moment in
            var time = time_t(moment), parts = unsafe tm()
            // SAFETY: localtime_r reads the time and fills the struct.
            guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
            return Int64(unsafe parts.tm_gmtoff)
        }
    }
}
