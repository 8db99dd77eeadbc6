import Foundation
import MountTesting
import Testing

/// Clocks that jump, and files whose times lie far away: what is saved does not depend on what time it is.
@Suite(.mounting) struct ClockTests {
    /// The drive's own clock, which is years ahead of the kernel's, and then years behind it.
    @Test func aClockThatJumps() throws {
        let container = try appDocuments()
        let clock = container.beside("clock"), library = try preloaded("jumping_clock.c", beside: container)
        func set(years: Int) throws { try Data("\(years * 31_557_600)".utf8).write(to: URL(fileURLWithPath: clock)) }
        try set(years: 10)
        // What is preloaded reads a file that the drive's process may not reach.
        try withDrive(container, options: "rw,nosandbox", environment: ["LD_PRELOAD": library, "JUMPING_CLOCK": clock]) { drive in
            for years in [10, -10, 1, -25] {
                // A name goes away and comes back, and in between years go by, forward or backward.
                try drive.rename("Page.url", "Page.url~")
                try set(years: years)
                try drive.put("Page.url", link("https://\(years).example/"))
                try drive.remove("Page.url~")
                try drive.put("new \(years).url", link("https://new.example/"))
                try drive.put("cat.jpg", image(100 + years))
                let page = try container.archive("Bookmark_Page-1700000000.123456")
                #expect(page["Bookmark URL"] == "https://\(years).example/" && page["Rating"] == "5")
                #expect(try container.archive("cat.ptk/photo.data")["Photo"] == digest(image(100 + years)))
                // What others do is seen as ever.
                try shell("echo \"$2\" > \"$1/Added.stedoc\"", container.path, "\(years)").good()
                #expect(eventually { (try? drive.text("Added.txt")) == "\(years)\n" })
            }
            #expect(try drive.files() == ["Added.txt", "Page.url", "cat.jpg", "new -10.url", "new -25.url", "new 1.url", "new 10.url"])
            // Stored under the time that the drive's clock told.
            for years in [10, -10, 1, -25] {
                let stored = try container.storedFiles().first { $0.hasPrefix("Bookmark_new \(years)-") }
                let seconds = try #require(stored?.split(separator: "-").last.flatMap { Double($0) })
                #expect(abs(Int(seconds) - time(nil) - years * 31_557_600) < 600)
            }
            #expect(try container.staged() == [])
        }
    }

    /// A store whose clock ticks every two seconds: what somebody else adds is seen, also where the folder bears the same time as
    /// when it was looked at.
    @Test func aClockThatTicksSlowly() throws {
        let container = try TemporaryContainer("text Notes one")
        let library = try preloaded("coarse_times.c", beside: container)
        try withDrive(container, options: "rw,changes=poll", environment: ["LD_PRELOAD": library]) { drive in
            for round in 0..<3 {
                // The beginning of a tick.
                let now = Date().timeIntervalSince1970
                usleep(UInt32((2 - now.truncatingRemainder(dividingBy: 2)) * 1_000_000) + 1000)
                for name in ["first \(round)", "second \(round)"] {
                    try Data("new\n".utf8).write(to: URL(fileURLWithPath: container.stored(name + ".stedoc")))
                    #expect(eventually(within: 20) { (try? drive.files().contains(name + ".txt")) == true }, "\(name)")
                }
                // So is what somebody else adds after a change of the drive's own.
                try drive.put("own \(round).txt", "own\n")
                try Data("new\n".utf8).write(to: URL(fileURLWithPath: container.stored("third \(round).stedoc")))
                #expect(eventually(within: 20) { (try? drive.files().contains("third \(round).txt")) == true })
            }
        }
    }

    /// A store that says of all its files that they changed at this time, which may be centuries from now.
    @Test(arguments: [Int.min, -9_300_000_000, 9_300_000_000, 11_100_000_000, .max])
    func changesFarAway(seconds: Int) throws {
        let container = try TemporaryContainer("text Notes one\nphoto Cat png")
        let library = try preloaded("change_times.c", beside: container)
        try withDrive(container, environment: ["LD_PRELOAD": library, "CHANGE_TIME": "\(seconds)"]) { drive in
            #expect(try drive.status(of: "Notes.txt").st_ctim.tv_sec == seconds)
            try drive.put("Notes.txt", "two\n")
            try drive.put("New.txt", "new\n")
            try drive.rename("Cat.png", "Dog.png")
            #expect(try drive.files() == ["Dog.png", "New.txt", "Notes.txt"])
            #expect(try drive.text("Notes.txt") == "two\n")
        }
    }

    @Test(arguments: [-2_000_000_000, 0, 4_000_000_000, 15_000_000_000])
    func timesFarAway(seconds: Int) throws {
        let container = try appDocuments()
        try shell("find \"$1\" -exec touch -h -d @\"$2\" {} +", container.path, "\(seconds)").good()
        // What its store can keep.
        var kept = stat()
        lstat(container.path + "/cat.ptk/photo.data", &kept)
        try withDrive(container, options: "rw") { drive in
            for name in ["Page.url", "cat.jpg"] { #expect(try drive.status(of: name).st_mtim.tv_sec == kept.st_mtim.tv_sec) }
            try drive.rename("cat.jpg", "dog.jpg")
            #expect(try drive.status(of: "dog.jpg").st_mtim.tv_sec == kept.st_mtim.tv_sec)
            for (name, content) in [("Page.url", Data(link("https://now.example/").utf8)), ("dog.jpg", image(50))] {
                try drive.put(name, content)
                #expect(try drive.get(name) == content)
                #expect(abs(try drive.status(of: name).st_mtim.tv_sec - time(nil)) < 600)
            }
        }
    }
}
