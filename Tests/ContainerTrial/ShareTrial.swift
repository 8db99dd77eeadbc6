import Databases
import LinuxFiles
import ShareComputers

/// A computer meets the others in a share: it hears, fetches and says. `container` has its home and the share's folder in it.
final class ShareTrial: TrialOperation {
    private let container: String
    private var computer: ShareComputer?

    init(container: String) { self.container = container }

    /// The database stays open.
    let heldDescriptors = 0
    let written = 0
    /// What a database answers says no number.
    static let databaseFault: Int32 = 9998

    func prepare() -> Int32 {
        Self.number { computer = try ShareComputer("one", at: container + "/home", in: container + "/share", ShareComputer.Clock(), seed: 1) }
    }

    func run() -> Int32 { Self.number { try computer?.meet() } }

    private static func number(_ body: () throws -> Void) -> Int32 {
        do { try body() } catch let error as Errno { return error.rawValue } catch let error as Failure { return error.errno.rawValue } catch is DatabaseFault {
            return databaseFault
        } catch { return 9999 }
        return 0
    }
}
