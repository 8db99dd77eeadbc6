import Foundation
import MountTesting
import Testing

/// A part of Drive knows only parts that DriveParts.swift names before it, and Drive itself, the front, has nothing of its own.
@Suite struct DrivePartsTests {
    private static let list = "Sources/Drive/DriveParts.swift"
    private static let front = ["Sources/Drive/Drive.swift", "Sources/Drive/Drive+Requests.swift", "Sources/Drive/Drive+ByName.swift"]
    /// Made by the front around parts, and known by none.
    private static let around = ["Sources/Drive/Claims/OpenDocumentPresenter.swift", "Sources/Drive/Namespace.swift"]

    private struct Part {
        let name: String
        let type: String
        /// Nil for what another target has.
        let file: String?
    }

    private let parts: [Part]
    private let code: String

    init() throws {
        code = try Repository.code(Self.list)
        let type = try Pattern(#"^(?:public |package )?(?:final class|struct|enum) (\w+)"#)
        var files: [String: String] = [:]
        for path in Repository.swiftFiles(in: "Sources/Drive") { for found in try type.all(in: Repository.code(path)) { files[found[1]] = path } }
        parts = try Pattern(#"^    let (\w+)(?:: (\w+)|.* = (\w+)[(<])"#).all(in: code).map { Part(name: $0[1], type: $0[2] + $0[3], file: files[$0[2] + $0[3]]) }
    }

    @Test func thereAreParts() {
        #expect(parts.count { $0.file != nil } > 30)
        #expect(Set(parts.map(\.name)).count == parts.count)
    }

    @Test func partsAreMadeInTheOrderInWhichTheyAreNamed() throws {
        let all = try Pattern(#"^        (\w+) = \w+\("#).all(in: code).map { $0[1] }
        // What comes before needs the container and options alone.
        let made = all[(try #require(all.firstIndex(of: "watching")))...], named = parts.map(\.name)
        #expect(Array(made) == Array(named[(try #require(named.firstIndex(of: "watching")))...]))
    }

    @Test func eachPartIsGivenOnlyThoseBeforeIt() throws {
        let argument = try Pattern(#"\b\w+: (\w+)"#)
        var given = 0
        for call in try Pattern(#"^        (\w+) = \w+\(((?:[^()]|\(\))*)\)$"#).all(in: code) {
            guard let index = parts.firstIndex(where: { $0.name == call[1] }) else { continue }
            for name in argument.all(in: call[2]).map({ $0[1] }) {
                guard let other = parts.firstIndex(where: { $0.name == name }) else { continue }
                given += 1
                #expect(other < index, "\(call[1]) is given \(name), which comes after it")
            }
        }
        #expect(given > 100)
    }

    /// Also not by its name: what is static in a later part is out of reach, too.
    @Test func eachPartKnowsOnlyThoseBeforeIt() throws {
        for (index, part) in parts.enumerated() {
            guard let file = part.file else { continue }
            let names = try ([file] + Self.topics(of: file)).reduce(into: Set()) { $0.formUnion(try Repository.names(in: $1)) }
            for later in parts[(index + 1)...] where later.file != nil && later.file != file && names.contains(later.type[...]) {
                Issue.record("\(part.type) knows \(later.type), which comes after it in DriveParts.swift")
            }
        }
    }

    /// The files of a part that has several.
    private static func topics(of file: String) -> [String] {
        Repository.swiftFiles(in: "Sources/Drive").filter { $0.hasPrefix(file.dropLast(".swift".count) + "+") }
    }

    /// What is no part knows none: values, and what one part has to itself.
    @Test func whatIsNoPartKnowsNone() throws {
        let files = parts.compactMap(\.file)
        let known = Set(files + files.flatMap(Self.topics) + Self.front + Self.around + [Self.list])
        for path in Repository.swiftFiles(in: "Sources/Drive") where !known.contains(path) {
            let names = try Repository.names(in: path)
            for part in parts where part.file != nil && part.type != "DriveOptions" && names.contains(part.type[...]) {
                Issue.record("\(path) is no part, and knows \(part.type)")
            }
        }
    }

    @Test func theFrontHasNothingOfItsOwn() throws {
        let own = try Pattern(#"^.*\b(?:Locked|Mutex|Atomic|DispatchQueue|DispatchSemaphore|nonisolated)\b.*$|^    (?:(?:public|package|private|static) |private\(set\) )*var [^{]*$"#)
        for path in Self.front { for line in try own.all(in: Repository.code(path)) { Issue.record("\(path): \(line[0])") } }
    }

    /// A new part is a type, and not one more extension.
    @Test func driveIsExtendedByItsFrontAlone() throws {
        let extended = try Pattern(#"\bextension (?:Drive\.)?Drive\b(?!\.).*$"#)
        for path in Repository.swiftFiles(in: "Sources") where !Self.front.contains(path) {
            for line in try extended.all(in: Repository.code(path)) { Issue.record("\(path): \(line[0])") }
        }
    }

    @Test func thePictureHasEachPartInItsFolder() throws {
        var folder = "", drawn: [String: Set<String>] = [:]
        let name = try Pattern(#"\b[A-Z]\w+\b(?!/)"#)
        for line in try Page.architecture().section("The picture") {
            let start = line.prefix { $0.isLetter }
            if !start.isEmpty, line.dropFirst(start.count).first == "/" { folder = String(start) } else if !line.hasPrefix("     ") { folder = "" }
            if !folder.isEmpty { drawn[folder, default: []].formUnion(name.all(in: String(line.prefix { $0 != ":" })).map { $0[0] }) }
        }
        var there: [String: Set<String>] = [:]
        for (type, file) in parts.map({ ($0.type, $0.file) }) + [("OpenDocumentPresenter", Self.around[0])] where type != "DriveOptions" {
            if let file { there[String(file.split(separator: "/")[2]), default: []].insert(type) }
        }
        for folder in Set(there.keys).union(drawn.keys) {
            let wrong = (there[folder] ?? []).symmetricDifference(drawn[folder] ?? [])
            #expect(wrong.isEmpty, "\(wrong.sorted().joined(separator: ", ")): in the folder \(folder), or in its line of the picture, and not in both")
        }
    }
}
