import Foundation

/// What the command of an app was called with, and how it answers: a sentence for a person, or with `--json` a line for a program.
public struct AppCommand: Sendable {
    public let name: String
    public let words: [String]
    public let isJSON: Bool

    public init(_ name: String) {
        let given = Array(CommandLine.arguments.dropFirst())
        self.name = name
        isJSON = given.contains("--json")
        words = given.filter { $0 != "--json" }
    }

    public func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    public func warn(_ sentence: String) { FileHandle.standardError.write(Data("\(name): \(sentence)\n".utf8)) }

    public func fail(_ sentence: String, code: Int32 = 1) -> Never {
        warn(sentence)
        exit(code)
    }

    /// What it does is told to whoever asks, and to whoever says nothing, before anything else is looked for.
    public func explainWhereAsked(_ usage: String) {
        guard let first = words.first else { explain(usage) }
        guard ["help", "--help", "-h"].contains(first) else { return }
        say(usage)
        exit(0)
    }

    /// It was called in a way that there is not.
    public func explain(_ usage: String) -> Never {
        FileHandle.standardError.write(Data((usage + "\n").utf8))
        exit(2)
    }

    /// The window is a program of its own, which needs GTK, beside this one or where `Examples/run build-windows` puts it. It takes this one's place.
    public func startWindow() -> Never {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        for path in [own, own.replacingOccurrences(of: "/.build/", with: "/Windows/.build/")] {
            let program = path + "-window"
            guard access(program, X_OK) == 0 else { continue }
            var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
            execv(program, &words)
            fail("\(program) cannot be started: \(String(cString: strerror(errno))).")
        }
        fail("The window is not built: “Examples/run build-windows” does that, where GTK 4 and libadwaita are installed with their headers.")
    }

    public func json(_ value: Any) -> String {
        (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
