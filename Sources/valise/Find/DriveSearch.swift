import Catalog
import Containers
import Coordination
import LinuxFiles

/// Asks the process that serves a drive, which knows what is there without looking at each item.
enum DriveSearch {
    /// False where it cannot answer, and nothing was heard. `cut` is told what was not looked into.
    static func find(_ request: SearchRequest, in place: FindPlace, progress: Progress, cut: (String) -> Void, found: (FoundItem) -> Bool) throws(Stop) -> Bool {
        guard place.mountpoint != nil, let socket = try? place.container.connectionToWriter() else { return false }
        do throws(Failure) {
            return try AskedDrive.ask(request, socket) { word, fields in
                switch word {
                case .found: return FoundItem(bytes: fields, place.container.kinds).map(found) ?? true
                case .progress: progress.show(Int(clamping: fields.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
                case .end: if !fields.isEmpty { cut(String(decoding: fields, as: UTF8.self)) }
                case .gathered, .changed, .removed: break
                }
                return true
            }
        } catch { throw Stop(1, error.sentence) }
    }

    /// The same of a search that goes on, until somebody ends it.
    static func follow(_ request: SearchRequest, in place: FindPlace, _ answer: FoundLines) throws(Stop) -> Bool {
        guard place.mountpoint != nil, let socket = try? place.container.connectionToWriter() else { return false }
        StopWish.listen(endingWaitsOf: socket)
        do throws(Failure) {
            return try AskedDrive.ask(request, socket) { word, fields in
                switch word {
                case .found, .changed, .removed: if let item = FoundItem(bytes: fields, place.container.kinds) { answer.add(item, word) }
                case .gathered: answer.gathered()
                case .progress, .end: break
                }
                return answer.isWanted && !StopWish.isThere
            }
        } catch {
            if StopWish.isThere { return true }
            throw Stop(1, error.sentence)
        }
    }
}
