import Dispatch
import Foundation

/// The signals that tell a process to end: what it has in memory only is written before it does.
enum EndingSignals {
    /// So long a process is kept from ending that was told to.
    static let patience = DispatchTimeInterval.seconds(5)
    private static let queue = DispatchQueue(label: "valise.ending")
    private static let beginning = DispatchGroup()

    /// Has them heard of from some moment on.
    static func begin() { _ = unsafe sources }

    /// Before there is anything to lose: returns once they are heard of.
    static func watch() {
        begin()
        _ = beginning.wait(timeout: .now() + patience)
    }

    /// Only those that the app has not made its own.
    private nonisolated(unsafe) static let sources = [SIGTERM, SIGINT, SIGHUP].filter(isDefault).map { number in
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        beginning.enter()
        source.setRegistrationHandler(handler: begun)
        source.setEventHandler(handler: handler(of: number))
        source.resume()
        return source
    }

    private static let begun: @Sendable () -> Void = { beginning.leave() }

    private static func isDefault(_ number: Int32) -> Bool {
        var action = sigaction()
        // SAFETY: fills the struct that it is given.
        return unsafe sigaction(number, nil, &action) == 0 && action.__sigaction_handler.sa_handler == nil
    }

    private static func handler(of number: Int32) -> @Sendable () -> Void {
        {
            let end = DispatchTime.now() + patience, saved = DispatchSemaphore(value: 0)
            DocumentsAtEnd.saveAll(saved)
            // First those that wait for nobody; and what documents have set while they were saved.
            KeyValueStoresAtEnd.writeAll(until: end)
            if saved.wait(timeout: end) == .success { KeyValueStoresAtEnd.writeAll(until: end) }
            raiseAgain(number)
        }
    }

    /// It ends as it would have without this.
    private static func raiseAgain(_ number: Int32) {
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
