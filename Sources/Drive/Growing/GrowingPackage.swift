import Containers
import LinuxFiles

/// What is known of a package that programs fill, until it is whole: of the folder's node.
struct GrowingPackage {
    /// What the document was when somebody began to fill the package; nil where there was none, or where an earlier drive saw that.
    var base: BaseStamp?
    /// The programs that made it and wrote in it, by the threads that asked: their processes. 0 where nobody can say which one it is.
    var programs: [UInt32: Int32] = [:]
    /// When something of it changed last, on the clock that only goes on.
    var changed = Monotonic.milliseconds
    /// Counts these changes, and what it was when somebody looked whether the package is whole.
    var changes = 0
    var lookedAt: Int?
    /// Why it is not the document yet.
    var reason: String?
    /// None of the files is in it that make a folder a document of its kind.
    var isOrdinary = false
    /// Requests that change something in it, under way.
    var requests = 0
    /// It is about to become the document: what would change it waits.
    var isSettling = false

    mutating func note(_ thread: UInt32, of process: Int32?) {
        programs[thread] = process ?? 0
        noteChange()
    }

    mutating func noteChange() {
        changed = Monotonic.milliseconds
        changes += 1
        isOrdinary = false
    }
}

/// What a request is about that changes something.
enum ChangedPlace {
    /// Neither in a package that grows nor in one that is shown as a folder.
    case elsewhere
    /// It waits until the package is the document, or is not.
    case settling
    /// In a package that grows, which does not settle until the change is done. `knows`: the program is known.
    case growing(NodeNumber, knows: Bool)
    /// In the folder as which a document's package is found under its stored name.
    case packageFolder(NodeNumber)
}
