import Dispatch
import Testing

@testable import LinuxFiles

/// The types that have a lock for all who need one of their sort.
@Suite struct SharedValueTests {
    /// Asks something of what it belongs to when it ends: that would never return where the lock is held then.
    private final class Ending: Sendable {
        let ended: @Sendable () -> Void
        init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
        deinit { ended() }
    }

    private final class Owner: Sendable {
        let latest = Latest<Ending?>(nil), seen = Latest<Bool?>(nil)
    }

    @Test func theLatestIsWhatWasSetLast() {
        let latest = Latest(1)
        #expect(latest.set(2) == 1)
        #expect(latest.value == 2)
    }

    @Test func whatIsReplacedEndsWithoutTheLock() {
        let owner = Owner()
        owner.latest.set(Ending { [unowned owner] in owner.seen.set(owner.latest.value == nil) })
        owner.latest.set(nil)
        #expect(owner.seen.value == true)
    }

    @Test func whatIsSetFirstStays() {
        let once = SetOnce<Int>()
        #expect(once.value == nil)
        once.set(1)
        once.set(2)
        #expect(once.value == 1)
    }

    @Test func ofManyWhoSetItOneDoes() {
        final class Shared: Sendable { let once = SetOnce<Int>(), seen = Latest<Set<Int>>([]) }
        for _ in 0..<50 {
            let shared = Shared()
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                shared.once.set(number)
                if let value = shared.once.value { shared.seen.latest.withLock { _ = $0.insert(value) } }
            }
            #expect(shared.seen.value.count == 1)
        }
    }

    @Test func itIsTakenOnce() {
        final class Shared: Sendable {
            let value = TakenOnce(7), taken = Latest<[Int]>([])
        }
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            if let value = shared.value.take() { shared.taken.latest.withLock { $0.append(value) } }
        }
        #expect(shared.taken.value == [7])
        #expect(TakenOnce<Int>(nil).take() == nil)
    }

    @Test func anAnswerIsWaitedFor() {
        for number in 0..<100 {
            let answer = AwaitedAnswer<Int?>()
            DispatchQueue.global().async { answer.give(number == 50 ? nil : number) }
            #expect(answer.wait() == (number == 50 ? nil : number))
        }
    }

    @Test func beyondSoManyAllIsForgotten() {
        let table = RecentTable<Int, String>(most: 2)
        table[1] = "one"
        table[2] = "two"
        table[2] = "zwei"
        #expect(table[1] == "one" && table[2] == "zwei")
        table[3] = "three"
        #expect(table[1] == nil && table[2] == nil && table[3] == "three")
    }

    @Test func whatIsForgottenOrTakenIsNotThere() {
        let table = RecentTable<Int, String>(most: 8)
        table[1] = "one"
        table[2] = "two"
        table[1] = nil
        #expect(table.take(2) == "two" && table.take(2) == nil && table[1] == nil)
        table.change(3) { $0?.append("!") }
        #expect(table[3] == nil)
        table[3] = "three"
        table.change(3) { $0?.append("!") }
        #expect(table[3] == "three!")
    }
}
