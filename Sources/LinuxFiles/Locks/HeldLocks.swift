import Glibc

/// The locks that the calling thread holds. In debug builds, who takes one that it may not take then, or reads or writes files with a
/// table in its hands, ends the process and says which; in others nothing is counted.
@usableFromInline
package enum HeldLocks {
    #if DEBUG
    /// Each thread has a set of its own under this key, a bit for each rank.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // SAFETY: the key is this process's as long as it lives, and what is kept under it is a number and no place.
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    private static var held: UInt {
        // SAFETY: as above; a thread reads and writes its own.
        get { unsafe UInt(bitPattern: pthread_getspecific(key)) }
        // SAFETY: as above.
        set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }

    private static let tables = LockRank.allCases.filter { !$0.isTurn }.reduce(0 as UInt) { $0 | bit($1) }

    private static func bit(_ rank: LockRank) -> UInt { 1 << UInt(rank.rawValue) }

    @usableFromInline
    static func take(_ rank: LockRank) {
        precondition(held < bit(rank), "“\(rank)” is taken while \(names) is held: see LockRank")
        held |= bit(rank)
    }

    @usableFromInline
    static func letGo(_ rank: LockRank) { held &= ~bit(rank) }

    private static var names: String { LockRank.allCases.filter { held & bit($0) != 0 }.map { "“\($0)”" }.joined(separator: ", ") }
    #endif

    /// Before something that takes time: a call on a file, a lane, a word to the kernel.
    @inline(__always)
    package static func checkNoTable(_ what: StaticString = #function) {
        #if DEBUG
        precondition(held & tables == 0, "“\(what)” while \(names) is held")
        #endif
    }
}
