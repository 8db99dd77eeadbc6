// Worlds of devices, very many, for Tests/Worlds/run: which fail, why, and what happened in them; or which twin is caught first by which world.

import DeviceWorlds

var words = Array(CommandLine.arguments.dropFirst())
let isRough = words.first == "rough"
if isRough { words.removeFirst() }
var trouble: Trouble = []
while let named = Trouble.all.first(where: { $0.name == words.first }) {
    trouble.insert(named.trouble)
    words.removeFirst()
}
let roughness: Double = isRough ? World.rough : 1

@MainActor func story(_ seed: UInt64, _ twin: Twin?) {
    if let twin, let world = twin.handMade {
        guard let (fault, story) = world.story(seed: twin.seed, twin: twin) else { return }
        return ([fault] + story).forEach { print("    \($0)") }
    }
    guard let shrunk = ShrunkWorld(seed: seed, twin: twin, roughness: roughness, trouble) else { return }
    print("  the events \(shrunk.events) are enough: \(shrunk.fault)")
    for sentence in shrunk.story { print("    \(sentence)") }
}

switch words.first {
case "twins":
    let most = words.dropFirst().first.flatMap { UInt64($0) } ?? 10_000
    for twin in ViewTwin.allCases {
        let caught = (0..<most).first { !twin.faults(seed: $0).isEmpty }
        print("view, \(twin): \(caught.map { "\($0): \(twin.faults(seed: $0)[0])" } ?? "not caught")")
    }
    let wanted = words.dropFirst(2)
    for twin in Twin.allCases where wanted.isEmpty || wanted.contains(twin.rawValue) {
        let caught = (0..<most).first { seed in
            do { _ = try World(seed: seed, twin: twin, roughness: roughness, trouble).run() } catch {
                print("\(twin): \(seed): \(error)")
                return true
            }
            return false
        }
        if let caught { story(caught, twin) } else { print("\(twin): not caught") }
    }
case "table": (TwinTable.head + TwinTable.rows).forEach { print($0) }
case "story":
    story(words.dropFirst().first.flatMap { UInt64($0) } ?? 0, words.dropFirst(2).first.flatMap { Twin(rawValue: $0) })
default:
    let count = words.first.flatMap { UInt64($0) } ?? 1000, first = words.dropFirst().first.flatMap { UInt64($0) } ?? 0
    var devices = 0, facts = 0, conflicts = 0, failed = 0
    for seed in first..<(first + count) {
        do {
            let outcome = try World(seed: seed, roughness: roughness, trouble).run()
            (devices, facts, conflicts) = (devices + outcome.devices, facts + outcome.facts, conflicts + (outcome.hasConflicts ? 1 : 0))
        } catch {
            failed += 1
            print("seed \(seed): \(error)")
            if failed <= 8 { story(seed, nil) }
        }
    }
    print("\(count) worlds, \(devices) devices, \(facts) facts, \(conflicts) ended with conflicts, \(failed) failed")
}
