import Foundation
import MountTesting
import Testing

/// What others rename, move or make anew in the container while somebody on the drive has it open, and writes to it only then.
@Suite(.mounting) struct MovedByOthersTests {
    /// Opens a file of the drive in a process of its own, has something done in the container, and writes when the drive shows it: over what is there, or at its end.
    private func writing(
        _ text: Data, to name: String, atItsEnd: Bool = true, on drive: MountedDrive, _ container: TemporaryContainer, after change: String, shown: () throws -> Bool
    ) throws {
        for flag in ["opened", "enough"] { try? FileManager.default.removeItem(atPath: container.beside(flag)) }
        try text.write(to: URL(fileURLWithPath: container.beside("text")))
        let program = try Program(["python3", "-c", """
            import os, sys, time
            end = os.O_APPEND if sys.argv[3] == "end" else 0
            file = os.open(sys.argv[1], os.O_WRONLY | end)
            open(sys.argv[2] + "opened", "w").close()
            while not os.path.exists(sys.argv[2] + "enough"): time.sleep(0.01)
            if not end: os.ftruncate(file, 0)
            os.write(file, open(sys.argv[2] + "text", "rb").read())
            os.fsync(file)
            os.close(file)
            """, drive.path(name), container.beside(""), atItsEnd ? "end" : ""])
        #expect(eventually { access(container.beside("opened"), F_OK) == 0 || program.hasEnded })
        try shell(change, in: container.path).good()
        #expect(try eventually { try shown() })
        try Data().write(to: URL(fileURLWithPath: container.beside("enough")))
        try program.wait().good()
    }

    private func isThere(_ name: String, on drive: MountedDrive, insteadOf old: String) -> Bool { access(drive.path(name), F_OK) == 0 && access(drive.path(old), F_OK) != 0 }

    @Test(arguments: ["Moved", "Trip/Moved", "Trip/Notes", "Other"]) func whatIsWrittenToATextComesToItsNewName(new: String) throws {
        let container = try TemporaryContainer("text Notes old\nfolder Trip\ntext Other another")
        try withDrive(container, options: "rw") { drive in
            #expect(try run("ls", drive.mountpoint, drive.path("Trip")).code == 0)
            try writing(Data("mine".utf8), to: "Notes.txt", on: drive, container, after: "mv Notes.stedoc \(new).stedoc") {
                isThere("\(new).txt", on: drive, insteadOf: "Notes.txt")
            }
            #expect(try drive.text("\(new).txt") == "oldmine")
            #expect(try container.bytes("\(new).stedoc") == Data("oldmine".utf8))
            #expect(access(drive.path("Notes.txt"), F_OK) != 0)
            #expect(try valise("conflicts", drive.mountpoint).output.contains("Notes") == false)
        }
        #expect(try container.staged() == [])
    }

    @Test func whatIsWrittenToAPhotoComesToItsNewName() throws {
        let container = try TemporaryContainer("photo Cat jpeg\nfolder Album")
        try withDrive(container, options: "rw") { drive in
            #expect(try run("ls", drive.mountpoint, drive.path("Album")).code == 0)
            try writing(image(4000), to: "Cat.jpg", atItsEnd: false, on: drive, container, after: "mv Cat.ptk Dog.ptk") { isThere("Dog.jpg", on: drive, insteadOf: "Cat.jpg") }
            #expect(try drive.get("Dog.jpg") == image(4000))
            try writing(image(5000), to: "Dog.jpg", atItsEnd: false, on: drive, container, after: "mv Dog.ptk Album/Cow.ptk") {
                isThere("Album/Cow.jpg", on: drive, insteadOf: "Dog.jpg")
            }
            #expect(try drive.get("Album/Cow.jpg") == image(5000))
            #expect(try run("ls", drive.mountpoint).output == "Album\n")
        }
    }

