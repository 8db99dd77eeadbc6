import Hashes
import Replication

/// What is remembered of a share as it stands in a database, but for files of facts, which have rows of their own.
enum ShareMemoryBytes {
    private static let version: UInt8 = 2

    static func bytes(of number: UInt64) -> [UInt8] {
        var writer = FactWriter()
        writer.add(number)
        return writer.bytes
    }

    static func bytes(of mark: Mark) -> [UInt8] {
        var writer = FactWriter()
        writer.add(mark)
        return writer.bytes
    }

    static func bytes(of facts: [FactID]) -> [UInt8] {
        var writer = FactWriter()
        for fact in facts { writer.add(fact.mark) }
        return writer.bytes
    }

    static func number(_ bytes: [UInt8]) -> UInt64? {
        var reader = FactReader(bytes)
        guard let number = reader.number(UInt64.self), reader.isAtEnd else { return nil }
        return number
    }

    static func marks(_ bytes: [UInt8]) -> [Mark]? {
        var reader = FactReader(bytes), marks: [Mark] = []
        while let mark = reader.mark() { marks.append(mark) }
        return reader.isAtEnd ? marks : nil
    }

    static func bytes(of clock: RunningClock.Reading) -> [UInt8] {
        var writer = FactWriter()
        writer.add(UInt64(bitPattern: clock.seconds))
        writer.add(UInt64(bitPattern: clock.age))
        writer.add(clock.start)
        return writer.bytes
    }

    static func clock(_ bytes: [UInt8]) -> RunningClock.Reading? {
        var reader = FactReader(bytes)
        guard let seconds = reader.number(UInt64.self), let age = reader.number(UInt64.self), max(seconds, age) < 1 << 40, let start = reader.bytes(bytes.count - 16)
        else { return nil }
        return RunningClock.Reading(seconds: Int64(seconds), start: start, age: Int64(age))
    }

    static func bytes(of memory: ShareMemory) -> [UInt8] {
        var writer = FactWriter()
        func add(count: Int) { writer.add(UInt32(truncatingIfNeeded: count)) }
        writer.add(version)
        writer.add(memory.device.number)
        writer.add(memory.marker.share)
        writer.add(memory.marker.keeps.rawValue)
        writer.add(memory.number)
        writer.add(memory.edition)
        add(count: memory.marks.count)
        for mark in memory.marks { writer.add(mark) }
        add(count: memory.given.count)
        for (content, edition) in memory.given.sorted(by: { $0.key < $1.key }) {
            writer.add(content.bytes)
            writer.add(edition)
        }
        add(count: memory.heard.count)
        for (device, edition) in memory.heard.sorted(by: { $0.key < $1.key }) {
            writer.add(device.number)
            writer.add(edition)
        }
        add(count: memory.lastSeen.count)
        for (device, seen) in memory.lastSeen.sorted(by: { $0.key < $1.key }) {
            writer.add(device.number)
            writer.add(seen.mark)
            writer.add(UInt64(bitPattern: seen.since))
        }
        add(count: memory.forgotten.count)
        for device in memory.forgotten.sorted() { writer.add(device.number) }
        add(count: memory.former.count)
        for device in memory.former.sorted() { writer.add(device.number) }
        writer.add(UInt64(bitPattern: memory.headSince))
        return writer.bytes
    }

    /// Nil where another version wrote it, or something else.
    static func memory(of bytes: [UInt8]) -> ShareMemory? {
        var reader = FactReader(bytes)
        func count() -> UInt32? { reader.number(UInt32.self) }
        guard reader.byte() == version, let device = reader.number(UInt64.self), let share = reader.mark(), let keeps = reader.byte().flatMap(ShareKeeping.init),
            let number = reader.number(UInt32.self), let edition = reader.number(UInt64.self)
        else { return nil }
        var memory = ShareMemory(device: ShareDevice(device), marker: ShareMarker(share: share, keeps: keeps))
        (memory.number, memory.edition) = (number, edition)
        guard let marks = count() else { return nil }
        for _ in 0..<marks {
            guard let mark = reader.number(UInt64.self) else { return nil }
            memory.marks.append(mark)
        }
        guard let given = count() else { return nil }
        for _ in 0..<given {
            guard let content = reader.digest(), let edition = reader.number(UInt64.self) else { return nil }
            memory.given[content] = edition
        }
        guard let heard = count() else { return nil }
        for _ in 0..<heard {
            guard let device = reader.number(UInt64.self), let edition = reader.number(UInt64.self) else { return nil }
            memory.heard[ShareDevice(device)] = edition
        }
        guard let seen = count() else { return nil }
        for _ in 0..<seen {
            guard let device = reader.number(UInt64.self), let mark = reader.number(UInt64.self), let since = reader.number(UInt64.self) else { return nil }
            memory.lastSeen[ShareDevice(device)] = ShareMemory.Seen(mark: mark, since: Int64(bitPattern: since))
        }
        guard let forgotten = count() else { return nil }
        for _ in 0..<forgotten {
            guard let device = reader.number(UInt64.self) else { return nil }
            memory.forgotten.insert(ShareDevice(device))
        }
        guard let former = count() else { return nil }
        for _ in 0..<former {
            guard let device = reader.number(UInt64.self) else { return nil }
            memory.former.insert(ShareDevice(device))
        }
        guard let since = reader.number(UInt64.self) else { return nil }
        memory.headSince = Int64(bitPattern: since)
        return reader.isAtEnd ? memory : nil
    }
}
