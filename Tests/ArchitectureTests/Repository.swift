import Foundation
import MountTesting
import Synchronization

/// The files of the package, by their paths in it.
enum Repository {
    static let files: [String] = {
        var found: [String] = []
        let built: Set = [".build", ".build-fuzz", ".git", "__pycache__"]
        let walk = FileManager.default.enumerator(atPath: Places.inPackage(""))
        while let path = walk?.nextObject() as? String {
            if built.contains((path as NSString).lastPathComponent) { walk?.skipDescendants() } else { found.append(path) }
        }
        return found.sorted()
    }()

    static func text(_ path: String) throws -> String { try String(contentsOfFile: Places.inPackage(path), encoding: .utf8) }

    /// The Swift files of a folder, and of those in it.
    static func swiftFiles(in folder: String) -> [String] { files.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".swift") } }

    /// The names of the folders in a folder.
    static func folders(in folder: String) -> [String] {
        Set(files.filter { $0.hasPrefix(folder + "/") }.compactMap { $0.split(separator: "/").dropFirst().dropLast().first.map(String.init) }).sorted()
    }

    /// A file's code without comments, and with nothing in its quotes; or with what is there.
    static func code(_ path: String, quotes: Bool = false) throws -> String {
        if let known = known.withLock({ $0[path] }) { return quotes ? known.quoting : known.code }
        let text = try text(path)
        let code = Code(code: stripped(text, keepingQuotes: false), quoting: stripped(text, keepingQuotes: true))
        known.withLock { $0[path] = code }
        return quotes ? code.quoting : code.code
    }

    private struct Code {
        let code: String
        let quoting: String
    }

    private static let known = Mutex<[String: Code]>([:])

    /// By bytes: it is done with all sources.
    private static func stripped(_ text: String, keepingQuotes: Bool) -> String {
        var code: [UInt8] = []
        for line in Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            var isQuoted = false, previous: UInt8 = 32
            var index = line.startIndex
            while index < line.endIndex {
                let byte = line[index]
                if isQuoted, byte == UInt8(ascii: "\\") {
                    if keepingQuotes { code += line[index..<min(index + 2, line.endIndex)] }
                    index += 2
                    continue
                }
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() } else if isQuoted, !keepingQuotes {
                    index += 1
                    continue
                }
                if !isQuoted, byte == UInt8(ascii: "/"), previous == 32, line[(index + 1)...].first == byte { break }
                code.append(byte)
                previous = byte
                index += 1
            }
            code.append(UInt8(ascii: "\n"))
        }
        return String(decoding: code, as: UTF8.self)
    }

    /// The names in a file's code.
    static func names(in path: String) throws -> Set<Substring> { try Set(code(path).split { !($0.isLetter || $0.isNumber || $0 == "_") }) }

    /// The one file that is meant by a name, or by a name and the folders before it. Sources go before what tests have.
    static func file(called name: String) -> [String] {
        if files.contains(name) { return [name] }
        let meant = files.filter { $0 == name || $0.hasSuffix("/" + name) }
        let sources = meant.filter { $0.hasPrefix("Sources/") || $0.hasPrefix("Module/") }
        return sources.isEmpty ? meant : sources
    }
}

/// A page of the package's, as it is written.
struct Page {
    let name: String
    let text: String

    init(_ name: String) throws {
        self.name = name
        text = try Repository.text(name)
    }

    static func architecture() throws -> Page { try Page("docs/ARCHITECTURE.md") }

    /// The lines under a heading.
    func section(_ heading: String) throws -> [String] {
        let lines = text.components(separatedBy: "\n")
        guard let start = lines.firstIndex(of: "## " + heading) else { throw Failed("\(name) has no “\(heading)”") }
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
    }

    /// The rows of the table whose first heading is this, cell by cell.
    func table(_ heading: String) throws -> [[String]] {
        let lines = text.components(separatedBy: "\n")
        guard let start = lines.indices.first(where: { lines[$0].hasPrefix("| \(heading) |") && $0 + 1 < lines.count && lines[$0 + 1].hasPrefix("| ---") }) else { throw Failed("\(name) has no table “\(heading)”") }
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard !rows.isEmpty else { throw Failed("\(name): the table “\(heading)” is empty") }
        return rows
    }

    /// What stands in backquotes.
    static func quoted(_ text: String) -> [String] { text.matches(of: /`([^`]+)`/).map { String($0.1) } }

    static func words(_ cell: String) -> [String] { cell.components(separatedBy: ", ").filter { !$0.isEmpty } }
}

/// A pattern that is looked for in whole files, where ^ and $ are the ends of lines.
struct Pattern {
    private let expression: NSRegularExpression

    init(_ pattern: String) throws { expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) }

    /// Each place, as what matched and its groups; one that is not there is empty.
    func all(in text: String) -> [[String]] {
        expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).map { group in Range(match.range(at: group), in: text).map { String(text[$0]) } ?? "" }
        }
    }

    func isIn(_ text: String) -> Bool { expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil }
}
