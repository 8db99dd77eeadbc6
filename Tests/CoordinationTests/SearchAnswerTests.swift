import LinuxFiles
import Testing

@testable import Coordination

/// What is heard of who serves a drive when somebody searches there.
@Suite struct SearchAnswerTests {
    private static let greeting = CoordinationAnswer.hello(version: CoordinationProtocol.version).bytes
    private static let progress = SearchWord.progress.message([UInt8](repeating: 0, count: 8)), found = SearchWord.found.message([1])

    private func request(isLive: Bool) -> SearchRequest { SearchRequest(predicate: Array("x".utf8), folder: [], scopes: 1, sort: [], limit: .max, isLive: isLive) }

    /// They are silent after these words: where nothing was found by then, whoever asks looks for themselves.
    @Test(arguments: [[], greeting, greeting + progress]) func silenceEnds(words: [UInt8]) throws {
        let (one, other) = try LocalSocket.pair()
        if !words.isEmpty { _ = try other.send(words[...]) }
        #expect(try AskedDrive.ask(request(isLive: false), one, patience: 50) { _, _ in true } == false)
        if words.isEmpty { #expect(try AskedDrive.ask(request(isLive: true), LocalSocket.pair().0, patience: 50) { _, _ in true } == false) }
        withExtendedLifetime(other) {}
    }

    @Test func silenceAfterAResultIsAFailure() throws {
        let (one, other) = try LocalSocket.pair()
        _ = try other.send((Self.greeting + Self.found)[...])
        let failure = #expect(throws: Failure.self) { try AskedDrive.ask(request(isLive: false), one, patience: 50) { _, _ in true } }
        #expect(failure?.errno == .timedOut)
        withExtendedLifetime(other) {}
    }
}
