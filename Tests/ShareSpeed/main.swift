// How long a newcomer takes to hear a share, for Benchmarks/devices.py: one line a figure, its name and a number.
//
//     ShareSpeed say FOLDER COUNT      a device says that so many documents are there, of half a kilobyte each, which travel with their facts
//     ShareSpeed hear FOLDER           a newcomer hears and writes down what is there
//     ShareSpeed change FOLDER COUNT   a device that said so many says one change more, again and again: processor time of each
//     ShareSpeed look FOLDER COUNT     somebody who has heard all looks so often whether there is something new

import Glibc
import Hashes
import LinuxFiles
import Replication
import SeededNumbers
import Shares

/// Everything travels with the facts.
struct NoContents: ContentSource {
    func find(_ content: Digest) throws(Errno) -> ContentRange? { nil }
}

func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Of this process: others on the machine do not count.
func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The most memory that this process ever had, in bytes: by its own account, for what the kernel tells of resources counts the program that started this one, too.
func mostMemory() -> Int {
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, 256, file) != nil {
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split { $0 == " " || $0 == "\t" }
        if words.first == "VmHWM:", words.count > 1 { return (Int(words[1]) ?? 0) << 10 }
    }
    return 0
}

func documents(_ count: Int) -> [Fact] {
    var numbers = SeededNumbers(seed: 1), facts: [Fact] = []
    func fact(_ statement: Fact.Statement) { facts.append(Fact(id: FactID(Mark.drawn(with: &numbers)), rank: Int64(facts.count), device: .none, statement)) }
    for index in 0..<count {
        let item = ItemID(Mark.drawn(with: &numbers)), content = (0..<512).map { UInt8(truncatingIfNeeded: index >> ($0 & 7)) }
        let body = Version.Body(size: 512, time: 1, computer: Array("laptop".utf8), parts: [Version.Part(path: Array("bookmark".utf8), .here(content))])
        fact(.version(Version(of: item, digest: SHA256.digest(of: content), parents: [], body: body)))
        fact(.place(Location(of: item, folder: nil, name: ItemName(Array("Bookmark_Number \(index)-1772355900.123456".utf8)), kind: .document, former: nil)))
    }
    return facts
}

func look(_ folder: String, _ count: Int) throws {
    let share = try ShareFolder(path: folder + "/share"), watch = ShareWatch(share)
    try watch.begin()
    watch.end(isComplete: true)
    for _ in 0..<count where watch.hasNews() { exit(1) }
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2 else { exit(2) }
if words[0] == "look" {
    try look(words[1], words.count > 2 ? Int(words[2]) ?? 0 : 1)
    exit(0)
}
let began = now(), home = words[1] + "/" + words[0]
unsafe mkdir(home, 0o700)
unsafe mkdir(words[1] + "/share", 0o700)
let store = try FactStore(in: home, "facts"), folder = try ShareFolder(path: words[1] + "/share")
var numbers = SeededNumbers(seed: words[0] == "hear" ? 3 : 2), memory = ShareMemory(with: &numbers)
try Share.join(folder, &memory)
try store.write([], memory)
var share = Share(folder, memory: memory, computer: Array(words[0].utf8), source: NoContents(), clock: { 1_000_000 }, numbers: numbers) { try store.write([], $0) }
switch words[0] {
case "say":
    try store.write(documents(words.count > 2 ? Int(words[2]) ?? 0 : 20_000))
    try share.say(store.known.facts, ContentsHere(needed: [], here: []))
    try store.write([], share.memory)
case "change":
    let all = documents(words.count > 2 ? Int(words[2]) ?? 0 : 100_000), changes = 100
    try store.write(all)
    func meet() throws {
        _ = try store.hear(from: &share)
        try share.say(store.known.facts, ContentsHere(needed: [], here: []))
        try store.write([], share.memory)
    }
    try meet()
    try meet()
    let edited = all.filter { $0.version != nil }.prefix(changes), began = processorTime()
    for (index, fact) in edited.enumerated() {
        guard let version = fact.version else { continue }
        let content = Array("change \(index)".utf8), part = Version.Part(path: Array("bookmark".utf8), .here(content))
        let body = Version.Body(size: UInt64(content.count), time: 2, computer: Array("laptop".utf8), parts: [part])
        let edit = Version(of: version.item, digest: SHA256.digest(of: content), parents: [fact.id], body: body)
        try store.write([Fact(id: FactID(Mark.drawn(with: &numbers)), rank: 1 << 40, device: .none, .version(edit))])
        try meet()
    }
    print("change_said_seconds", (processorTime() - began) / Double(changes))
default:
    _ = try store.hear(from: &share)
    print("heard_seconds", now() - began)
    print("heard_documents", store.known.view.items.values.count { $0.isThere })
    print("heard_memory", mostMemory())
}
