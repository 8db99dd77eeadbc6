import LinuxFiles
import Transactions

/// The journal as it lies there, read by somebody who does not write in it.
package struct JournalLook {
    package private(set) var unfinished = Unfinished()
    /// Why not all of it is understood.
    package private(set) var fault: Fault?

    package enum Fault {
        case oddLines(Int)
        case unreadable(Errno)
    }

    package init(in state: OpenFile, of container: Container) {
        do throws(StateFault) {
            guard let folder = try container.state.folder(Container.journalName, in: state) else { return }
            let journal = JournalReading(try Self.records(in: folder, of: container).descriptor)
            unfinished = journal.unfinished
            if journal.oddLines > 0 { fault = .oddLines(journal.oddLines) }
            if let error = journal.fault { fault = .unreadable(error) }
        } catch {
            switch error {
            // Not there, or the folder is odd, which is another finding.
            case .failed(.noSuchEntry): return
            case .failed(let errno): fault = .unreadable(errno)
            case .odd: return
            }
        }
    }

    private static func records(in folder: OpenFile, of container: Container) throws(StateFault) -> OpenFile {
        do throws(StateFault) { return try container.state.file(Journal.fileName, [.read, .untraced], in: folder) } catch {
            guard case .failed(.notPermitted) = error else { throw error }
        }
        return try container.state.file(Journal.fileName, .read, in: folder)
    }
}
