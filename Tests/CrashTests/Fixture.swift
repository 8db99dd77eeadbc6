import Documents
import Foundation
import LinuxFiles
import PropertyLists

/// A container with documents of every kind, made without a workshop, and copied for each trial.
final class Fixture: Sendable {
    let folder: URL
    let template: URL, content: URL
    let kind: CrashKind

    init(_ kind: CrashKind) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("valise-crash-\(UUID().uuidString)")
        template = folder.appendingPathComponent("template")
        content = folder.appendingPathComponent("content")
        let documents = template.appendingPathComponent("Documents")
        try FileManager.default.createDirectory(at: documents.appendingPathComponent("Sub"), withIntermediateDirectories: true)
        for other in CrashKind.all where other.name != kind.name || other.spelling == kind.spelling {
            let names = other.name == kind.name ? ["Cat", "Dog"] : ["Bystander \(other.testDescription)"]
            for name in names { try Self.put(name, other, in: documents) }
        }
        try Data(kind.content("fresh")).write(to: documents.appendingPathComponent("fresh.\(kind.name)"))
        try Data("notes".utf8).write(to: documents.appendingPathComponent("notes.md"))
        try Data(kind.content("new")).write(to: content)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The first trial opens a container for the first time: its state folder is there for all others.
    func copy() throws -> URL {
        let copy = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.copyItem(at: template, to: copy)
        // Foundation does not copy extended attributes here.
        for path in Self.carriers(in: copy) {
            try Descriptor.atPath(path, .read).setExtendedAttribute(Array("user.tag".utf8), to: Array("red".utf8))
        }
        return copy
    }

    private static func put(_ name: String, _ kind: CrashKind, in documents: URL) throws {
        let content = kind.content(name)
        let parts = try kind.kind.write(
            content: Bytes(content), shownName: Array((name + kind.suffix).utf8), over: nil, spelling: kind.spelling.map(Spelling.init))
        let stored = String(decoding: kind.kind.storedName(
            forShown: Array((name + kind.suffix).utf8), at: UnixMicroseconds(rawValue: 1_700_000_000_000_000), attempt: 0), as: UTF8.self)
        var target = documents.appendingPathComponent(stored)
        guard let partNames = kind.kind.partNames else { return try Data(bytes(parts[0], content)).write(to: target) }
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for (part, writing) in zip(partNames, parts) { try Data(bytes(writing, content)).write(to: target.appendingPathComponent(part)) }
        target.appendPathComponent("unknown.bin")
        try Data("nobody knows".utf8).write(to: target)
    }

    private static func bytes(_ writing: PartWriting, _ content: [UInt8]) -> [UInt8] {
        switch writing {
        case .keep: []
        case .bytes(let bytes): bytes
        case .around(let head, let tail): head + content + tail
        }
    }

    static func carriers(in container: URL) -> [String] {
        let documents = container.appendingPathComponent("Documents")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: documents.path)) ?? []
        return names.filter { $0.contains("Cat") || $0.contains("Dog") }.map { name in
            let path = documents.appendingPathComponent(name)
            return name.hasSuffix(".ptk") ? path.appendingPathComponent("photo.data").path : path.path
        }
    }
}
