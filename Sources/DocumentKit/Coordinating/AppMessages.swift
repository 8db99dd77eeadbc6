import Foundation
import LinuxFiles

/// What there is to say to who looks after the app, and is the answer to no call: an app's own standard error is not used for that.
enum AppMessages {
    private static let handler = Latest<(@Sendable (String) -> Void)?>(nil)

    static var heard: (@Sendable (String) -> Void)? {
        get { handler.value }
        set { handler.set(newValue) }
    }

    static func hear() { SystemLog.useListener { handler.value?($0) } }
}

extension NSFileCoordinator {
    /// Hears, on any thread, what is worth a line in the app's log and no error of a call: that whoever grants accesses is stopped, that somebody did not answer
    /// who has a file open, that versions made room on a full disk, that a store of settings was damaged.
    /// Nobody is told where there is none. A sentence each.
    ///
    /// ```swift
    /// NSFileCoordinator.messageHandler = { FileHandle.standardError.write(Data("MyApp: \($0)\n".utf8)) }
    /// ```
    public static var messageHandler: (@Sendable (String) -> Void)? {
        get { AppMessages.heard }
        set { AppMessages.heard = newValue }
    }
}
