import FuseBridge
import LinuxFiles

/// What the process that serves a drive keeps: its container, or the folder of several, the folder of the settings where that is another one, the drive itself, and what is told of
/// processes. Root could change the attributes of anything else that it may open, even of /dev/null.
enum DriveSandbox {
    static func enter(_ base: OpenFile, top: OpenFile?, settings: OpenFile?, readOnly: Bool, guardian: Int32?) throws(Sandbox.Fault) -> Sandbox {
        var places = ([base] + [settings].compactMap(\.self)).map { readOnly ? Sandbox.Reachable.reading($0) : .all($0) }
        // What is told to those who watch the drive is done on it.
        if let top { places.append(.all(top)) }
        places += Sandbox.Reachable.processes()
        return try Sandbox.enter(reaching: places, ward: guardian)
    }
}
