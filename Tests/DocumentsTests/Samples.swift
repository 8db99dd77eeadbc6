import Documents
import PropertyLists

// Documents as the apps write them, and ways to look at what a kind made of them.

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A small PNG; only its first bytes matter.
let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<200).map { UInt8($0) }
let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + bytes("…JFIF and so on")

func members(_ pairs: KeyValuePairs<String, PropertyList>) -> PropertyList {
    .dictionary(pairs.map { .init($0.key, $0.value) })
}

func archive(_ key: String, _ objects: [PropertyList]) throws -> [UInt8] {
    try members([
        "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
        "$top": members([key: .uid(1)]), "$objects": .array([.string("$null")] + objects),
    ]).binary()
}

func description(_ name: String) -> PropertyList {
    members(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
}

func bookmark(_ name: String, _ url: String, className: String = "Bookmark") throws -> [UInt8] {
    try archive("Bookmark", [
        members(["Bookmark Name": .uid(2), "Bookmark URL": .uid(3), "$class": .uid(4)]),
        .string(name), .string(url), description(className),
    ])
}

/// The parts of a photo, in the spelling of either app.
func photo(_ image: [UInt8]?, objectiveC: Bool = false, mutable: Bool = false, thumbnail: [UInt8]? = nil) throws -> [[UInt8]?] {
    try [("Photo", "Data", image), ("Thumbnail", "Metadata", thumbnail)].map { field, suffix, data in
        let className = objectiveC ? "PTK\(suffix)" : "PhotoKeeper.Photo\(suffix)"
        var fields: [PropertyList.Member] = [.init("Version", .integer(1)), .init("$class", .uid(2))]
        var objects: [PropertyList] = [description(className)]
        if let data {
            fields.append(.init(field, .uid(3)))
            objects.append(mutable ? members(["NS.data": .data(data), "$class": .uid(4)]) : .data(data))
            if mutable { objects.append(description("NSMutableData")) }
        } else if objectiveC {
            fields.append(.init(field, .uid(0)))
        }
        return try archive(objectiveC ? "data" : "Data", [.dictionary(fields)] + objects)
    }
}

func sources(_ parts: [[UInt8]?]) -> [(any ByteSource)?] { parts.map { $0.map { Bytes($0) } } }

/// What a save made of each part.
func applied(_ writings: [PartWriting], to parts: [[UInt8]?], content: [UInt8] = []) -> [[UInt8]?] {
    zip(writings, parts).map { writing, part in
        switch writing {
        case .keep: part
        case .bytes(let bytes): bytes
        case .around(let head, let tail): head + content + tail
        }
    }
}

func content(_ reading: DocumentReading, of parts: [[UInt8]?]) -> [UInt8]? {
    switch reading.content {
    case .bytes(let bytes): return bytes
    case .elsewhere: return nil
    case .range(let part, let offset, let length):
        guard let bytes = parts[part], offset >= 0, length >= 0, offset + length <= bytes.count else { return nil }
        return Array(bytes[Int(offset)..<Int(offset + length)])
    // Of a package on a disk, which is in none of these tests.
    case .flat: return nil
    }
}

/// The fields of the archived object, references followed.
func fields(_ bytes: [UInt8], _ key: String) throws -> [String: PropertyList] {
    let list = try PropertyList(reading: Bytes(bytes))
    guard case .array(let objects) = list["$objects"], case .uid(let uid) = list["$top"]?[key],
          case .dictionary(let members) = objects[Int(uid)] else { return [:] }
    return Dictionary(members.map { member in
        if case .uid(let uid) = member.value { (member.key, uid == 0 ? .null : objects[Int(uid)]) } else { (member.key, member.value) }
    }) { first, _ in first }
}

/// Counts what is read of a source.
final class Counting: ByteSource, @unchecked Sendable {
    // Unchecked, because the tests read it from one thread only.
    let base: any ByteSource
    private(set) var reads = 0
    private(set) var bytesRead = 0

    init(_ base: any ByteSource) { self.base = base }

    var byteCount: Int64 { base.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        reads += 1
        bytesRead += buffer.count
        try base.read(into: buffer, at: offset)
    }
}

/// A file with a hole: some bytes at its ends, and zeros between them that nobody has.
struct Sparse: ByteSource {
    let head: [UInt8]
    let hole: Int64
    let tail: [UInt8]

    var byteCount: Int64 { Int64(head.count) + hole + Int64(tail.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard offset >= 0, offset <= byteCount, Int64(buffer.count) <= byteCount - offset else { throw .ended }
        for index in 0..<buffer.count {
            let position = offset + Int64(index)
            let behind = position - Int64(head.count) - hole
            buffer[index] = position < head.count ? head[Int(position)] : behind >= 0 ? tail[Int(behind)] : 0
        }
    }
}
