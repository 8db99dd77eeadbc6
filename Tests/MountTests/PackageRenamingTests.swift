import Foundation
import MountTesting
import Testing

/// Packages that get the extension of another kind of packages.
@Suite(.mounting) struct PackageRenamingTests {
    private static let kinds = """
        create = text
        [note]
        extension = note
        parts = text.md, info.json
        required = text.md
        [scrap]
        extension = scrap
        required = text.md
        shown = file
        [zine]
        extension = zine
        required = text.md
        shown = file
        [mag]
        extension = mag
        required = cover.md
        shown = file
        [novel]
        extension = novel
        required = text.md
        shown = folder

        """

    private static func container(_ package: String) throws -> TemporaryContainer {
        let settings = kinds.replacingOccurrences(of: "\n", with: "\\n")
        let container = try TemporaryContainer("""
            file .valise/settings "\(settings)"
            file \(package)/text.md "words\\n"
            file \(package)/in/part "part\\n"
            folder \(package)/empty
            link \(package)/link text.md
            """)
        try shell("touch -d '2026-01-02' '\(package)/in/part'; setfattr -n user.colour -v red '\(package)/in/part'", in: container.path).good()
        return container
    }

    /// All that is below a folder.
    private static func parts(_ container: TemporaryContainer, _ name: String) throws -> [String] {
        try shell("cd '\(name)' && find . -mindepth 1 -printf '%P %y %l %i ' -type f -printf '%T@ ' -exec cat {} \\; -o -mindepth 1 -printf '\\n' | sort", in: container.path).good().lines
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let package: String, shown: String, name: String
        /// What it is then, as `ls -F` has it, and what `valise info` calls it.
        let listed: String, kind: String
        var testDescription: String { "\(shown) as \(name)" }

        static let all = [
            Case(package: "A.note", shown: "A.md", name: "A.scrap", listed: "A.scrap", kind: "scrap"),
            Case(package: "A.note", shown: "A.md", name: "A.mag", listed: "A.mag/", kind: "folder"),
            Case(package: "A.note", shown: "A.md", name: "A.novel", listed: "A.novel/", kind: "novel"),
            Case(package: "A.scrap", shown: "A.scrap", name: "A.zine", listed: "A.zine", kind: "zine"),
            Case(package: "A.scrap", shown: "A.scrap", name: "A.mag", listed: "A.mag/", kind: "folder"),
            Case(package: "A.scrap", shown: "A.scrap", name: "A.novel", listed: "A.novel/", kind: "novel"),
            Case(package: "A.scrap", shown: "A.scrap", name: "B.note", listed: "B.md", kind: "note"),
            Case(package: "A.novel", shown: "A.novel", name: "A.scrap", listed: "A.scrap", kind: "scrap"),
            Case(package: "A.novel", shown: "A.novel", name: "A.mag", listed: "A.mag/", kind: "folder"),
            Case(package: "A.novel", shown: "A.novel", name: "B.note", listed: "B.md", kind: "note"),
        ]
    }

    @Test(arguments: Case.all) func thePartsStay(trial: Case) throws {
        let container = try Self.container(trial.package)
        let before = try Self.parts(container, trial.package)
        try withDrive(container) { drive in
            #expect(try shell("mkdir Trip; mv '\(trial.shown)' '\(trial.name)'; ls -F | grep -v Trip", in: drive.mountpoint).good().output == trial.listed + "\n")
            let shown = trial.listed.replacingOccurrences(of: "/", with: "")
            #expect(try valise("info", drive.path(shown)).good().output.contains("kind         \(trial.kind)\n"))
            #expect(try Self.parts(container, trial.name) == before)
            #expect(try valise("deleted", "-q", drive.mountpoint).good().lines == [])
            // It is what it was, also from another folder.
            try shell("mv '\(shown)' Trip; cd Trip; mv '\(shown)' ../'\(trial.package)'", in: drive.mountpoint).good()
            #expect(try Self.parts(container, trial.package) == before)
            #expect(try shell("ls | grep -v Trip", in: drive.mountpoint).good().output == trial.shown + "\n")
        }
        #expect(try container.staged() == [])
    }

    @Test func aForeignNameMakesItAPlainFile() throws {
        let container = try Self.container("A.scrap")
        try withDrive(container) { drive in
            try shell("cp A.scrap ../flat; mv A.scrap A.zip; cmp A.zip ../flat; ls", in: drive.mountpoint).good()
            #expect(try shell("ls", in: container.path).good().output == "A.zip\n")
            try valise("undelete", drive.path("A.scrap")).good()
            #expect(try shell("ls; cmp A.scrap A.zip", in: drive.mountpoint).good().output == "A.scrap\nA.zip\n")
        }
    }
}
