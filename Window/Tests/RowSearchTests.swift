import Foundation
import Testing

@testable import Widgets

/// What is found in a list, and when that is shown. One after another: each keeps a thread waiting.
@MainActor
@Suite(.serialized) struct RowSearchTests {
    /// Waits for who looks, as long as it is held.
    private final class Gate: @unchecked Sendable {
        // @unchecked: all of it is behind the condition.
        private let condition = NSCondition()
        private var isOpen = false, isOnMainThread = false, count = 0

        func pass() {
            condition.withLock {
                count += 1
                if Thread.isMainThread { isOnMainThread = true }
                while !isOpen { condition.wait() }
            }
        }

        func open() {
            condition.withLock {
                isOpen = true
                condition.broadcast()
            }
        }

        var passed: (count: Int, isOnMainThread: Bool) { condition.withLock { (count, isOnMainThread) } }
    }

    private let gate = Gate()

    private func search() -> RowSearch<String> {
        RowSearch { [gate] row, words in
            gate.pass()
            return row.contains(words)
        }
    }

    private func awaited(_ holds: () -> Bool) async { while !holds() { await Task.yield() } }

    /// The main thread goes on meanwhile.
    @Test func itLooksBesideTheMainThread() async {
        let search = search()
        var found: [String]?
        search.look(for: "a", in: ["ab", "b", "ca"]) { found = $0 }
        await awaited { gate.passed.count > 0 }
        #expect(found == nil)
        gate.open()
        await awaited { found != nil }
        #expect(found == ["ab", "ca"] && !gate.passed.isOnMainThread)
    }

    @Test func whatIsNotLookedForIsThereAtOnce() {
        var found: [String]?
        search().look(for: nil, in: ["ab", "b"]) { found = $0 }
        #expect(found == ["ab", "b"])
    }

    /// What somebody looked for before is not shown in the place of what they look for now.
    @Test func otherWordsAreAnotherSearch() async {
        let search = search()
        var shown: [[String]] = []
        search.look(for: "a", in: ["ab", "b"]) { shown.append($0) }
        await awaited { gate.passed.count > 0 }
        search.look(for: "b", in: ["ab", "b"]) { shown.append($0) }
        gate.open()
        await awaited { !shown.isEmpty }
        search.look(for: nil, in: ["b"]) { shown.append($0) }
        #expect(shown == [["ab", "b"], ["b"]])
    }

    /// Rows that come while it looks are looked through after, and those before are shown meanwhile.
    @Test func rowsThatComeAreFound() async {
        let search = search()
        var shown: [[String]] = []
        search.look(for: "a", in: ["a"]) { shown.append($0) }
        await awaited { gate.passed.count > 0 }
        search.look(for: "a", in: ["a", "ab"]) { _ in Issue.record("others have come since") }
        search.look(for: "a", in: ["a", "ab", "ac"]) { shown.append($0) }
        gate.open()
        await awaited { shown.count == 2 }
        #expect(shown == [["a"], ["a", "ab", "ac"]])
    }
}
