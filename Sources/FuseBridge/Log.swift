import CFuse3
import LinuxFiles

func log(_ line: String) { SystemLog.write(line, .warning) }

/// libfuse's log: kept while a drive is being mounted, because it says why that failed; else passed on.
enum LibraryLog {
    private static let kept = Locked<[String]?>(nil)

    /// Set once: libfuse has one for all sessions, which those that run read without a lock.
    private static let isSet: Void = unsafe CFuse3_set_log { level, text in
        // SAFETY: a line that libfuse ended with zero and that lives through the call.
        LibraryLog.take(unsafe String(cString: text))
    }

    static func keep() {
        kept.withLock { $0 = [] }
        isSet
    }

    /// What was kept; from now on lines are passed on.
    static func kept(_: Void = ()) -> [String] {
        kept.withLock { lines in
            defer { lines = nil }
            return lines ?? []
        }
    }

    private static func take(_ text: String) {
        let line = text.last == "\n" ? String(text.dropLast()) : text
        let passOn = kept.withLock { lines in
            lines?.append(line)
            return lines == nil
        }
        if passOn { log(line) }
    }
}
