import Foundation
import Testing

/// What is agreed with a kernel before it asks for anything.
@Suite struct GreetingTests {
    private typealias Features = Greeting.Features

    private func agreed(_ greeting: Greeting, accessLists: Bool = false) throws -> (body: Fields, features: Features) {
        let kernel = try PlayedKernel(accessLists: accessLists)
        kernel.run()
        let answer = try kernel.end.ask(.initialize, 0, greeting.body)
        #expect(answer.error == 0)
        #expect(try kernel.end.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        #expect(try kernel.end() == EIO)
        return (answer.body, Features(rawValue: answer.body.bytes.count < 16 ? 0 : try answer.body.number(at: 12)))
    }

    @Test func aKernelOfTodayIsAskedForWhatTheDriveUses() throws {
        let (body, features) = try agreed(Greeting())
        #expect(body.bytes.count == 64)
        #expect(try body.number(at: 0) == UInt32(7))
        // libfuse does not tell before 3.17 that folders may be asked of by several at once.
        #expect(features.isSuperset(of: [
            .asyncRead, .atomicTruncate, .export, .attributesInListings, .asyncDirect, .cachedLinks, .losesSetIDsTold, .parallelFolders,
        ]))
        #expect(features.isDisjoint(with: [
            .posixLocks, .fileLocks, .noMask, .spliceRead, .changedByTime, .attributesByGuess, .writeback, .losesSetIDs, .accessLists, .longAttributes,
        ]))
        // Time is counted to the nanosecond, and what is written comes in large pieces.
        #expect(try body.number(at: 24) == UInt32(1))
        #expect(try body.number(at: 20, UInt32.self) >= 128 << 10)
    }

    /// By the page of what came of it: which means are at work, and why the others are not.
    private func means(_ greeting: Greeting) throws -> (page: [String: Any], used: [String], unused: [String: String]) {
        let kernel = try PlayedKernel()
        kernel.run()
        #expect(try kernel.end.ask(.initialize, 0, greeting.body).error == 0)
        // It is said before the next request is taken.
        #expect(try kernel.end.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        let page = try #require(try kernel.statusPage["kernel"] as? [String: Any])
        #expect(try kernel.end() == EIO)
        return (page, page["used"] as? [String] ?? [], page["unused"] as? [String: String] ?? [:])
    }

    @Test func whatIsAtWorkIsOnTheStatusPage() throws {
        let (page, used, unused) = try means(Greeting())
        #expect(page["protocol"] as? String == "7.38" && page["mostRead"] as? Int == 512 << 10 && page["mostWrite"] as? Int ?? 0 >= 128 << 10)
        #expect((page["libfuse"] as? String)?.hasPrefix("3.") == true)
        #expect(used == ["readdirplus", "parallelLookups", "spliceOut", "silentClose", "setIDs"])
        #expect(unused.keys.sorted() == ["ioUring", "passthrough", "spliceIn", "writeBack"])
        #expect(unused["ioUring"] == "the kernel does not offer it" && unused["passthrough"] == "the kernel does not offer it")
    }

    @Test func whatTheKernelLacksIsToldFromWhatTheDriveDoesNotUse() throws {
        var greeting = Greeting()
        greeting.minor = 34
        greeting.features.subtract([.attributesInListings, .losesSetIDsTold])
        // Passthrough and io_uring, as the second word has them.
        greeting.furtherFeatures = 1 << 5 | 1 << 9
        let (_, used, unused) = try means(greeting)
        #expect(used == ["parallelLookups", "spliceOut"])
        for name in ["readdirplus", "silentClose", "setIDs"] { #expect(unused[name] == "the kernel does not offer it", "\(name)") }
        for name in ["passthrough", "ioUring"] { #expect(unused[name] != nil && unused[name] != "the kernel does not offer it", "\(name)") }
    }

    @Test func accessListsAreAskedForWhereTheyAreWanted() throws {
        let (_, features) = try agreed(Greeting(), accessLists: true)
        #expect(features.isSuperset(of: [.accessLists, .noMask]))
    }

    /// Nothing may be wanted that the kernel does not have.
    @Test(arguments: [
        Greeting.Features.asyncRead, .atomicTruncate, .export, .attributesInListings, .asyncDirect, .parallelFolders, .cachedLinks, .losesSetIDsTold, .more, .accessLists, .noMask,
    ].map(\.rawValue)) func aMissingFeatureIsNotAskedFor(feature: UInt32) throws {
        let missing = Features(rawValue: feature)
        var greeting = Greeting()
        greeting.features.subtract(missing)
        let (_, with) = try agreed(Greeting(), accessLists: true)
        let (_, without) = try agreed(greeting, accessLists: true)
        #expect(without.isDisjoint(with: missing))
        #expect(without.isSuperset(of: with.subtracting(missing)))
    }

    @Test func aKernelWithoutAnyFeatureIsServed() throws {
        let (body, features) = try agreed(Greeting(minor: 31, features: [], length: 16))
        // Large writes are always the drive's to take.
        #expect(features.subtracting(.bigWrites).isEmpty)
        #expect(body.bytes.count == 64)
    }

    /// Older kernels say less, and are told less.
    @Test(arguments: [(UInt32(31), 16, 64), (23, 16, 64), (22, 16, 24), (12, 16, 24), (8, 16, 24), (5, 8, 24), (4, 8, 8)])
    func anOlderKernelIsToldWhatItUnderstands(minor: UInt32, said: Int, told: Int) throws {
        #expect(try agreed(.old(minor, length: said)).body.bytes.count == told)
    }

    @Test func aKernelOfTheNextKindGreetsAgain() throws {
        let kernel = try PlayedKernel()
        kernel.run()
        let answer = try kernel.end.ask(.initialize, 0, Greeting(major: 8).body)
        #expect(answer.error == 0)
        #expect(try answer.body.number(at: 0) == UInt32(7))
        #expect(try kernel.end.ask(.initialize, 0, Greeting().body).error == 0)
        #expect(try kernel.end.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        #expect(try kernel.end() == EIO)
    }

    @Test func aKernelOfTheKindBeforeIsRefused() throws {
        let kernel = try PlayedKernel()
        kernel.run()
        #expect(try kernel.end.ask(.initialize, 0, Greeting(major: 6).body).error == EPROTO)
        #expect(try kernel.end() == EIO)
    }

    /// Whose numbers, and whose features, are not all there.
    @Test(arguments: [0, 4, 7, 8, 12, 15, 16, 20, 63]) func aTornGreetingIsRefused(length: Int) throws {
        let kernel = try PlayedKernel()
        kernel.run()
        #expect(try kernel.end.ask(.initialize, 0, Greeting(length: length).body).error == EIO)
        // One that is whole is answered after that.
        #expect(try kernel.end.ask(.initialize, 0, Greeting().body).error == 0)
        #expect(try kernel.end.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        #expect(try kernel.end() == EIO)
    }

    @Test func whatComesBeforeTheGreetingIsRefused() throws {
        let kernel = try PlayedKernel()
        kernel.run()
        for _ in 0..<3 { #expect(try kernel.end.ask(.getattr, 1, KernelEnd.asking()).error == EIO) }
        #expect(try kernel.end.ask(.lookup, 1, Fields().name("a")).error == EIO)
        #expect(try kernel.end.ask(.initialize, 0, Greeting().body).error == 0)
        #expect(try kernel.end.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        #expect(try kernel.end() == EIO)
    }

    @Test func aSecondGreetingIsRefused() throws {
        try withPlayedKernel { (_, kernel) throws in
            #expect(try kernel.ask(.initialize, 0, Greeting().body).error == EIO)
            #expect(try kernel.ask(.getattr, 1, KernelEnd.asking()).error == 0)
        }
    }

    @Test func aKernelThatIsGoneBeforeItsGreetingEndsTheDrive() throws {
        let kernel = try PlayedKernel()
        kernel.run()
        #expect(try kernel.end() == EIO)
    }
}
