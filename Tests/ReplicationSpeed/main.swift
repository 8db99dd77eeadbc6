// How long facts take, for Benchmarks/devices.py: one line a figure, its name and a number.

import Glibc
import Hashes
import Replication
import SeededNumbers

func now() -> Double {
    var time = timespec()
    // Of this process: others on the machine do not count.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Memory that is the process's own, in bytes.
func memory() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard unsafe fgets(&line, 128, file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
    return ((Int(words[1]) ?? 0) - (Int(words[2]) ?? 0)) * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// Each call's share of the time that all took.
func seconds(_ work: () -> Void) -> Double {
    let began = now()
    work()
    return now() - began
}

/// A device on which all of this is, as it is at rest.
func deviceAtRest(_ known: FollowedView) -> LocalItems {
    var entries: [LocalID: LocalEntry] = [:], synced: [ItemID: Synced] = [:], contents: Set<Digest> = [], files: [ItemID: LocalID] = [:]
    for (index, item) in known.view.items.keys.sorted().enumerated() { files[item] = LocalID(inode: UInt64(index + 1), made: 1) }
    for (item, seen) in known.view.items {
        guard let file = files[item], let name = seen.name?.shown, let kind = seen.place?.place?.kind, let current = seen.current,
            let digest = known.facts.versions[current]?.digest
        else { continue }
        let stamp = LocalStamp(size: 500, modified: 1, changed: 1), entry = LocalEntry(file, in: seen.folder.flatMap { files[$0] }, name, kind, stamp, digest: nil)
        entries[file] = entry
        synced[item] = Synced(entry, in: seen.folder, digest: kind == .folder ? .folder : digest, leaves: [current])
        contents.insert(digest)
    }
    return LocalItems(entries, synced: synced, contents: contents, time: 1000)
}

var numbers = SeededNumbers(seed: 1)
let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
@MainActor func mark() -> Mark { Mark.drawn(with: &numbers) }

let device = DeviceID(mark()), folders = (0..<(count / 100)).map { _ in ItemID(mark()) }
var facts: [Fact] = []
for (index, item) in (folders + (0..<(count - folders.count)).map { _ in ItemID(mark()) }).enumerated() {
    let isFolder = index < folders.count, digest = SHA256.digest(of: Array((isFolder ? "" : "\(index % 50_000)").utf8))
    let folder = isFolder ? nil : folders[Int.random(in: folders.indices, using: &numbers)]
    let name = ItemName(Array("Bookmark_Number \(index)-1772355900.123456".utf8))
    facts.append(Fact(id: FactID(mark()), rank: Int64(index), device: device, .place(Location(of: item, folder: folder, name: name, kind: isFolder ? .folder : .document, former: nil))))
    facts.append(Fact(id: FactID(mark()), rank: Int64(index), device: device, .version(Version(of: item, digest: digest, parents: []))))
}

let before = memory()
var known = Facts()
print("join_seconds", seconds { known.add(facts) })
print("bytes_a_fact", (memory() - before) / facts.count)
var view = View(of: Facts())
print("whole_seconds", seconds { view = View(of: known) })
print("items_there", view.items.values.count { $0.isThere })

var followed = FollowedView()
print("followed_seconds", seconds { followed.add(facts) })
let more = 2000
print("one_more_seconds", seconds {
    for index in 0..<more {
        let item = ItemID(mark()), folder = folders[index % folders.count]
        followed.add([
            Fact(id: FactID(mark()), rank: 1 << 40, device: device, .place(Location(of: item, folder: folder, name: ItemName(Array("New \(index)".utf8)), kind: .document, former: nil)))
        ])
        followed.add([Fact(id: FactID(mark()), rank: 1 << 40, device: device, .version(Version(of: item, digest: .zero, parents: [])))])
    }
} / Double(2 * more))
print("repairs_seconds", seconds { _ = followed.repairs })

// One edit among all: it is seen, planned, read, said and written down, until nothing is to be done.
let first = FollowedView(of: facts)
var there = first
let beforePlans = memory()
var planner = FollowedPlanner(there, deviceAtRest(there))
print("first_plan_seconds", seconds { if !planner.steps(there).isEmpty { fatalError("something is to be done") } })
print("bytes_an_item_planned", (memory() - beforePlans) / count)
let edits = 200, edited = planner.local.synced.filter { $0.value.kind != .folder }.sorted { $0.key < $1.key }.prefix(edits)
print("one_edit_planned_seconds", seconds {
    for (index, (item, synced)) in edited.enumerated() {
        guard var entry = planner.local.entries[synced.entry] else { continue }
        entry.stamp = LocalStamp(size: 501, modified: 2, changed: 2)
        planner.look(entry, at: entry.id)
        guard planner.steps(there) == [.read(entry.id, entry.stamp)] else { fatalError("it is not read") }
        let digest = SHA256.digest(of: Array("edit \(index)".utf8))
        entry.digest = digest
        planner.look(entry, at: entry.id)
        planner.have([digest], there)
        guard planner.steps(there) == [.sayContent(item, digest, replacing: synced.leaves, entry)] else { fatalError("it is not said") }
        let version = Fact(id: FactID(mark()), rank: 1 << 40, device: device, .version(Version(of: item, digest: digest, parents: synced.leaves)))
        planner.hear(there.add([version]), there)
        planner.note(item, Synced(entry, in: synced.folder, digest: digest, leaves: [version.id]))
        guard planner.steps(there).isEmpty else { fatalError("something is to be done still") }
    }
} / Double(edited.count))
print("whole_plan_seconds", seconds { if !Planner(there, planner.local).steps().isEmpty { fatalError("something is to be done") } })

var written: [UInt8] = []
let writing = seconds { for fact in facts { written += fact.bytes ?? [] } }
print("written_a_second", Double(facts.count) / writing)
print("written_bytes_a_fact", written.count / facts.count)
var read = 0
let reading = seconds {
    var reader = FactReader(written)
    while let fact = Fact(from: &reader) { read += fact.rank >= 0 ? 1 : 0 }
}
print("read_a_second", Double(read) / reading)
let large = [UInt8](repeating: 7, count: 64 << 20)
let hashing = seconds { _ = SHA256.digest(of: large) }
SHA256.useInstructions(false)
let plain = seconds { _ = SHA256.digest(of: large) }
print("hashed_mib_a_second", 64 / hashing)
print("hashed_mib_a_second_without_instructions", 64 / plain)
