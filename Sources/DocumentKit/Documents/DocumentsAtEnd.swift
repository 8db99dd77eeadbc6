import Dispatch
import Foundation

/// The documents of this process that are open, and what becomes of them when it is told to end.
@MainActor
enum DocumentsAtEnd {
    private static var open: [ObjectIdentifier: UIDocument] = [:]
    private static var signals: [any DispatchSourceSignal] = []
    private(set) static var isEnding = false

    /// So long a process is kept from ending that was told to.
    private nonisolated static let patience = DispatchTimeInterval.seconds(5)
    private nonisolated static let queue = DispatchQueue(label: "valise.ending")

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
            document.autosave { end($0) }
        }
        end(true)
    }

    private nonisolated static let beginning = DispatchGroup()

    /// Before a document has anything to lose: reads or writes its file, on its own queue, once a signal is heard of. One that came
    /// earlier would end the process with the edits that it has by then.
    static func whileWatching(_ document: UIDocument, _ body: @escaping @Sendable () -> Void) {
        watchSignals()
        document.performAsynchronousFileAccess {
            _ = beginning.wait(timeout: .now() + patience)
            body()
        }
    }

    /// Only signals that the app has not made its own.
    private static func watchSignals() {
        guard signals.isEmpty else { return }
        for number in [SIGTERM, SIGINT, SIGHUP] where isDefault(number) {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            beginning.enter()
            source.setRegistrationHandler(handler: begun)
            source.setEventHandler(handler: handler(of: number))
            source.resume()
            signals.append(source)
        }
    }

    private nonisolated static let begun: @Sendable () -> Void = { beginning.leave() }

    private nonisolated static func isDefault(_ number: Int32) -> Bool {
        var action = sigaction()
        // SAFETY: fills the struct that it is given.
        return unsafe sigaction(number, nil, &action) == 0 && action.__sigaction_handler.sa_handler == nil
    }

    /// Not on the main queue: an app that does not serve it ends, too.
    private nonisolated static func handler(of number: Int32) -> @Sendable () -> Void {
        {
            let saved = DispatchSemaphore(value: 0)
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    isEnding = true
                    for document in open.values { document.giveUpAsking() }
                    saveAll { _ in saved.signal() }
                }
            }
            _ = saved.wait(timeout: .now() + patience)
            end(by: number)
        }
    }

    /// As it would have ended without this.
    private nonisolated static func end(by number: Int32) {
        _ = signal(number, SIG_DFL)
        // The queue's threads have signals blocked.
        var numbers = sigset_t()
        // SAFETY: both calls are given a set that is this function's own.
        unsafe sigemptyset(&numbers)
        unsafe sigaddset(&numbers, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
        raise(number)
    }
}
