import Foundation
import MountTesting
import Testing

/// Every block of docs/RECIPES.md, typed as it is, and what is to be so afterwards.
@Suite(.long, .mounting) struct RecipeTests {
    struct Recipe: CustomTestStringConvertible, Sendable {
        let heading: String
        /// What has happened before it is typed.
        let before: String
        var block = ""
        var check = "true"
        var testDescription: String { heading }
    }

    static func recipes() throws -> [Recipe] {
        var recipes: [Recipe] = [], heading = "", before = "true", isInside = false
        for line in try String(contentsOfFile: Places.inPackage("docs/RECIPES.md"), encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
            if let command = line.firstMatch(of: /^<!-- before: (.*) -->$/) { before = String(command.1) }
            if line == "```sh" {
                isInside = true
                recipes.append(Recipe(heading: heading, before: before))
                before = "true"
            } else if line == "```" {
                isInside = false
            } else if isInside, !recipes.isEmpty {
                recipes[recipes.count - 1].block += line + "\n"
            } else if let check = line.firstMatch(of: /^<!-- test: (.*) -->$/), !recipes.isEmpty {
                recipes[recipes.count - 1].check = String(check.1)
            }
        }
        return recipes
    }

    @Test(.enabled(if: geteuid() == 0, "only root may let others use a drive"), arguments: try recipes()) func works(_ recipe: Recipe) throws {
        let home = try TemporaryFolder(), tools = try TemporaryFolder()
        symlink(Places.valise, tools.path + "/valise")
        let environment = ["HOME": home.path, "PATH": tools.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
        // A drive that is left would keep the folder.
        let ended = try shell("""
            set -ex
            trap 'cd /; findmnt --mountpoint "$HOME/Drive" >/dev/null && valise unmount --lazy "$HOME/Drive"' EXIT
            valise init -q --samples ~/Container; mkdir ~/Drive; echo one >~/Container/Documents/Notes.stedoc; touch -d yesterday ~/Container/Documents/Notes.stedoc
            valise mount ~/Container ~/Drive; eval "$3"
            eval "$1"
            eval "$2"
            """, recipe.block, recipe.check, recipe.before, in: home.path, environment: environment)
        #expect(ended.code == 0, "\(recipe.heading): \(ended.output)\(ended.errors)")
        #expect(!MountedDrive.isMounted(home.path + "/Drive"))
    }

    @Test func thereAreRecipes() throws { #expect(try Self.recipes().count >= 9) }
}
