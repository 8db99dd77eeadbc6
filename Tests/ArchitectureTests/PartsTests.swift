import Foundation
import MountTesting
import Testing

/// A part knows only parts that its list names before it, and the front has nothing of its own.
@Suite struct PartsTests {
    @Test(arguments: PartsList.all)
    func thereAreParts(list: PartsList) throws {
        let parts = try list.parts()
        #expect(parts.count { $0.file != nil } > list.leastParts)
        #expect(Set(parts.map(\.name)).count == parts.count)
    }

    @Test(arguments: PartsList.all)
    func partsAreMadeInTheOrderInWhichTheyAreNamed(list: PartsList) throws {
        let all = try Pattern(#"^        (\w+) = \w+\("#).all(in: list.code()).map { $0[1] }
        let made = all[(try #require(all.firstIndex(of: list.firstMade)))...], named = try list.parts().map(\.name)
        #expect(Array(made) == Array(named[(try #require(named.firstIndex(of: list.firstMade)))...]))
    }

    @Test(arguments: PartsList.all)
    func eachPartIsGivenOnlyThoseBeforeIt(list: PartsList) throws {
        let argument = try Pattern(#"\b\w+: (\w+)"#), parts = try list.parts()
        var given = 0
        for call in try Pattern(#"^        (\w+) = \w+\(((?:[^()]|\(\))*)\)$"#).all(in: list.code()) {
            guard let index = parts.firstIndex(where: { $0.name == call[1] }) else { continue }
            for name in argument.all(in: call[2]).map({ $0[1] }) {
                guard let other = parts.firstIndex(where: { $0.name == name }) else { continue }
                given += 1
                #expect(other < index, "\(call[1]) is given \(name), which comes after it")
            }
        }
        #expect(given > list.leastGiven)
    }

    /// Also not by its name: what is static in a later part is out of reach, too.
    @Test(arguments: PartsList.all)
    func eachPartKnowsOnlyThoseBeforeIt(list: PartsList) throws {
        let parts = try list.parts(), front = try Pattern(#"\b\#(list.front)\b(?!\.version)"#)
        for (index, part) in parts.enumerated() {
            guard let file = part.file else { continue }
            let files = [file] + list.topics(of: file)
            for path in files where front.isIn(try Repository.code(path)) { Issue.record("\(path) knows the front") }
            let names = try files.reduce(into: Set()) { $0.formUnion(try Repository.names(in: $1)) }
            for later in parts[(index + 1)...] where later.file != nil && later.file != file && names.contains(later.type[...]) {
                Issue.record("\(part.type) knows \(later.type), which comes after it in \(list.list)")
            }
        }
    }

    /// What is no part knows none: values, and what one part has to itself.
    @Test(arguments: PartsList.all)
    func whatIsNoPartKnowsNone(list: PartsList) throws {
        let parts = try list.parts(), files = parts.compactMap(\.file)
        let known = Set(files + files.flatMap(list.topics) + list.frontFiles + list.around + [list.list])
        for path in Repository.swiftFiles(in: list.folder) where !known.contains(path) {
            let names = try Repository.names(in: path)
            for part in parts where part.file != nil && names.contains(part.type[...]) { Issue.record("\(path) is no part, and knows \(part.type)") }
        }
    }

    @Test(arguments: PartsList.all)
    func theFrontHasNothingOfItsOwn(list: PartsList) throws {
        let own = try Pattern(#"^.*\b(?:Locked|Latest|SetOnce|TakenOnce|AwaitedAnswer|RecentTable|Mutex|Atomic|DispatchQueue|DispatchSemaphore|nonisolated)\b.*$|^    (?:(?:public|package|private|static) |private\(set\) )*var [^{]*$"#)
        for path in list.frontFiles { for line in try own.all(in: Repository.code(path)) { Issue.record("\(path): \(line[0])") } }
    }

    /// A new part is a type, and not one more extension.
    @Test(arguments: PartsList.all)
    func theFrontIsExtendedByItsFilesAlone(list: PartsList) throws {
        let extended = try Pattern(#"\bextension (?:\#(list.target)\.)?\#(list.front)\b(?![.?]).*$"#)
        for path in Repository.swiftFiles(in: "Sources") where !list.frontFiles.contains(path) {
            for line in try extended.all(in: Repository.code(path)) { Issue.record("\(path): \(line[0])") }
        }
    }

    @Test(arguments: PartsList.all)
    func thePictureHasEachPartInItsFolder(list: PartsList) throws {
        var folder = "", drawn: [String: Set<String>] = [:]
        let name = try Pattern(#"\b[A-Z]\w+\b(?!/)"#)
        for line in try Page.architecture().section(list.section) {
            let start = line.prefix { $0.isLetter }
            if !start.isEmpty, line.dropFirst(start.count).first == "/" { folder = String(start) } else if !line.hasPrefix("     ") { folder = "" }
            if !folder.isEmpty { drawn[folder, default: []].formUnion(name.all(in: String(line.prefix { $0 != ":" })).map { $0[0] }) }
        }
        for part in try list.parts() {
            guard let home = part.file?.split(separator: "/")[2] else { continue }
            #expect(drawn[String(home)]?.contains(part.type) == true, "\(part.type) is in the folder \(home), and not in its line of the picture")
        }
        // Others may be drawn, too, where they are. Types that are always read together are in one file.
        let declared = try Pattern(#"^(?:public |package )?(?:final class|struct|enum|protocol|actor) (\w+)"#)
        for (folder, types) in drawn {
            let there = try Repository.swiftFiles(in: "\(list.folder)/\(folder)").flatMap { try declared.all(in: Repository.code($0)).map { $0[1] } }
            for type in types where !there.contains(String(type)) {
                Issue.record("\(type) is in the line of \(folder) in the picture, and not in that folder")
            }
        }
    }
}
