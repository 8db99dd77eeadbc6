import Shell
import Thumbnails

/// Whether photos get thumbnails, and of which formats. They do very well without.
enum ThumbnailChecks {
    static func all() -> [Finding] {
        guard let program = ThumbnailProgram.find() else {
            return [Finding(.note, "\(ThumbnailProgram.name) is missing, so photos are kept without thumbnails", mend: "./mount-helper.sh build")]
        }
        let worker = ThumbnailWorker(program: program)
        defer { worker.close() }
        do throws(ThumbnailFault) {
            let facts = try worker.facts()
            return [made(facts, program)] + missing(facts) + sandbox(facts)
        } catch {
            if error == .unsealed { return [Finding(.note, "\(program) cannot give up its rights here (seccomp, Landlock, another user), so photos are kept without thumbnails")] }
            return [Finding(.note, "\(program) does not work, so photos are kept without thumbnails", mend: "sudo apt-get install libgdk-pixbuf-2.0-0")]
        }
    }

    private static func made(_ facts: ThumbnailFacts, _ program: String) -> Finding {
        facts.formats.isEmpty
            ? Finding(.note, "\(program) has no loaders, so photos are kept without thumbnails", mend: "sudo apt-get install --reinstall libgdk-pixbuf-2.0-0")
            : Finding(.ok, "\(program) makes thumbnails of \(facts.formats.joined(separator: ", "))")
    }

    private static let packages = [("webp", "webp-pixbuf-loader"), ("heif", "heif-gdk-pixbuf")]

    private static func missing(_ facts: ThumbnailFacts) -> [Finding] {
        guard !facts.formats.isEmpty else { return [] }
        return packages.filter { format, _ in !facts.formats.contains { $0.hasPrefix(format) } }.map { format, package in
            Finding(.note, "photos of the format \(format) are kept without thumbnails", mend: "sudo apt-get install \(package)")
        }
    }

    private static func sandbox(_ facts: ThumbnailFacts) -> [Finding] {
        facts.sealsFiles ? [] : [Finding(.note, "the kernel has no Landlock, so \(ThumbnailProgram.name) is sealed by seccomp alone")]
    }
}
