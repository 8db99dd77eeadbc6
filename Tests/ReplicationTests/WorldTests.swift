import DeviceWorlds
import Foundation
import MountTesting
import Testing

/// Devices that agree, whatever goes wrong; and rules without which they do not. A million worlds by hand: Tests/Worlds/run.
@Suite(.computing) struct WorldTests {
    /// Ten thousand, which take a minute of one processor, in parts that are run beside each other; or two thousand of them.
    private static let parts: Range<UInt64> = 0..<40, worldsInPart: UInt64 = 250

    @Test(arguments: TestRun.share(8, of: parts))
    func allDevicesAgree(part: UInt64) throws {
        var conflicts = 0
        for seed in part * Self.worldsInPart..<(part + 1) * Self.worldsInPart {
            do { conflicts += try World(seed: seed).run().hasConflicts ? 1 : 0 } catch {
                // One is enough to read.
                Issue.record("seed \(seed): \(error)\n\((ShrunkWorld(seed: seed)?.story ?? []).joined(separator: "\n"))")
                return
            }
        }
        #expect(conflicts > 40)
    }

    /// In which computers stop more often, and users go on, in the middle of what a device does.
    @Test(arguments: UInt64(0)..<4)
    func allDevicesAgreeInRoughWorlds(part: UInt64) throws {
        for seed in part * Self.worldsInPart..<(part + 1) * Self.worldsInPart {
            do { _ = try World(seed: seed, roughness: World.rough).run() } catch {
                Issue.record("rough seed \(seed): \(error)\n\((ShrunkWorld(seed: seed, roughness: World.rough)?.story ?? []).joined(separator: "\n"))")
                return
            }
        }
    }

    /// Stores refuse what is to be done there, devices make thumbnails of their own.
    @Test(arguments: Trouble.all.map(\.name), UInt64(0)..<1)
    func allDevicesAgreeInTrouble(name: String, part: UInt64) throws {
        let trouble = try #require(Trouble.all.first { $0.name == name }).trouble
        for seed in part * Self.worldsInPart..<(part + 1) * Self.worldsInPart {
            do { _ = try World(seed: seed, trouble).run() } catch {
                Issue.record("\(name) seed \(seed): \(error)\n\((ShrunkWorld(seed: seed, trouble)?.story ?? []).joined(separator: "\n"))")
                return
            }
        }
    }

    @Test(arguments: Twin.allCases)
    func eachRuleIsMissed(twin: Twin) throws {
        if let world = twin.handMade {
            #expect(throws: Fault.self) { try world.run(seed: twin.seed, twin: twin) }
            return
        }
        #expect(throws: Fault.self) { try World(seed: twin.seed, twin: twin, roughness: twin.roughness, twin.trouble).run() }
        // And not for another reason.
        #expect(throws: Never.self) { try World(seed: twin.seed, roughness: twin.roughness, twin.trouble).run() }
    }

    /// Which of two is the lower one is drawn.
    @Test(arguments: HandMadeWorld.allCases)
    func whatIsMadeByHandHolds(world: HandMadeWorld) {
        for seed in UInt64(0)..<8 { #expect(throws: Never.self, "\(seed)") { try world.run(seed: seed) } }
        let twin: Twin = world == .writtenOverWhatCame ? .unnotedContent : .leftAlone
        #expect((UInt64(0)..<8).contains { seed in (try? world.run(seed: seed, twin: twin)) == nil })
    }

    /// Worlds that were wrong once, shrunk to the events that it took: a rule was missing, or said too little.
    struct WrongOnce: Sendable { let twin: Twin, seed: UInt64, events: [Int] }

    static let wrongOnce = [
        WrongOnce(twin: .givenForEver, seed: 14_234, events: [14, 16, 26, 35, 36, 39, 44, 45, 46, 51, 52, 53, 54, 55]),
        WrongOnce(twin: .notUnderstood, seed: 18_678, events: [2, 4, 5, 6, 7, 9, 12, 15, 16, 23, 32, 49]),
    ]

    @Test(arguments: wrongOnce)
    func whatWasWrongOnce(_ once: WrongOnce) throws {
        #expect(throws: Fault.self) { try World(seed: once.seed, twin: once.twin, events: once.events).run() }
        #expect(throws: Never.self) { try World(seed: once.seed, events: once.events).run() }
    }

    /// What few worlds of many thousands went wrong in: rules were missing, and some of the worlds asked for too much.
    @Test(arguments: [
        110_408, 111_896, 116_453, 143_231, 179_481, 190_710, 237_346, 238_241, 242_834, 284_173, 303_817, 307_479,
        2_009_469, 2_060_372, 3749, 2310, 2388, 6_022_695, 23096, 20_013_389, 21_009_663, 8718,
    ] as [UInt64])
    func whatManyWorldsFound(seed: UInt64) { #expect(throws: Never.self) { try World(seed: seed).run() } }

    @Test(arguments: [67, 5204, 40_025_983, 40_029_424, 40_051_595, 41_002_635, 42_008_589] as [UInt64])
    func whatManyRoughWorldsFound(seed: UInt64) { #expect(throws: Never.self) { try World(seed: seed, roughness: World.rough).run() } }

    @Test(arguments: ViewTwin.allCases)
    func eachRuleOfTheViewIsMissed(twin: ViewTwin) throws {
        #expect((0...twin.seed).first { !twin.faults(seed: $0).isEmpty } == twin.seed)
    }

    /// The page's list is what comes of trying it.
    @Test func thePageListsTheTwins() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/DEVICES.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n"), rows = TwinTable.rows
        #expect(lines.filter { $0.hasPrefix("| `Twin.") || $0.hasPrefix("| `ViewTwin.") } == rows, "Tests/Worlds/run table prints it")
        #expect(!rows.contains { $0.contains("| nothing |") })
    }

    /// What a failing world comes to is a few events in words.
    @Test func aFailureIsAStory() throws {
        let twin = Twin.impatient, shrunk = try #require(ShrunkWorld(seed: twin.seed, twin: twin))
        #expect(shrunk.events.count <= 4 && !shrunk.story.isEmpty)
        #expect(shrunk.story.contains { $0.contains("makes it anew a moment later") })
        #expect(ShrunkWorld(seed: twin.seed) == nil)
    }
}
