import Containers
import Dispatch
import LinuxFiles

/// A name in a folder that a document had.
struct AwayKey: Hashable {
    let folder: UInt32
    let name: Name
}

// Documents whose name went away a moment ago. Many programs save by renaming the old file away and writing a new one:
// when the name comes back, it is the same document.
extension Drive {
    /// For so long.
    static let awaySeconds = 15

    func remember(_ item: AwayItem, as name: Name, in folder: UInt32) {
        let key = AwayKey(folder: folder, name: name)
        let replaced = away.withLock { $0.updateValue(item, forKey: key) }
        if let replaced { workshop?.drop(replaced) }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(Self.awaySeconds)) { [weak self] in
            self?.expire(item, key)
        }
    }

    private func expire(_ item: AwayItem, _ key: AwayKey) {
        let isStillAway = away.withLock { away in
            guard away[key]?.number == item.number else { return false }
            away[key] = nil
            return true
        }
        if isStillAway { workshop?.drop(item) }
    }

    /// The document that had this name, which is somebody's now.
    func takeAway(_ name: Name, _ kind: KindID, in folder: UInt32) -> AwayItem? {
        away.withLock { away in
            let key = AwayKey(folder: folder, name: name)
            guard let item = away[key], item.kind == kind else { return nil }
            away[key] = nil
            return item
        }
    }

    /// The name is used for something else.
    func forgetAway(_ name: Name, in folder: UInt32) {
        if let item = away.withLock({ $0.removeValue(forKey: AwayKey(folder: folder, name: name)) }) { workshop?.drop(item) }
    }

    @discardableResult
    func forgetAllAway() -> Bool {
        let items = away.withLock { away in
            defer { away = [:] }
            return Array(away.values)
        }
        for item in items { workshop?.drop(item) }
        return !items.isEmpty
    }

    /// Does something that needs room on the store. Where there is none, what is only remembered gives up its own, and it is tried again.
    func makingRoom<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        while true {
            do throws(Errno) { return try body() } catch { guard Self.isFull(error), makeRoom() else { throw error } }
        }
    }

    /// Documents that are gone give up their room, and then what documents were. False where there is nothing left of that.
    func makeRoom() -> Bool { forgetAllAway() || workshop?.giveUpVersions() == true }
}
