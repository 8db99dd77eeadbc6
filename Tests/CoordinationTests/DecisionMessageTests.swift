import Containers
import LinuxFiles
import Testing

@testable import Coordination

/// Message 5: what each decision is on the wire. Programs and drives of other versions say and read the same bytes.
@Suite struct DecisionMessageTests {
    private static let id = VersionID("2026-11-21T23-27-33.123456Z")!

    /// Each decision, its text, and what those hear who present the document.
    private static let all: [(decision: ClaimDecision, text: String, event: PresenterEvent.Kind)] = [
        (.version(.restore(id)), "restore 2026-11-21T23-27-33.123456Z", .gainedVersion),
        (.version(.resolve(.version(id))), "resolve 2026-11-21T23-27-33.123456Z", .resolvedConflict),
        (.version(.resolve(.current)), "resolve current", .resolvedConflict),
        (.version(.resolve(.both)), "resolve both", .resolvedConflict),
        (.version(.settle(id)), "settle 2026-11-21T23-27-33.123456Z", .resolvedConflict),
        (.version(.remove(id)), "remove 2026-11-21T23-27-33.123456Z", .resolvedConflict),
        (.version(.removeOthers), "remove others", .resolvedConflict),
        (.dropDraft, "drop draft", .changed),
        (.container(.purgeVersions(before: nil)), "purge-versions all", .resolvedConflict),
        (.container(.purgeVersions(before: 1_764_000_000)), "purge-versions 1764000000", .resolvedConflict),
        (.container(.purgeVersions(before: -5)), "purge-versions -5", .resolvedConflict),
        (.container(.undelete([7])), "undelete 7", .changed),
        (.container(.undelete([7, 18_446_744_073_709_551_615])), "undelete 7,18446744073709551615", .changed),
        (.container(.purge([1, 2, 3])), "purge 1,2,3", .changed),
        (.container(.place(Name(constant: "1f00.d"))), "place 1f00.d", .changed),
        (.container(.takeBack(Name(constant: "ab12"))), "take-back ab12", .changed),
    ]

    /// As docs/COORDINATION.md says: a length, the byte 5, the claim's number, which of its items, and a text with its length.
    private static func message(_ text: String) -> [UInt8] {
        let text = Array(text.utf8), length = UInt32(1 + 4 + 1 + 2 + text.count)
        let number = withUnsafeBytes(of: length.littleEndian, Array.init)
        return number + [5, 0x04, 0x03, 0x02, 0x01, 1] + withUnsafeBytes(of: UInt16(text.count).littleEndian, Array.init) + text
    }

    private static func request(_ text: String) -> CoordinationRequest? { CoordinationRequest(message(text).dropFirst(4)) }

    @Test func eachHasItsBytes() {
        #expect(Self.message("drop draft") == [18, 0, 0, 0, 5, 4, 3, 2, 1, 1, 10, 0] + Array("drop draft".utf8))
        for (decision, text, event) in Self.all {
            #expect(CoordinationRequest.decide(0x0102_0304, item: 1, decision).bytes == Self.message(text), "\(text)")
            #expect(Self.request(text) == .decide(0x0102_0304, item: 1, decision), "\(text)")
            #expect(decision.event == event, "\(text)")
        }
    }

    /// Also those of the first version say and hear it.
    @Test func theyAreOfTheFirstVersion() {
        for (decision, _, _) in Self.all { #expect(CoordinationRequest.decide(1, item: 0, decision).version == 1) }
    }

    @Test(arguments: [
        "", "restore", "restore ", "restore current", "restore 2026-11-21", "resolve", "resolve neither", "settle both", "remove", "remove all",
        "drop", "drop it", "Drop draft", "drop draft now", " drop draft", "purge-versions", "purge-versions ", "purge-versions some",
        "purge-versions 9223372036854775808", "undelete ", "undelete all", "undelete 1,", "undelete ,1", "undelete -1", "undelete 1 2",
        "undelete 18446744073709551616", "purge ", "purge x", "place ", "place a/b", "place ..", "take-back ", "take-back a/b", "takeback a", "keep 1",
    ])
    func whatIsNoneEndsTheConnection(text: String) { #expect(Self.request(text) == nil) }

    @Test(arguments: ["undelete", "purge"]) func thereIsAMostOfNumbers(word: String) {
        let numbers = (1...401).map { "\($0)" }
        #expect(Self.request("\(word) \(numbers.prefix(400).joined(separator: ","))") != nil)
        #expect(Self.request("\(word) \(numbers.joined(separator: ","))") == nil)
    }
}
