import Foundation

/// A command that goes on, and its lines as they come. They are understood beside the main thread, and told of on the main queue, many at a time.
@MainActor
final class LineStream<Line: Sendable> {
    private let process: Process
    private let lines: @MainActor ([Line]) -> Void
    private let ended: @MainActor (_ code: Int32, _ errors: String) -> Void
    private var isStopped = false

    init(
        _ program: ValiseProgram, _ words: [String], reading read: @escaping @Sendable (Data) -> Line?, lines: @escaping @MainActor ([Line]) -> Void,
        ended: @escaping @MainActor (_ code: Int32, _ errors: String) -> Void
    ) {
        (self.lines, self.ended) = (lines, ended)
        process = program.prepared(words)
        let process = process, output: Pipe, errors: Pipe
        // Here and not on the thread: who stops it at once stops something that runs.
        do { (output, errors) = try ValiseProgram.started(process) } catch {
            let sentence = error.localizedDescription
            DispatchQueue.main.async { [weak self] in self?.end(127, sentence) }
            return
        }
        Thread.detachNewThread { [weak self] in
            var rest = Data()
            while true {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                rest += more
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(parts.removeLast())
                let whole = parts.compactMap { read(Data($0)) }
                if !whole.isEmpty { DispatchQueue.main.async { self?.take(whole) } }
            }
            // What it complains of is short: the pipe holds it.
            let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let code = process.terminationStatus
            DispatchQueue.main.async { self?.end(code, said) }
        }
    }

    private func take(_ whole: [Line]) { if !isStopped { lines(whole) } }
    private func end(_ code: Int32, _ errors: String) { if !isStopped { ended(code, ValiseProgram.sentence(errors)) } }

    /// It is asked to end, and what it says still is heard.
    func interrupt() { if process.isRunning { process.terminate() } }

    func stop() {
        isStopped = true
        if process.isRunning { process.terminate() }
    }
}
