import Foundation

/// A browser's bookmarks on their way into a drive's top folder: how far that is, its end, and what came of it.
@MainActor
public final class BookmarkImport {
    public struct Outcome: Sendable {
        public let sentence: String
        /// There is something that can be taken back.
        public let isUndoable: Bool
    }

    private struct Line: Decodable {
        let event: String?, count: Int?
    }

    private struct Answer: Decodable { let added: Int, known: Int, faultCount: Int, faults: [Remark], stopped: Bool }
    private struct Remark: Decodable { let place: String, reason: String }

    /// How many bookmarks were looked at.
    public private(set) var count = 0
    private let progress: @MainActor (Int) -> Void
    private let ended: @MainActor (Result<Outcome, ValiseFault>) -> Void
    private var stream: LineStream<Data>?
    private var answer: Result<Outcome, ValiseFault>?

    public init(
        _ program: ValiseProgram, of file: String, into drive: Drive, progress: @escaping @MainActor (Int) -> Void, ended: @escaping @MainActor (Result<Outcome, ValiseFault>) -> Void
    ) {
        (self.progress, self.ended) = (progress, ended)
        // They hold it until it has ended.
        stream = LineStream(program, ["import", "--json", "--progress", "--", file, drive.mountpoint], reading: { $0 }) { [self] lines in
            for line in lines { take(line) }
        } ended: { [self] _, errors in
            stream = nil
            ended(answer ?? .failure(ValiseFault(errors.isEmpty ? "The import was ended before it was done. What came is whole, and the same import goes on with the rest." : errors)))
        }
    }

    /// What came till then stays, is whole, and can be taken back.
    public func stop() { stream?.interrupt() }

    private func take(_ line: Data) {
        if let step = try? ValiseProgram.decoder.decode(Line.self, from: line), step.event == "progress" {
            count = step.count ?? count
            return progress(count)
        }
        let said = try? ValiseProgram.decoder.decode(Answer.self, from: line), fault = try? ValiseProgram.decoder.decode(FaultAnswer.self, from: line)
        // Both where a disk was full in the middle: what came before can be taken back.
        if let fault {
            let outcome = said.map(Self.outcome), came = outcome?.isUndoable == true ? outcome : nil
            answer = came.map { .success(Outcome(sentence: "\(fault.sentence); \($0.sentence)", isUndoable: true)) } ?? .failure(ValiseFault(fault.sentence))
        } else if let said { answer = .success(Self.outcome(said)) }
    }

    private static func outcome(_ said: Answer) -> Outcome {
        var words = [said.added == 1 ? "1 item is new" : "\(said.added) items are new"]
        if said.known > 0 { words.append("\(said.known) were there") }
        if let first = said.faults.first { words.append("\(said.faultCount) could not be imported, the first: \(first.place): \(first.reason)") }
        if said.stopped { words.append("and the rest was left out") }
        return Outcome(sentence: words.joined(separator: ", "), isUndoable: said.added > 0)
    }
}
