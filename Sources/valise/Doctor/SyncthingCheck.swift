import Containers
import LinuxFiles
import Shell

/// Whether Syncthing leaves Valise's own folder alone, where it shares a container or a folder above.
enum SyncthingCheck {
    static func all(_ container: String) -> [Finding] {
        guard let real = try? realPath(container), let shared = folder(above: real) else { return [] }
        let inside = real == shared ? "" : String(real.dropFirst(shared == "/" ? 1 : shared.count + 1)) + "/"
        let lines = String(decoding: (try? contents(of: "\(shared)/.stignore")) ?? [], as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            // What may be deleted with its folder is ignored, too.
            var text = Substring(line).drop { $0 == " " }
            if text.hasPrefix("(?d)") { text = text.dropFirst(4) }
            return String(text.prefix { $0 != " " })
        }
        let wanted = "\(inside)\(Hidden.state)"
        let good = ["/\(wanted)", wanted, "\(Hidden.state)", "**/\(Hidden.state)", "/\(wanted)/", "\(Hidden.state)*", "/\(wanted)*"]
        guard lines.contains(where: { good.contains($0) }) else {
            return [Finding(
                .problem, "Syncthing shares \(quoted(shared)), and Valise's folder in it with other computers, each of which has one of its own",
                mend: "echo \(shellWord("/\(wanted)")) >>\(shellWord("\(shared)/.stignore"))")]
        }
        return [Finding(.ok, "Syncthing leaves Valise's folder alone (.stignore)")]
    }

    /// The folder that Syncthing shares: it makes a marker there.
    private static func folder(above path: String) -> String? {
        let parts = path.split(separator: "/")
        return (0...parts.count).reversed().lazy.map { "/" + parts.prefix($0).joined(separator: "/") }.first { (try? status(of: $0 == "/" ? "/.stfolder" : "\($0)/.stfolder")) != nil }
    }
}
