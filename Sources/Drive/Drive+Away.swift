import Containers
import Dispatch
import LinuxFiles

/// A name in a folder that a document had.
struct AwayKey: Hashable {
    let folder: UInt32
    let name: Name
}

/// A document that is remembered, and until when.
struct Remembered {
    let item: AwayItem
    let until: DispatchTime
}

// Documents whose name went away a moment ago. Many programs save by renaming the old file away and writing a new one:
// when the name comes back, it is the same document.
extension Drive {
    /// For so long.
    static let awaySeconds = 15

    func remember(_ item: AwayItem, as name: Name, in folder: UInt32) {
        let key = AwayKey(folder: folder, name: name), until = DispatchTime.now() + .seconds(Self.awaySeconds)
        let replaced = away.withLock { $0.updateValue(Remembered(item: item, until: until), forKey: key) }
        if let replaced { workshop?.drop(replaced.item) }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: until) { [weak self] in self?.expire(key, until) }
    }

    /// One that came back and went away again meanwhile is remembered from then on.
    private func expire(_ key: AwayKey, _ until: DispatchTime) {
        let expired = away.withLock { $0[key]?.until == until ? $0.removeValue(forKey: key) : nil }
        if let expired { workshop?.drop(expired.item) }
    }

    /// The document that had this name, which is somebody's now.
    func takeAway(_ name: Name, _ kind: KindID, in folder: UInt32) -> AwayItem? {
        away.withLock { away in
            let key = AwayKey(folder: folder, name: name)
            guard let item = away[key]?.item, item.kind == kind else { return nil }
            away[key] = nil
            return item
        }
    }

    /// Nothing came of what was to be it, or it did and could not be read then.
    func rememberAgain(_ item: AwayItem, as name: Name, in folder: UInt32) {
        if workshop?.isThere(item) == true { remember(item, as: name, in: folder) }
    }

    /// What was put away and made anew by an app since is of no account any more, once the journal says what its draft is a draft of.
    func dropWhatGaveWay() {
        for (id, item) in tree.withLock({ $0.takeGaveWay() }) {
            let (node, document) = tree.withLock { ($0[id], $0.documents[id]) }
            if let draft = document?.draft, let place = try? place(of: node.parent) {
                try? workshop?.record(draft, at: address(node.shown, in: node.parent, place), base: document?.base)
            }
            workshop?.drop(item)
        }
    }

    /// The name is used for something else.
    func forgetAway(_ name: Name, in folder: UInt32) {
        if let forgotten = away.withLock({ $0.removeValue(forKey: AwayKey(folder: folder, name: name)) }) { workshop?.drop(forgotten.item) }
    }

    /// A folder is gone: its number will be another one's, in which nothing comes back.
    func forgetAway(of folder: UInt32) {
        let forgotten = away.withLock { away in
            let keys = away.keys.filter { $0.folder == folder }
            return keys.compactMap { away.removeValue(forKey: $0) }
        }
        for document in forgotten { workshop?.drop(document.item) }
    }

    @discardableResult
    func forgetAllAway() -> Bool {
        let items = away.withLock { away in
            defer { away = [:] }
            return away.values.map(\.item)
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