    /// Nobody on the drive has looked there, before or after.
    @Test func whatIsWrittenComesToWhereNobodyLooked() throws {
        let container = try TemporaryContainer("photo Cat jpeg\ntext Notes old\nfolder Trip\nfolder Trip/Deep\nfolder Trip/Deep/Deeper")
        try withDrive(container, options: "rw") { drive in
            try writing(Data("mine".utf8), to: "Notes.txt", on: drive, container, after: "mv Notes.stedoc Trip/Deep/Deeper/Moved.stedoc") { true }
            try writing(image(4000), to: "Cat.jpg", atItsEnd: false, on: drive, container, after: "mv Cat.ptk Trip/Deep/Dog.ptk") { true }
            #expect(try container.bytes("Trip/Deep/Deeper/Moved.stedoc") == Data("oldmine".utf8))
            #expect(try drive.text("Trip/Deep/Deeper/Moved.txt") == "oldmine" && drive.get("Trip/Deep/Dog.jpg") == image(4000))
            #expect(try drive.files().sorted() == ["Trip/Deep/Deeper/Moved.txt", "Trip/Deep/Dog.jpg"])
        }
    }

    /// Nobody has looked there, and the drive has perhaps not heard of it yet. A bookmark is read whole when it is opened.
    @Test(arguments: ["Trip/Deep/", ""], [0, 0.5]) func whatIsWrittenToABookmarkComesToWhereNobodyLooked(folder: String, pause: Double) throws {
        let container = try TemporaryContainer("bookmark Swift https://old/ stored=Bookmark_Swift-1\nfolder Trip\nfolder Trip/Deep")
        try withDrive(container, options: "rw") { drive in
            let move = "mv Bookmark_Swift-1 \(folder)Bookmark_Swift-2; sleep \(pause)"
            try writing(Data(link("https://new/").utf8), to: "Swift.url", atItsEnd: false, on: drive, container, after: move) { true }
            #expect(try run("ls", container.path).output == (folder.isEmpty ? "Bookmark_Swift-2\nTrip\n" : "Trip\n"))
            #expect(try drive.text("\(folder)Swift.url") == link("https://new/"))
            #expect(try drive.files().sorted() == ["\(folder)Swift.url"])
        }
    }

    /// It cannot be followed to there.
    @Test(arguments: [0, 0.5]) func whatIsWrittenToWhatWasMovedOutIsKept(pause: Double) throws {
        let container = try TemporaryContainer("text Notes old\nbookmark Swift https://old/ stored=Bookmark_Swift-1")
        try withDrive(container, options: "rw") { drive in
            try writing(Data("mine".utf8), to: "Notes.txt", on: drive, container, after: "mv Notes.stedoc ..; sleep \(pause)") { true }
            try writing(Data(link("https://new/").utf8), to: "Swift.url", atItsEnd: false, on: drive, container, after: "mv Bookmark_Swift-1 ..; sleep \(pause)") { true }
            #expect(try drive.text("Notes.txt") == "oldmine" && drive.text("Swift.url") == link("https://new/"))
            #expect(try drive.files().sorted() == ["Notes.txt", "Swift.url"])
            #expect(try String(contentsOfFile: container.beside("Notes.stedoc"), encoding: .utf8) == "old")
        }
    }

    private static let kinds = ["text", "bookmark", "photo"]

