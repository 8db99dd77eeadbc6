import DocumentKit
import Foundation

/// `DocumentTrial settings FOLDER COUNT [SIGNAL]`: sets so many keys and is told to end at once, by itself, without serving its main queue; ends, where the
/// signal is 0. Without a signal it writes them, removes them and sets as many others, writes these, and says how many there are.
enum SettingsTrial {
    static func run(in folder: String, _ count: Int, endedBy signal: Int32?) -> Never {
        let store = NSUbiquitousKeyValueStore(container: URL(fileURLWithPath: folder, isDirectory: true))
        func set(_ prefix: String) { for number in 0..<count { store.set(Int64(number), forKey: "\(prefix)\(number)") } }
        set("a")
        if let signal {
            if signal == 0 { exit(0) }
            kill(getpid(), signal)
            while true { pause() }
        }
        let isFirst = store.synchronize()
        for number in 0..<count { store.removeObject(forKey: "a\(number)") }
        set("b")
        say("synchronize", "\(isFirst && store.synchronize()) \(store.dictionaryRepresentation.count)")
        exit(0)
    }
}
