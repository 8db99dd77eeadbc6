import Dispatch
import Foundation
import LinuxFiles

/// The documents of this process that are open, and what becomes of them when it is told to end.
@MainActor
enum DocumentsAtEnd {
    private static var open: [ObjectIdentifier: UIDocument] = [:]
    private(set) static var isEnding = false
    /// Set once there was one: a process without any need not serve its main queue to end.
    private nonisolated static let isUsed = SetOnce<Bool>()

    static func add(_ document: UIDocument) { open[ObjectIdentifier(document)] = document }

    static func remove(_ document: UIDocument) { open[ObjectIdentifier(document)] = nil }

    /// Saves what is not saved, all at once.
    static func saveAll(then: @escaping @MainActor (Bool) -> Void) {
        var waiting = 1, isSaved = true
        func end(_ success: Bool) {
            waiting -= 1
            isSaved = isSaved && success
            if waiting == 0 { then(isSaved) }
        }
        for document in open.values {
            waiting += 1
            document.save { end($0) }
        }
        end(true)
    }

    /// Before a document has anything to lose: reads or writes its file, on its own queue, once a signal is heard of. One that came
    /// earlier would end the process with the edits that it has by then.
    static func whileWatching(_ document: UIDocument, _ body: @escaping @Sendable () -> Void) {
        isUsed.set(true)
        EndingSignals.begin()
        document.performAsynchronousFileAccess {
            EndingSignals.watch()
            body()
        }
    }

    /// The process is told to end: saves what is not saved, and signals then. Not on the main queue: an app that does not serve it ends, too.
    nonisolated static func saveAll(_ saved: DispatchSemaphore) {
        guard isUsed.value != nil else { return _ = saved.signal() }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                isEnding = true
                for document in open.values { document.giveUpAsking() }
                saveAll { _ in saved.signal() }
            }
        }
    }
}
