import Foundation
import MountTesting
import Testing

/// A container with a drive on it, mounted for writing, in a folder of its own.
final class PhotoDrive {
    private let folder: TemporaryFolder
    var container: String { folder.path + "/container" }
    var mountpoint: String { folder.path + "/drive" }
    private(set) var isMounted = false

    init(thumbnailer: String? = nil) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: mountpoint, withIntermediateDirectories: false)
        try #require(try Self.valise(["init", container]).code == 0)
        try mount(thumbnailer: thumbnailer)
    }

    deinit {
        if isMounted { _ = try? run("fusermount3", "-u", "-z", mountpoint) }
    }

    func mount(thumbnailer: String? = nil) throws {
        let mounting = try Self.valise(["mount", "-o", "rw", container, mountpoint], thumbnailer: thumbnailer)
        try #require(mounting.code == 0, "\(mounting.output)")
        isMounted = true
    }

    /// Returns when the drive's process has ended.
    func unmount() throws {
        let unmounting = try Self.valise(["unmount", mountpoint])
        try #require(unmounting.code == 0, "\(unmounting.output)")
        isMounted = false
    }

    static func valise(_ arguments: [String], thumbnailer: String? = nil) throws -> (code: Int32, output: String) {
        let environment = thumbnailer.map { ["VALISE_THUMBNAILER": $0] } ?? [:]
        let ended = try Program([Places.valise] + arguments, environment: environment).wait()
        return (ended.code, ended.output + ended.errors)
    }

    // MARK: Photos

    func path(_ name: String) -> String { mountpoint + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }

    func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    /// The thumbnail that lies in the container, as Python's property lists have it.
    func thumbnail(of package: String) throws -> SeenPNG? {
        let script = """
            import plistlib, sys
            archive = plistlib.load(open(sys.argv[1], "rb"))
            objects = archive["$objects"]
            thumbnail = objects[archive["$top"]["Data"].data].get("Thumbnail")
            print((objects[thumbnail.data] if isinstance(thumbnail, plistlib.UID) else thumbnail or b"").hex())
            """
        let answer = try run("python3", "-c", script, "\(container)/Documents/\(package)/photo.metadata").good()
        let digits = Array(answer.output.utf8.filter { $0 != UInt8(ascii: "\n") })
        guard !digits.isEmpty else { return nil }
        let png = stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) }
        let seen = try SeenPNG(png)
        #expect(seen.width == 150 && seen.height == 150)
        return seen
    }

    /// How many photos at the top of the container have a PNG of 150 × 150 pixels.
    func thumbnailCount() throws -> Int? {
        let script = """
            import glob, plistlib, struct, sys
            count = 0
            for path in glob.glob(sys.argv[1] + "/*.ptk/photo.metadata"):
                objects = plistlib.load(open(path, "rb"))["$objects"]
                count += any(isinstance(o, bytes) and o[:4] == b"\\x89PNG" and struct.unpack(">II", o[16:24]) == (150, 150) for o in objects)
            print(count)
            """
        return Int(try run("python3", "-c", script, container + "/Documents").good().output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Waits for a thumbnail, and for one that looks so.
    func awaitThumbnail(of package: String, _ quarters: String = "red green blue white") async throws {
        var last: String?
        for _ in 0..<1200 {
            last = try thumbnail(of: package)?.quarters
            if last == quarters { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("“\(package)” has the thumbnail \(last ?? "none")")
    }

    /// The worker's process, while one runs: the only child that a drive has.
    func workerProcess() throws -> Int32? {
        let status = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path(".valise/status")))) as? [String: Any]
        let drive = try #require(status?["process"] as? Int)
        // The drive's helper starts it.
        return children(of: Int32(drive)).flatMap { [$0] + children(of: $0) }.first { child in
            (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "valise-thumbnai\n"
        }
    }

    private func children(of process: Int32) -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []).flatMap { thread in
            ((try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)) ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }
}
