import Foundation
import MountTesting
import Testing

// What is to be seen of a drive's thumbnails from outside of it.
extension MountedDrive {
    /// The thumbnail that lies in the container, as Python's property lists have it.
    func thumbnail(of package: String) throws -> SeenPNG? { try container.thumbnail(of: package) }

    /// Waits for a thumbnail, and for one that looks so.
    func awaitThumbnail(of package: String, _ quarters: String = "red green blue white") throws {
        var last: String?
        let isThere = try eventually(within: 120) {
            last = try thumbnail(of: package)?.quarters
            return last == quarters
        }
        #expect(isThere, "“\(package)” has the thumbnail \(last ?? "none")")
    }

    /// The worker's process, while one runs: the only child that a drive has.
    func workerProcess() -> Int32? {
        // The drive's helper starts it.
        children(of: process).flatMap { [$0] + children(of: $0) }.first { child in
            (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "valise-thumbnai\n"
        }
    }

    private func children(of process: Int32) -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []).flatMap { thread in
            ((try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)) ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }
}

extension TemporaryContainer {
    func thumbnail(of package: String) throws -> SeenPNG? {
        let script = """
            import plistlib, sys
            archive = plistlib.load(open(sys.argv[1], "rb"))
            objects = archive["$objects"]
            thumbnail = objects[archive["$top"]["Data"].data].get("Thumbnail")
            print((objects[thumbnail.data] if isinstance(thumbnail, plistlib.UID) else thumbnail or b"").hex())
            """
        let answer = try run("python3", "-c", script, stored(package) + "/photo.metadata").good()
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
        return Int(try run("python3", "-c", script, path).good().output.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
