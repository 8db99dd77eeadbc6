import Foundation
import MountTesting
import Testing

/// When something was saved is not what time somebody gave it: versions are named, listed, chosen and thinned by the first.
@Suite(.long, .mounting) struct SaveMomentTests {
    private static let container = "text Notes \"one\\n\"\nbookmark Site https://one.example/\nphoto Cat png"

    /// The years that the versions of a document are of, the newest first.
    private func years(_ drive: MountedDrive, _ name: String) throws -> [String] {
        try run(Places.valise, "versions", "--json", drive.path(name)).good().output.components(separatedBy: "\"modified\"").dropFirst().map { String($0.drop { !$0.isNumber }.prefix(4)) }
    }

    private static let now = Calendar(identifier: .gregorian).component(.year, from: Date()).description

    /// What is replaced was saved when it was, whatever time what replaces it is given, or it was given since.
    @Test(arguments: [
        ("Notes.txt", "printf 'two\\n' >../new; touch -d 2001-01-01 ../new; cp -p ../new Notes.txt"),
        ("Notes.txt", "printf 'two\\n' >new; touch -d 2001-01-01 new; mv new Notes.txt"),
        ("Notes.txt", "mkdir ../n; printf 'two\\n' >../n/Notes.txt; touch -d 2001-01-01 ../n/Notes.txt; rsync -a ../n/ ."),
        ("Notes.txt", "touch -d 2001-01-01 Notes.txt; printf 'two\\n' >Notes.txt"),
        ("Notes.txt", "touch -d 2041-01-01 Notes.txt; touch -d 2001-01-01 Notes.txt; chmod 600 Notes.txt; printf 'two\\n' >>Notes.txt; touch -d 2002-01-01 Notes.txt"),
        ("Site.url", "touch -d 2001-01-01 Site.url; sed -i s/one/two/ Site.url; touch -d 2002-01-01 Site.url"),
        ("Cat.png", "touch -d 2001-01-01 Cat.png; printf x >>Cat.png; touch -d 2002-01-01 Cat.png"),
    ]) func timesAreNotWhenItWasSaved(name: String, writing: String) throws {
        let container = try TemporaryContainer(Self.container)
        try withDrive(container, options: "rw") { drive in
            let old = try drive.get(name)
            try shell(writing, in: drive.mountpoint).good()
            #expect(try years(drive, name) == [Self.now, Self.now])
            let new = try drive.get(name), stamp = try run("stat", "-c", "%y", drive.path(name)).output.prefix(4)
            #expect(new != old && (stamp.hasPrefix("200") || writing.hasPrefix("touch -d 2001-01-01 Notes.txt; printf")))
            // Nothing of that is shown, or copied on.
            #expect(try !run("getfattr", "-m", "-", drive.path(name)).output.contains("valise"))
            sleep(2)
            _ = try run(Places.valise, "restore", drive.path(name), "1 second ago")
            #expect(try drive.get(name) == new)
            try run(Places.valise, "restore", drive.path(name), "1").good()
            #expect(try drive.get(name) == old)
        }
    }

    /// What was given up leaves the time that there was.
    @Test func timesOfADraftAreItsOwn() throws {
        let container = try TemporaryContainer(Self.container)
        try withDrive(container, options: "rw") { drive in
            let before = try run("stat", "-c", "%y", drive.path("Site.url")).output
            try shell("echo nonsense >Site.url; touch -d 2001-01-01 Site.url", in: drive.mountpoint)
            #expect(try run("stat", "-c", "%y", drive.path("Site.url")).output.hasPrefix("2001"))
            try run(Places.valise, "restore", "--saved", drive.path("Site.url")).good()
            #expect(try run("stat", "-c", "%y", drive.path("Site.url")).output == before)
        }
    }
}
