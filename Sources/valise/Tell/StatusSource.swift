import LinuxFiles
import Shell

/// The page that a drive makes of itself.
enum StatusSource {
    static func read(_ mountpoint: String) -> Reply {
        Child.ask { () throws(Errno) in
            try contents(of: mountpoint == "/" ? "/.valise/status" : "\(mountpoint)/.valise/status", limit: JSON.largest)
        }
    }
}
