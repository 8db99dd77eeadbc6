import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Containers
@testable import Drive

#if DEBUG
/// An app replaces a document by a rename, the usual whole save, while the drive is saving over it: both are there then, as a conflict.
@Suite struct ReplacedMeanwhileTests {
    private let caller = Caller(user: geteuid(), group: getegid(), thread: 1)

    @Test func aText() throws {
        try savedOver("Notes.txt", stored: "Notes.stedoc", Array("base".utf8), Array("MINE".utf8)) { item in
            try Data("THEIRS".utf8).write(to: URL(fileURLWithPath: item), options: .atomic)
        }
    }

    @Test func thePartOfAPhoto() throws {
        try savedOver("Dog.png", stored: "Dog.ptk", image("base"), image("MINE")) { item in
            let data = item + "/photo.data", old = try Data(contentsOf: URL(fileURLWithPath: data))
            try old.replacing(Data("base".utf8), with: Data("THEY".utf8)).write(to: URL(fileURLWithPath: data), options: .atomic)
        }
    }

    @Test func aWholePhoto() throws {
        try savedOver("Dog.png", stored: "Dog.ptk", image("base"), image("MINE")) { item in
            let new = item + ".new", data = URL(fileURLWithPath: new + "/photo.data")
            try FileManager.default.copyItem(atPath: item, toPath: new)
            try Data(contentsOf: data).replacing(Data("base".utf8), with: Data("THEY".utf8)).write(to: data)
            try FileManager.default.moveItem(atPath: item, toPath: item + ".old")
            try FileManager.default.moveItem(atPath: new, toPath: item)
            try FileManager.default.removeItem(atPath: item + ".old")
        }
    }

    private func image(_ text: String) -> [UInt8] { [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(text.utf8) }

    /// `replace` happens after the first step of saving.
    private func savedOver(_ name: String, stored: String, _ first: [UInt8], _ second: [UInt8], replace: @escaping @Sendable (String) throws -> Void) throws {
        try withUnmountedDrive(versions: .standard) { drive, path in
            let item = path + "/Documents/" + stored, isReplaced = Mutex(false)
            let made = try drive.create(#require(Name(name)), in: .root, mode: 0o644, flags: O_WRONLY, caller: caller).1
            try drive.write(first, to: made)
            drive.release(made.handle)
            let opened = try drive.open(drive.lookUp(#require(Name(name)), in: .root, caller: caller).node, flags: O_WRONLY | O_TRUNC, caller: caller)
            try drive.write(second, to: opened)
            drive.parts.workshop?.parts.testPoints.set(at: .stepDone) {
                isReplaced.withLock { $0 = true }
                #expect(throws: Never.self) { try replace(item) }
            }
            try drive.flush(opened.handle)
            drive.release(opened.handle)
            #expect(isReplaced.withLock { $0 })
            let all = try contents(of: path + "/Documents") + contents(of: path + "/.valise/versions")
            for text in ["THE", "MINE"] { #expect(all.contains { $0.firstRange(of: Data(text.utf8)) != nil }, "\(text)") }
            let versions = try drive.container.versions(of: drive.container.document(at: [#require(Name(stored))]).place)
            #expect(versions.map(\.isConflict) == [true], "\(versions)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.valise/staging") == [])
            drive.close()
        }
    }

    private func contents(of folder: String) throws -> [Data] {
        let root = URL(fileURLWithPath: folder), all = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        return try (all?.allObjects ?? []).compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.map { try Data(contentsOf: $0) }
    }
}
#endif
