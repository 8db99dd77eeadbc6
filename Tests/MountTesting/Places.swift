import Foundation

/// Where the things lie that tests use: found from this file and from the running test bundle, wherever they are.
public enum Places {
    /// The `valise` that was built with these tests: it lies beside their bundle.
    public static let valise: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let candidates = ([bundle] + CommandLine.arguments).map { word -> String in
            // The bundle itself, or what lies in it.
            let parts = word.split(separator: "/", omittingEmptySubsequences: false)
            let end = parts.firstIndex { $0.hasSuffix(".xctest") } ?? parts.count - 1
            return parts[..<max(end, 0)].joined(separator: "/") + "/valise"
        }
        return candidates.first { access($0, X_OK) == 0 } ?? candidates[0]
    }()

    /// The `valise-pages` beside it.
    public static let pages = valise + "-pages"

    /// The folder that both are in.
    public static let built = String(valise.dropLast("/valise".count))

    /// A file in `Tests/Support`.
    public static func support(_ name: String) -> String { inPackage("Tests/Support/" + name) }

    /// A file of the package.
    public static func inPackage(_ path: String) -> String {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return package.path + "/" + path
    }
}

/// Runs `valise`.
@discardableResult
public func valise(_ words: String..., in directory: String? = nil, environment: [String: String] = [:]) throws -> Ended {
    try Program([Places.valise] + words, in: directory, environment: environment).wait()
}