    /// Both are open for writing, and the one is moved over the other. What is written to that one is one side of a conflict, as where it is made anew; what is
    /// written to the one that was moved, and whose name that cannot have, is a new document.
    /// “seen”: the drive sees that one is gone before the other one comes.
    @Test(arguments: kinds, ["One", "Other", "One Other", "Other One", "One Other coordinated", "One seen", "Other seen", "One Other seen"])
    func whatIsWrittenToBothIsKept(kind: String, written: String) throws {
        let ending = ["text": "txt", "bookmark": "url", "photo": "png"][kind] ?? "", isPhoto = kind == "photo"
        func content(_ text: String) -> Data { isPhoto ? image(3000) + Data(text.utf8) : Data((kind == "bookmark" ? link("https://\(text)/") : text).utf8) }
        let container = try TemporaryContainer(), log = container.beside("log")
        try withDrive(container, options: "rw,log=\(log)") { drive in
            for name in ["One", "Other"] { try content("old\(name)").write(to: URL(fileURLWithPath: drive.path("\(name).\(ending)"))) }
            let stored = try FileManager.default.contentsOfDirectory(atPath: container.path)
            func item(_ name: String) -> String { stored.first { $0.hasPrefix("\(name).") || $0.hasPrefix("Bookmark_\(name)-") } ?? name }
            for name in ["One", "Other"] { try content("new\(name)").write(to: URL(fileURLWithPath: container.beside(name))) }
            let names = written.split(separator: " ").map(String.init).filter { $0 == "One" || $0 == "Other" }
            let program = try Program(["python3", "-c", """
                import os, sys, time
                beside, ending, *written = sys.argv[1:]
                files = {name: os.open(f"{beside}drive/{name}.{ending}", os.O_RDWR) for name in ("One", "Other")}
                open(beside + "opened", "w").close()
                while not os.path.exists(beside + "enough"): time.sleep(0.01)
                for name in written:
                    os.ftruncate(files[name], 0)
                    os.write(files[name], open(beside + name, "rb").read())
                for file in files.values(): os.close(file)
                """, container.beside(""), ending] + names)
            #expect(eventually { access(container.beside("opened"), F_OK) == 0 || program.hasEnded })
            let isSeen = written.hasSuffix("seen")
            let change = "\(isPhoto || isSeen ? "rm -r '\(item("Other"))'; " : "")\(isSeen ? "sleep 0.5; " : "")mv -T '\(item("One"))' '\(item("Other"))'"
            if written.hasSuffix("coordinated") { try valise("coordinate", "--write", container.stored(item("One")), "--", "bash", "-c", "cd '\(container.path)'; \(change)").good() }
            else { try shell("\(change); sleep 0.\(names.count)", in: container.path).good() }
            try Data().write(to: URL(fileURLWithPath: container.beside("enough")))
            try program.wait().good()
            let all = try shell("cat *.\(ending) .valise/versions/*/*", in: drive.mountpoint).output
            // What the app has put there, and all that was written since.
            for text in ["oldOne"] + names.map({ "new\($0)" }) { #expect(all.contains(text), "\(text): \(all)") }
            if names.contains("One") {
                let said = try String(contentsOfFile: log, encoding: .utf8)
                #expect(said.contains("“One.\(ending)” was moved by another program to where it cannot be written to; what is written to it is “") && said.contains(".\(ending)”, a new document"), "\(said)")
            }
        }
        #expect(try container.staged() == [])
    }

    /// It goes to where its item is, and what is written after that as well.
    @Test(arguments: ["Moved", "Trip/Moved", "Trip/Notes", "Other"], ["a", "r+", "w"]) func whatIsBeingWrittenGoesWithItsItem(new: String, mode: String) throws {
        let container = try TemporaryContainer("text Notes old\nfolder Trip\ntext Other another")
        try withDrive(container, options: "rw") { drive in
            #expect(try run("ls", drive.mountpoint, drive.path("Trip")).code == 0)
            let program = try Program(["python3", "-c", """
                import os, sys, time
                file = open(sys.argv[1], sys.argv[2])
                file.write("mine"); file.flush()
                open(sys.argv[3] + "opened", "w").close()
                while not os.path.exists(sys.argv[3] + "enough"): time.sleep(0.01)
                file.write("more"); file.close()
                """, drive.path("Notes.txt"), mode, container.beside("")])
            #expect(eventually { access(container.beside("opened"), F_OK) == 0 || program.hasEnded })
            try shell("mv Notes.stedoc \(new).stedoc", in: container.path).good()
            #expect(eventually { isThere("\(new).txt", on: drive, insteadOf: "Notes.txt") })
            try Data().write(to: URL(fileURLWithPath: container.beside("enough")))
            try program.wait().good()
            let text = mode == "a" ? "oldminemore" : "minemore"
            #expect(try drive.text("\(new).txt") == text && container.bytes("\(new).stedoc") == Data(text.utf8))
            #expect(try drive.files().sorted() == (new == "Other" ? ["Other.txt"] : ["Other.txt", "\(new).txt"]).sorted())
            #expect(try !valise("conflicts", drive.mountpoint).output.contains("conflict\n"))
            #expect(try shell("cat .valise/versions/\(new).txt/*", in: drive.mountpoint).output == "old")
        }
        #expect(try container.staged() == [])
    }

    /// The shown name stays as it is.
    @Test func whatIsWrittenToABookmarkComesToItsNewItem() throws {
        let container = try TemporaryContainer("bookmark Swift https://old/ stored=Bookmark_Swift-1")
        try withDrive(container, options: "rw") { drive in
            try writing(Data(link("https://new/").utf8), to: "Swift.url", atItsEnd: false, on: drive, container, after: "mv Bookmark_Swift-1 Bookmark_Swift-2; echo >after") {
                try run("ls", drive.mountpoint).output == "Swift.url\nafter\n"
            }
            #expect(try drive.text("Swift.url") == link("https://new/"))
            #expect(try run("ls", drive.mountpoint).output == "Swift.url\nafter\n")
            #expect(try run("ls", container.path).output == "Bookmark_Swift-2\nafter\n")
        }
    }

    /// What is written into the old one is one side of a conflict, as where it is made anew at once.
    @Test(arguments: [0, 0.3]) func whatIsMadeAnewClashesWithWhatIsWritten(pause: Double) throws {
        let container = try TemporaryContainer("text Notes old")
        try withDrive(container, options: "rw") { drive in
            try writing(Data("mine".utf8), to: "Notes.txt", on: drive, container, after: "rm Notes.stedoc; sleep \(pause); printf theirs >Notes.stedoc; echo >after") {
                // Until the folder was looked at, it may be a file that was removed, and what is written into such a one goes with it.
                access(drive.path("after"), F_OK) == 0
            }
            let texts = try shell("cat Notes.txt .valise/versions/Notes.txt/*", in: drive.mountpoint).output
            #expect(texts.contains("theirs") && texts.contains("oldmine"), "\(texts)")
            #expect(try valise("conflicts", drive.mountpoint).output.contains("Notes.txt"))
        }
    }

    /// What had begun to be written goes with its folder, and so does what is written only then.
    @Test(arguments: ["Trip", "Album/Trip"]) func whatIsWrittenGoesWithItsFolder(new: String) throws {
        let container = try TemporaryContainer("folder Holiday\nfolder Holiday/Deep\nfolder Album\ntext Holiday/Notes old\ntext Holiday/Deep/Late old"), log = container.beside("log")
        try withDrive(container, options: "rw,log=\(log)") { drive in
            #expect(try run("ls", "-R", drive.mountpoint).code == 0)
            let early = try Program.writing("new", to: drive.path("Holiday/Notes.txt"))
            try writing(Data("mine".utf8), to: "Holiday/Deep/Late.txt", on: drive, container, after: "mv Holiday \(new)") {
                isThere("\(new)/Notes.txt", on: drive, insteadOf: "Holiday")
            }
            early.end()
            #expect(try eventually { try container.bytes("\(new)/Notes.stedoc") == Data("new".utf8) })
            #expect(try drive.text("\(new)/Notes.txt") == "new" && drive.text("\(new)/Deep/Late.txt") == "oldmine")
            #expect(try drive.files().sorted() == ["\(new)/Deep/Late.txt", "\(new)/Notes.txt"])
        }
        let said = try String(contentsOfFile: log, encoding: .utf8)
        #expect(!said.contains("was deleted") && !said.contains("Directory not empty"), "\(said)")
        #expect(try container.staged() == [])
    }

    /// The kernel does not believe that a folder is gone in which something is open.
    @Test func nothingRawIsSaidOfAFolderThatIsDeleted() throws {
        let container = try TemporaryContainer("folder Trip\ntext Trip/Notes old"), log = container.beside("log")
        try withDrive(container, options: "rw,log=\(log)") { drive in
            let writer = try Program.writing("new", to: drive.path("Trip/Notes.txt"))
            try shell("rm -r Trip", in: container.path).good()
            #expect(eventually { access(drive.path("Trip"), F_OK) != 0 })
            writer.end()
            #expect(eventually { access(drive.path("Notes.txt"), F_OK) == 0 })
        }
        #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("Directory not empty"))
    }
}
