import Containers
import LinuxFiles

/// A container of a drive that shows several: opened when something in it is first asked for, because opening it makes Valise's folder in it
/// and takes its lock.
final class AppSlot: Sendable {
    /// Whoever opens one: the process that mounts.
    typealias Opening = @Sendable (AppsFolder.App) throws(Failure) -> Drive

    let number: AppNumber
    let folder: Name

    private enum State: Sendable {
        case closed
        case open(Drive)
        case failed(Failure, at: Int64)
    }

    /// Whoever opens it has it: others wait for what comes of it.
    private let turn = Locked((), .openingApp)
    private let state = Latest(State.closed)
    private let opening: Opening

    /// What could not be opened is tried again, in milliseconds.
    private static let patience: Int64 = 2000

    init(_ number: AppNumber, folder: Name, opening: @escaping Opening) { (self.number, self.folder, self.opening) = (number, folder, opening) }

    /// nil where nobody has asked for anything in it.
    var opened: Drive? { if case .open(let drive) = state.value { drive } else { nil } }

    /// Why it could not be opened the last time.
    var failure: Failure? { if case .failed(let failure, _) = state.value { failure } else { nil } }

    /// `began` is called once, with the drive that was opened, when nobody waits for it any more.
    func drive(_ app: AppsFolder.App, began: (Drive) -> Void) throws(Errno) -> Drive {
        if let opened { return opened }
        var isNew = false
        let drive = try turn.withLock { (_) throws(Errno) -> Drive in
            if let opened { return opened }
            if case .failed(let failure, let moment) = state.value, Monotonic.milliseconds - moment < Self.patience { throw failure.errno }
            let drive: Drive
            do throws(Failure) { drive = try opening(app) } catch {
                SystemLog.write("the container “\(app.folder)” cannot be opened: \(error.sentence)", .warning)
                state.set(.failed(error, at: Monotonic.milliseconds))
                throw error.errno
            }
            state.set(.open(drive))
            isNew = true
            return drive
        }
        if isNew { began(drive) }
        return drive
    }
}
