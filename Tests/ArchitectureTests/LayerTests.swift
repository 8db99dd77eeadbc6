import Foundation
import MountTesting
import Testing

/// The targets are the architecture: what each imports is in the table of docs/ARCHITECTURE.md, and nothing else.
@Suite struct LayerTests {
    private struct Layer {
        let name: String
        let targets: [String]
        let system: [String]
        var isC: Bool { Repository.swiftFiles(in: "Sources/" + name).isEmpty }
    }

    private let layers: [Layer]

    init() throws {
        layers = try Page.architecture().table("target").map { Layer(name: $0[0], targets: Page.words($0[2]), system: Page.words($0[3])) }
    }

    @Test func eachTargetHasItsRow() {
        #expect(Set(layers.map(\.name)) == Set(Repository.folders(in: "Sources") + Repository.folders(in: "Module")))
        #expect(Set(layers.map(\.name)).count == layers.count)
    }

    /// A row names only those above it: there is no circle.
    @Test func eachTargetImportsOnlyThoseBelowIt() {
        for (index, layer) in layers.enumerated() {
            let below = Set(layers[..<index].map(\.name))
            #expect(below.isSuperset(of: layer.targets), "\(layer.name) imports \(Set(layer.targets).subtracting(below))")
        }
    }

    @Test func whatIsImportedIsInTheTable() throws {
        let imports = try Pattern(#"^ *(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|private|fileprivate) +)?import +(?:(?:struct|class|enum|func|protocol|typealias|let|var) +)?(\w+)"#)
        for layer in layers where !layer.isC {
            var imported: Set<String> = []
            for path in Repository.swiftFiles(in: "Sources/" + layer.name) {
                let modules = try imports.all(in: Repository.code(path)).map { $0[1] }
                let refused = Set(modules).subtracting(layer.targets + layer.system)
                #expect(refused.isEmpty, "\(path) imports \(refused.sorted().joined(separator: ", ")), which \(layer.name) may not: see docs/ARCHITECTURE.md")
                imported.formUnion(modules)
            }
            let spare = Set(layer.targets + layer.system).subtracting(imported)
            #expect(spare.isEmpty, "\(layer.name) may import \(spare.sorted().joined(separator: ", ")), and does not")
        }
    }

    /// Of each C library one target knows, and what is in C has no headers but the system's, its own and that library's.
    @Test func eachLibraryHasOneDoor() throws {
        let include = try Pattern(##"^ *# *include +[<"](C[A-Z]\w+)\.h"##)
        for library in layers where library.isC {
            #expect(layers.count { $0.targets.contains(library.name) } == 1, "\(library.name) is to be imported by one target")
            #expect(library.targets.isEmpty && library.system.isEmpty)
            for path in Repository.files where path.hasPrefix("Module/\(library.name)/") && (path.hasSuffix(".c") || path.hasSuffix(".h")) {
                for header in try include.all(in: Repository.text(path)) { #expect(header[1] == library.name, "\(path): \(header[0])") }
            }
        }
    }

    @Test func thePackageSaysTheSame() throws {
        let target = try Pattern(#"(?:layer\(|\.(?:target|executableTarget)\(\s*name: )"([\w-]+)"(?:,\s*(?:dependencies: )?\[([^\]]*)\])?(?:,\s*path: "([^"]*)")?"#)
        let name = try Pattern(#""([\w-]+)""#)
        var declared: [String: Set<String>] = [:]
        for found in try target.all(in: Repository.code("Package.swift", quotes: true)) where !found[3].hasPrefix("Tests/") && !found[3].hasPrefix("Examples/") && !found[3].hasPrefix("Window/") {
            declared[found[1]] = Set(name.all(in: found[2]).map { $0[1] })
        }
        #expect(Set(declared.keys) == Set(layers.map(\.name)))
        for layer in layers { #expect(declared[layer.name] == Set(layer.targets), "\(layer.name) in Package.swift depends on something else than it may import") }
    }

    @Test func thePictureHasEachTarget() throws {
        let picture = try Page.architecture().section("The picture").joined(separator: "\n")
        for layer in layers { #expect(picture.contains(layer.name)) }
    }

    /// Whoever depends on the library by its version builds these: the package manager refuses unsafe flags in them, and what only the drive
    /// needs may be missing there.
    @Test func theLibraryNeedsNothingOfTheDrive() throws {
        var needed: Set<String> = ["DocumentKit"], waiting = ["DocumentKit"]
        while let name = waiting.popLast() {
            for below in layers.first(where: { $0.name == name })?.targets ?? [] where needed.insert(below).inserted { waiting.append(below) }
        }
        #expect(needed.isSuperset(of: ["CLinux", "CSQLite", "Containers"]) && needed.isDisjoint(with: ["CFuse3", "CPixbuf", "FuseBridge", "Drive"]))
        let package = try Repository.code("Package.swift", quotes: true), name = try Pattern(#"^(?:name: )?"([\w-]+)""#)
        let declarations = try Pattern(#"(?:layer|target|executableTarget|suite)\(\s*((?s:.*?))(?=\n        (?:layer|\.target|\.executableTarget|suite)\(|\n    \])"#).all(in: package).map { $0[1] }
        #expect(declarations.count > 40)
        let flagged = declarations.filter { $0.contains("unsafeFlags") }.compactMap { name.all(in: $0).first?[1] }
        #expect(flagged.contains("CPixbuf") && needed.isDisjoint(with: flagged))
        for path in Repository.files where path.hasPrefix("Module/CSQLite/include/") { #expect(try !Repository.text(path).contains("<sqlite3.h>")) }
    }

    /// GTK is called in one folder of C, which one folder of Swift knows: the drive, the models of apps and their commands know nothing of windows.
    @Test func windowsHaveOneDoor() throws {
        let imports = try Pattern(#"^ *(?:public )?import +(\w+)"#), include = try Pattern(##"^ *# *include +<(?:gtk|gdk|adwaita|gtksourceview)"##)
        let c = Repository.files.filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }
        #expect(try c.contains { try $0.hasPrefix("Window/CWindow/") && include.isIn(Repository.text($0)) })
        for path in c where !path.hasPrefix("Window/CWindow/") && !path.hasSuffix("Thumbnail.c") && !path.hasPrefix("Module/CPixbuf/") {
            #expect(try !include.isIn(Repository.text(path)), "\(path) includes what is GTK's")
        }
        for path in Repository.files where path.hasPrefix("Window/CWindow/include/") { #expect(try !include.isIn(Repository.text(path)), "\(path) shows Swift what is GTK's") }
        for path in Repository.files where path.hasSuffix(".swift") && !path.hasSuffix("Package.swift") {
            let modules = try Set(imports.all(in: Repository.code(path)).map { $0[1] })
            #expect(!modules.contains("CWindow") || path.hasPrefix("Window/Widgets/"), "\(path) imports CWindow")
            #expect(!modules.contains("Widgets") || path.hasPrefix("Examples/Windows/") || path.hasPrefix("Window/Tests/") || path.hasPrefix("Window/App/"), "\(path) imports Widgets")
        }
        #expect(try !Repository.text("Examples/Package.swift").contains("Widgets") && !Repository.text("Package.swift").contains("Widgets"))
    }

    /// An app's other threads make files and start programs while a library works: their process's umask, folder and environment are changed only
    /// by who has the process for himself, which is where a drive or its helper begins.
    @Test func noLibraryChangesItsProcess() throws {
        let calls = try Pattern(#"(?<!func )\b(?:umask|f?chdir|(?:un)?setenv|putenv|clearenv)\("#)
        #expect(calls.isIn("let own = umask(0)") && calls.isIn("guard fchdir(folder) == 0") && !calls.isIn("showing.umask = mask"))
        let found = try Repository.swiftFiles(in: "Sources").filter { try !$0.hasPrefix("Sources/valise/") && calls.isIn(Repository.code($0)) }
        #expect(found == ["Sources/FuseBridge/MountPlace.swift", "Sources/LinuxFiles/SystemUser.swift"])
    }

    /// What a kind is and can do, the kind says: nobody else knows which kinds there are, but for the samples that a new container is filled with.
    @Test func noKindIsNamedOutsideDocuments() throws {
        let names = try Set(Repository.swiftFiles(in: "Sources/Documents").flatMap { path in
            try Repository.text(path).matches(of: /struct (\w+): DocumentKind/).map { String($0.1) }
        })
        #expect(names.count >= 3)
        for path in Repository.swiftFiles(in: "Sources") where !path.hasPrefix("Sources/Documents/") && path != "Sources/Containers/Samples.swift" {
            let text = try Repository.text(path)
            for name in names where text.contains(name) { Issue.record("\(path) names \(name)") }
            for match in text.matches(of: /kind\.name == "(\w+)"/) { Issue.record("\(path) asks for the kind “\(match.1)” by name") }
        }
    }
}
