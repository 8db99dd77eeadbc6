import Foundation
import MountTesting
import Testing
import WindowModel

/// Versions, what was deleted, conflicts and searches, as the window has them.
@MainActor
@Suite(.mounting) struct DocumentTests {
    private let program = ValiseProgram(path: Places.valise)

    private func shown(_ drive: MountedDrive) async throws -> Drive { try #require(try await program.drives().first { $0.mountpoint == drive.mountpoint }) }

    @Test func versionsAreLookedAtAndRestored() async throws {
        try await withAwaitedDrive(try TemporaryContainer("text Notes \"one\\n\"\nphoto Cat png\nfile words.dat x")) { mounted in
            let drive = try await shown(mounted), notes = mounted.path("Notes.txt")
            try shell("echo two >Notes.txt; echo three >Notes.txt; cp Cat.png before.dat; cp before.dat Cat.png", in: mounted.mountpoint).good()
            var history = try await program.history(of: notes, on: drive)
            #expect(history.name == "Notes.txt" && history.versions.map(\.number) == [0, 1, 2] && history.versions.map(\.size) == [6, 4, 4])
            var contents: [VersionContent] = []
            for version in history.versions { contents.append(await .read(version)) }
            #expect(contents == [.text("three\n"), .text("two\n"), .text("one\n")])
            #expect(try await program.difference(of: notes, history.versions[1]).contains("-two\n+three\n"))
            await #expect(throws: ValiseFault.self) { try await program.difference(of: mounted.path("nothing.txt"), history.versions[1]) }
            try await program.restore(notes, history.versions[2])
            #expect(try String(contentsOfFile: notes, encoding: .utf8) == "one\n")
            // And back, by the name that what it was has now.
            history = try await program.history(of: notes, on: drive)
            try await program.restore(notes, history.versions[1])
            #expect(try String(contentsOfFile: notes, encoding: .utf8) == "three\n")
            // A picture is bytes, which somebody else draws.
            let picture = await VersionContent.read(try await program.history(of: mounted.path("Cat.png"), on: drive).versions[0])
            #expect(try picture == .bytes(Data(contentsOf: URL(fileURLWithPath: mounted.path("Cat.png")))))
            await #expect(throws: ValiseFault.self) { try await program.history(of: mounted.path("nothing.txt"), on: drive) }
            // A plain file has one, too.
            #expect(try await program.history(of: mounted.path("words.dat"), on: drive).versions.map(\.number) == [0])
            try shell("echo other >words.dat", in: mounted.mountpoint).good()
            #expect(try await program.history(of: mounted.path("words.dat"), on: drive).versions.map(\.number) == [0, 1])
            let room = try await shown(mounted).versions
            #expect((room?.items ?? 0) >= 4)
            _ = try await program.freeVersions(of: drive)
            #expect(try await program.history(of: notes, on: drive).versions.count == 1)
        }
    }

    @Test func whatWasDeletedComesBack() async throws {
        try await withAwaitedDrive(try TemporaryContainer("text Notes one\nfile words.dat two\nfolder Trip\ntext Trip/List three")) { mounted in
            let drive = try await shown(mounted)
            try shell("rm -r Notes.txt words.dat Trip", in: mounted.mountpoint).good()
            var deleted = try await program.deleted(on: drive)
            #expect(Set(deleted.map { drive.place(of: $0.path) }) == ["Notes.txt", "words.dat", "Trip/List.txt"] && deleted.allSatisfy { DayName.of($0.deleted) == "Today" || DayName.of($0.deleted) == "Yesterday" })
            try await program.bringBack(deleted.filter { $0.name == "List.txt" }, on: drive)
            #expect(try run("cat", mounted.path("Trip/List.txt")).good().output == "three")
            // One whose name is taken stays deleted, and the others come back.
            try shell("echo new >words.dat", in: mounted.mountpoint).good()
            deleted = try await program.deleted(on: drive)
            let fault = await #expect(throws: ValiseFault.self) { try await program.bringBack(deleted, on: drive) }
            #expect(fault?.description.contains("words.dat") == true)
            #expect(try run("cat", mounted.path("Notes.txt"), mounted.path("words.dat")).good().output == "onenew\n")
            #expect(try await program.deleted(on: drive).contains { $0.name == "words.dat" })
            _ = try await program.freeDeleted(of: drive)
            #expect(try await program.deleted(on: drive) == [])
        }
    }

    /// What a file manager deletes lies in the drive's trash, and nobody knows the difference who looks for it.
    @Test func whatIsInTheTrashComesBack() async throws {
        try await withAwaitedDrive(try TemporaryContainer("text Notes one\nphoto Cat png\nfolder Trip\ntext Trip/List three\ntext Old two")) { mounted in
            let drive = try await shown(mounted), trash = ".Trash-\(getuid())"
            try shell("""
                mkdir -p \(trash)/files \(trash)/info; rm Old.txt
                note() { printf '[Trash Info]\nPath=%s\nDeletionDate=%s\n' "$2" "$3" >"\(trash)/info/$1.trashinfo"; }
                mv Cat.png Trip/List.txt Notes.txt \(trash)/files/; note Cat.png Cat.png 2026-03-01T10:20:30; note List.txt 'Trip/The%20list.txt' 2026-03-02T10:20:30; note Notes.txt ../../outside.txt 2026-03-03T10:20:30
                rmdir Trip
                """, in: mounted.mountpoint).good()
            var deleted = try await program.deleted(on: drive)
            #expect(deleted.map { drive.place(of: $0.path) } == ["Old.txt", "Notes.txt", "Trip/The list.txt", "Cat.png"] && deleted.map { $0.inTrash == nil } == [true, false, false, false])
            #expect(deleted.last.map { $0.deleted.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day()) } == "2026-03-01")
            try await program.bringBack(deleted.filter { $0.name != "Notes.txt" }, on: drive)
            #expect(try shell("cat Old.txt 'Trip/The list.txt'; ls Cat.png; ls \(trash)/info", in: mounted.mountpoint).good().output == "twothreeCat.png\nNotes.txt.trashinfo\n")
            // What the trash had noted of them is not kept by the drive.
            #expect(try await shown(mounted).deleted?.items == 0)
            // One whose name is taken stays there, as does what is said of it; and one of an emptied trash comes to the top.
            try shell("echo new >Notes.txt", in: mounted.mountpoint).good()
            deleted = try await program.deleted(on: drive)
            let fault = await #expect(throws: ValiseFault.self) { try await program.bringBack(deleted, on: drive) }
            #expect(fault?.description.contains("“Notes.txt” is there already") == true)
            try shell("rm -r \(trash)/files/* \(trash)/info/* Notes.txt", in: mounted.mountpoint).good()
            deleted = try await program.deleted(on: drive)
            // Nothing that the trash noted for itself is among them.
            #expect(Set(deleted.map { drive.place(of: $0.path) }) == ["Notes.txt"])
            try await program.bringBack(deleted.filter { $0.inTrash != nil }, on: drive)
            #expect(try shell("cat Notes.txt; ls \(trash)/files", in: mounted.mountpoint).good().output == "one")
        }
    }

    @Test(arguments: [0, 1, 2]) func conflictsAreDecided(choice: Int) async throws {
        try await withAwaitedDrive(try TemporaryContainer("text Notes \"mine\\n\"\ntext Notes.sync-conflict-20261121-232733-ABCDEFG \"theirs\\n\"")) { mounted in
            let drive = try await shown(mounted), conflict = try #require(try await program.conflicts(on: drive).first)
            #expect(conflict.path == mounted.path("Notes.txt") && conflict.others.map(\.computer) == ["Syncthing"])
            #expect(await [.read(conflict.versions[0]), .read(conflict.others[0])] == [VersionContent.text("mine\n"), .text("theirs\n")])
            switch choice {
            case 0: try await program.decide(conflict.path, for: conflict.versions[0])
            case 1: try await program.decide(conflict.path, for: conflict.others[0])
            default: try await program.keepBoth(conflict.path)
            }
            #expect(try await program.conflicts(on: drive) == [])
            #expect(try shell("cat *.txt", in: mounted.mountpoint).good().output == ["mine\n", "theirs\n", "theirs\nmine\n"][choice])
        }
    }

    @Test func searchesGoOnAndAreKept() async throws {
        try await withAwaitedDrive(try TemporaryContainer("text Notes \"bread and milk\"\ntext Other two")) { mounted in
            let drive = try await shown(mounted), search = ItemSearch(program)
            search.look(for: "milk", on: drive)
            try await awaited("what is there") { search.isWhole && search.items.map(\.name) == ["Notes.txt"] }
            try shell("echo milk >More.txt; rm Notes.txt", in: mounted.mountpoint).good()
            try await awaited("what comes and goes") { search.items.map(\.name) == ["More.txt"] }
            search.look(for: "name LIKE 'O*'", on: drive)
            try await awaited("a predicate") { search.isWhole && search.items.map(\.path) == [mounted.path("Other.txt")] }
            search.look(for: "name LIEK 'x'", on: drive)
            try await awaited("a mistake") { search.fault?.contains("LIEK") == true }
            search.look(for: "  ", on: drive)
            #expect(search.items.isEmpty && search.fault == nil)
            search.stop()
            try SavedSearch(name: " Milk/daily ", words: "milk").save(on: drive)
            #expect(await SavedSearch.all(on: drive).map { [$0.name, $0.words] } == [["Milk\u{2215}daily", "milk"]])
            #expect(try run("ls", mounted.path(".valise/search/Milk\u{2215}daily")).good().output == "More.txt\n")
            #expect(throws: ValiseFault.self) { try SavedSearch(name: " .. ", words: "x").save(on: drive) }
            try await SavedSearch.all(on: drive)[0].remove(on: drive)
            #expect(await SavedSearch.all(on: drive) == [])
        }
    }

    /// What came of an import, also of one that somebody ends, and of what is none.
    @Test func bookmarksAreImported() async throws {
        try await withAwaitedDrive(try TemporaryContainer("text Notes one")) { mounted in
            let drive = try await shown(mounted), file = mounted.path(".valise/../bookmarks.html"), many = NSTemporaryDirectory() + "many-\(UUID().uuidString).html"
            defer { try? FileManager.default.removeItem(atPath: many) }
            func links(from first: Int) -> String { (first..<first + 12_000).map { "<DT><A HREF=\"https://many.example/\($0)\">Many \($0)</A>\n" }.joined() }
            try links(from: 0).write(toFile: many, atomically: false, encoding: .utf8)
            @MainActor func imported(_ file: String, stoppingAt most: Int? = nil) async throws -> (Result<BookmarkImport.Outcome, ValiseFault>, [Int]) {
                var ended: Result<BookmarkImport.Outcome, ValiseFault>?, counts: [Int] = [], run: BookmarkImport?
                run = BookmarkImport(program, of: file, into: drive) { count in
                    counts.append(count)
                    if let most, count >= most { run?.stop() }
                } ended: { ended = $0 }
                try await awaited("the end of the import") { ended != nil }
                return (try #require(ended), counts)
            }
            // A window that is kept from hearing how far it is may end it too late: then others come.
            var stopped = try await imported(many, stoppingAt: 1), items = 12_000
            while try !stopped.0.get().sentence.hasSuffix(", and the rest was left out"), items < 60_000 {
                try links(from: items).write(toFile: many, atomically: false, encoding: .utf8)
                stopped = try await imported(many, stoppingAt: 1)
                items += 12_000
            }
            #expect(try stopped.0.get().isUndoable && stopped.0.get().sentence.hasSuffix(", and the rest was left out") && !stopped.1.isEmpty && stopped.1 == stopped.1.sorted(), "\(stopped)")
            let rest = try await imported(many)
            // It may have been ended so late that all of them had come.
            let (sentence, isUndoable) = (try rest.0.get().sentence, try rest.0.get().isUndoable)
            #expect(sentence.contains(" were there") && isUndoable == !sentence.hasPrefix("0 items are new"), "\(rest)")
            #expect(try run("ls", mounted.mountpoint).good().lines.count == items + 1)
            guard case .failure(let fault) = try await imported(file).0 else { return #expect(Bool(false)) }
            #expect(fault.description.contains("bookmarks.html"))
        }
    }

    @Test func changesAreHeardOf() async throws {
        try await withAwaitedDrive(try TemporaryContainer("text Notes one\ntext Other two")) { mounted in
            var count = 0
            let changes = DriveChanges(program, on: try await shown(mounted)) { count += 1 }
            // It says nothing of what is there at first, so a change is repeated until it listens.
            try await awaited("a change") {
                _ = try? shell("echo \"$RANDOM\" >Notes.txt", in: mounted.mountpoint)
                return count > 0
            }
            try await Task.sleep(for: .seconds(1))
            let before = count
            try shell("rm Other.txt", in: mounted.mountpoint).good()
            try await awaited("a removal") { count > before }
            changes.stop()
        }
    }
}
