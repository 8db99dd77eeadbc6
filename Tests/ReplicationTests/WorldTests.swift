import Testing

/// Devices that agree, whatever goes wrong; and rules without which they do not.
@Suite struct WorldTests {
    @Test func allDevicesAgree() throws {
        var conflicts = 0
        for seed in 0..<UInt64(300) {
            do { conflicts += try World(seed: seed).run().hasConflicts ? 1 : 0 } catch { Issue.record("seed \(seed): \(error)") }
        }
        #expect(conflicts > 20)
    }

    /// Each rule is missed in one of the worlds when it is left out.
    @Test(arguments: Twin.allCases)
    func eachRuleIsMissed(twin: Twin) {
        for seed in 0..<UInt64(3000) {
            do { _ = try World(seed: seed, twins: [twin]).run() } catch {
                print("twin \(twin): seed \(seed): \(error)")
                return
            }
        }
        Issue.record("nobody misses \(twin)")
    }
}
