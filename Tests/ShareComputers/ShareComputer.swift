import Databases
import Foundation
import Hashes
import LinuxFiles
import Replication
import SeededNumbers
import Shares

/// A computer that takes part in a share: its database and the contents that lie on it, in a folder of its own.
package final class ShareComputer {
    /// It stops in the middle.
    package struct Crash: Error { package init() {} }

    package let name: String
    package let home: String
    let clock: Clock
    package private(set) var store: FactStore
    package var share: Share
    private let shared: String
    private let numbers: SeededNumbers
    /// Asked whenever something is written down.
    package var mayCrash: () throws -> Void = {}
    private var saves = 0
    /// Contents that were ever saved here.
    package private(set) var saved: Set<Digest> = []

    package final class Clock {
        package var seconds: Int64 = 1_000_000
        /// How far the wall clock is from that.
        package var wallOffset: Int64 = 0
        package init() {}
    }

    struct Failed: Error {}

    /// With what lies at its home already, or anew.
    package init(_ name: String, at home: String, in shared: String, _ clock: Clock, seed: UInt64, keeps: ShareKeeping = .needed, copyOf other: ShareComputer? = nil) throws {
        (self.name, self.home, self.shared, self.clock, numbers) = (name, home, shared, clock, SeededNumbers(seed: seed))
        try FileManager.default.createDirectory(atPath: home + "/contents", withIntermediateDirectories: true)
        if let other {
            try other.copyDisk(to: home)
            saved = other.saved
        }
        store = try FactStore(in: home, "facts")
        share = try Self.open(store, shared, home, clock, numbers, keeps) { _ in }
        listen()
    }

    private static func open(
        _ store: FactStore, _ shared: String, _ home: String, _ clock: Clock, _ numbers: SeededNumbers, _ keeps: ShareKeeping, _ commit: @escaping (ShareMemory) throws -> Void
    ) throws -> Share {
        let folder = try ShareFolder(path: shared)
        var numbers = numbers, memory = try store.readMemory()
        if memory == nil {
            var made = ShareMemory(with: &numbers, keeps: keeps)
            try Share.join(folder, &made)
            try store.write([], made)
            memory = made
        }
        guard let memory else { throw Failed() }
        return Share(folder, memory: memory, computer: Array("computer".utf8), source: Contents(home: home), clock: { clock.seconds }, wallTime: { clock.seconds + clock.wallOffset }, numbers: numbers, commit: commit)
    }

    private func listen() {
        share = Share(
            share.folder, memory: share.memory, computer: Array(name.utf8), source: share.source, clock: share.clock, wallTime: share.wallTime, numbers: share.numbers,
            commit: { [unowned self] memory in
                try mayCrash()
                try store.write([], memory)
                try mayCrash()
            })
    }

    /// As after the power came back: with what its database says.
    package func restart() throws {
        store.close()
        store = try FactStore(in: home, "facts")
        guard let memory = try store.readMemory() else { throw Failed() }
        share.memory = memory
        share.forgetWhatWasSeen()
    }

    package func copyDisk(to path: String) throws {
        store.close()
        let manager = FileManager.default
        for name in ["facts", "contents"] {
            try? manager.removeItem(atPath: "\(path)/\(name)")
            try manager.copyItem(atPath: "\(home)/\(name)", toPath: "\(path)/\(name)")
        }
        store = try FactStore(in: home, "facts")
    }

    /// Its backup is put back.
    package func restore(from path: String) throws {
        store.close()
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: home) where name.hasPrefix("facts") { try manager.removeItem(atPath: "\(home)/\(name)") }
        try manager.copyItem(atPath: "\(path)/facts", toPath: "\(home)/facts")
        store = try FactStore(in: home, "facts")
        try restart()
    }

    // MARK: What is here

    package struct Contents: ContentSource {
        let home: String
        func path(_ content: Digest) -> String { "\(home)/contents/\(content.text)" }
        package func find(_ content: Digest) throws(Errno) -> ContentRange? {
            do throws(Errno) {
                let file = OpenFile(try Descriptor.atPath(path(content), [.read]))
                return ContentRange(file, count: try file.descriptor.status().size, isWhole: true)
            } catch {
                guard error == .noSuchEntry else { throw error }
                return nil
            }
        }
    }
    private var contents: Contents { Contents(home: home) }
    package var facts: Facts { store.known.facts }

    package func has(_ content: Digest) -> Bool { FileManager.default.fileExists(atPath: contents.path(content)) }

    package var needed: Set<Digest> {
        var needed: Set<Digest> = []
        for item in store.known.view.items.values {
            for version in [item.current].compactMap(\.self) + item.conflicts { needed.formUnion(facts.versions[version]?.version?.contents ?? []) }
        }
        return needed
    }
    package var here: ContentsHere { ContentsHere(needed: needed, here: Set(needed.filter(has))) }

    // MARK: What somebody does

    /// A new document, or another content of one that is here.
    @discardableResult
    package func save(_ item: ItemID? = nil, size: Int = 5000) throws -> ItemID {
        saves += 1
        let bytes = Array("\(name) \(saves)".utf8) + [UInt8](repeating: 7, count: size), digest = SHA256.digest(of: bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: contents.path(digest)))
        saved.insert(digest)
        let body = Version.Body(size: UInt64(bytes.count), time: clock.seconds, computer: Array(name.utf8), parts: [.init(path: [], .elsewhere([digest]))])
        let one = item ?? ItemID(Mark.drawn(with: &share.numbers)), parents = store.known.view.items[one]?.leaves ?? []
        try say(.version(Version(of: one, digest: digest, parents: parents, body: body)))
        if item == nil { try say(.place(Location(of: one, folder: nil, name: ItemName(Array("\(name) \(saves)".utf8)), kind: .document, former: nil))) }
        return one
    }

    package func delete(_ item: ItemID) throws { try say(.version(Version(of: item, digest: nil, parents: store.known.view.items[item]?.leaves ?? []))) }

    private func say(_ statement: Fact.Statement) throws {
        try store.write([Fact(id: FactID(Mark.drawn(with: &share.numbers)), rank: clock.seconds, device: .none, statement)])
    }

    /// One after the other as `Transport` says.
    package func meet() throws {
        _ = try store.hear(from: &share)
        try mayCrash()
        for content in try share.available(here.lacking) {
            guard let name = Name(content.text), let part = Name(content.text + ".part") else { throw Failed() }
            let folder = try Descriptor.atPath(home + "/contents", [.path, .folder]), file = try folder.open(part, [.readWrite, .create, .truncate], mode: 0o600)
            if try share.fetch(content, into: file) { try folder.rename(part, to: folder, as: name) }
        }
        try share.say(facts, here)
        try store.write([], share.memory)
    }
}

extension Mark {
    fileprivate static func drawn(with numbers: inout any RandomNumberGenerator & Sendable) -> Mark { Mark(high: numbers.next(), low: numbers.next()) }
}
