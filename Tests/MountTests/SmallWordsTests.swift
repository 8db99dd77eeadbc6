import Foundation
import MountTesting
import Testing

/// What somebody types who does not know the pages by heart is understood, or the answer says what is right.
@Suite(.mounting) struct SmallWordsTests {
    @Test func whatIsTypedIsUnderstoodOrExplained() throws {
        let container = try TemporaryContainer("text Documents/Notes \"swift and the kernel\"\ntext Documents/Other swift\nfolder Documents/Holiday"), plain = container.beside("plain")
        mkdir(plain, 0o755)
        // As an app's folder is, which Valise has not used yet.
        let found = container.beside("found")
        mkdir(found, 0o755)
        for path in [plain + "/other.dat", found + "/Notes.stedoc"] { try "one".write(toFile: path, atomically: false, encoding: .utf8) }
        try withDrive(container) { drive in
            let top = drive.mountpoint, environment = ["XDG_CACHE_HOME": container.beside("cache")]
            for (words, code, answer) in [
                // A number is a value, whatever it begins with.
                (["kvs", "set", "count", "-1", top], 0, ""), (["kvs", "get", "count", top], 0, "-1\n"), (["kvs", "set", "--type", "real", "count", "-.5", top], 0, ""),
                // A year is no date, and no number of seconds either.
                (["kvs", "set", "--type", "date", "day", "2026", top], 1, "is no date: that is a date, as 2026-03-01T09:30:00Z"),
                (["kvs", "set", "--type", "date", "day", "2026-02-30", top], 1, "is no date"),
                (["kvs", "set", "--type", "date", "day", "2026-03-01", top], 0, ""), (["kvs", "get", "day", top], 0, "2026-03-01T00:00:00Z\n"),
                (["kvs", "set", "count", "-x", top], 2, "“-x” is not an option of “kvs”: “valise help kvs” lists them; a VALUE that begins with “-” stands behind “--”"),
                (["kvs", "set", "count", "1", plain], 1, "“\(plain)” is no container, so nothing is kept in it; to make it one: valise init \(plain)"),
                (["kvs", "list", plain], 1, "“\(plain)” is no container, so nothing is kept in it"),
                (["conflicts", plain], 1, "“\(plain)” is no container that Valise has used and no drive, and there is no document in it"), (["conflicts", found], 0, ""),
                (["find", "swift", "kernel", top], 0, "\(top)/Notes.txt\n"), (["find", "swift", "Holiday"], 0, ""),
                (["find", "changed > yesterday", top], 2, "“yesterday” is no date here"), (["find", "changed > yesterday", top], 2, "did you mean now - 1d?"),
                (["find", "modified > 2026-01-01", top], 2, "“modified” is no attribute; did you mean changed?"),
                (["find", "kind == \"foto\"", top], 2, "there is no kind “foto”; did you mean 'photo'?"), (["find", "kind IN {'text', 'song'}", top], 2, "there is no kind “song”: there are bookmark, photo, text, pages"),
                (["find", "kind ==[c] 'TEXT' AND name BEGINSWITH 'N'", top], 0, "\(top)/Notes.txt\n"),
                (["deleted", "--since", "10min", top], 0, ""), (["deleted", "--since", "soon", top], 2, "“soon” is no time"),
                (["doctor", container.beside("gone")], 1, "if it was moved or renamed, name it as it is called now"), (["check", container.beside("gone")], 8, "if it was moved or renamed, name it as it is called now"),
                (["open", drive.path("Notes.txt")], 1, "“\(top)/Notes.txt” is no link file: those end in .url, .desktop, .webloc or .html"),
            ] as [([String], Int32, String)] {
                let ended = try Program([Places.valise] + words, in: top, environment: environment).wait()
                let isSaid = code == 0 ? ended.output == answer && ended.errors.isEmpty : (ended.output + ended.errors).contains(answer)
                #expect(ended.code == code && isSaid, "\(words): \(ended.code) \(ended.output)\(ended.errors)")
            }
            // Of all drives: there are others, and what those answer is not of this test.
            let everywhere = try run(Places.valise, "find", "swift", "kernel", environment: environment)
            #expect(everywhere.output.split(separator: "\n").contains("\(top)/Notes.txt"), "\(everywhere)")
            #expect(try shell("ls -A", in: plain).good().output == "other.dat\n")
            // An answer that cannot be written is none.
            #expect(try shell("\"$1\" kvs get count >/dev/full", Places.valise, in: top).code == 1)
            // Of what goes in one go, how much it is.
            try shell("mkdir a; for number in 1 2 3; do echo $number >a/$number.dat; done; rm -r a; :", in: top).good()
            let deleted = try valise("deleted", top).good().output
            #expect(deleted.hasSuffix("\n  3 items, 6 bytes of content\n"), "\(deleted)")
            // What is to be typed instead is what was typed, and one word more.
            #expect(try shell("\"$1\" deleted --purge --since '1 hour ago' . </dev/null", Places.valise, in: top).errors.hasSuffix("to have that: valise deleted --purge --yes --since '1 hour ago' .\n"))
            try shell("echo more >Other.txt", in: top).good()
            #expect(try shell("\"$1\" versions --purge Other.txt </dev/null", Places.valise, in: top).errors.hasSuffix("to have that: valise versions --purge --yes Other.txt\n"))
            // Times are those of the local clock.
            let since = try run(Places.valise, "status", top, environment: ["TZ": "UTC-14"]).good().output, utc = try run(Places.valise, "status", top, environment: ["TZ": "UTC"]).good().output
            #expect(since.contains(", since 20") && !since.contains("UTC") && since != utc, "\(since)")
        }
    }

    /// An app deletes a document: its versions are still there, and it is said where.
    @Test func versionsOfWhatIsGoneArePointedTo() throws {
        let container = try TemporaryContainer("text Gone one")
        try withDrive(container) { drive in
            let top = drive.mountpoint
            try shell("echo two >Gone.txt; rm \"$1\"", container.stored("Gone.stedoc"), in: top).good()
            #expect(eventually { !FileManager.default.fileExists(atPath: drive.path("Gone.txt")) })
            for (path, versions) in [(drive.path("Gone.txt"), "\(top)/.valise/versions/Gone.txt"), (container.stored("Gone.stedoc"), container.path + "/.valise/versions/Gone.stedoc")] {
                let gone = try Program([Places.valise, "versions", path]).wait()
                #expect(gone.code == 1 && gone.errors.contains("there is no “\(path)” any more; its earlier versions are in “\(versions)”"), "\(gone.errors)")
                #expect(FileManager.default.fileExists(atPath: versions))
            }
            let never = try Program([Places.valise, "versions", drive.path("Never.txt")]).wait()
            #expect(never.code == 1 && never.errors == "valise: there is no “\(drive.path("Never.txt"))”\n", "\(never.errors)")
        }
    }

    /// The index knows as many items as there are, however often they change.
    @Test func theCatalogCountsWhatIsThere() throws {
        let container = try TemporaryContainer("texts 60 a")
        try withDrive(container) { drive in
            func items() throws -> String { try valise("status", "--details", drive.mountpoint).good().lines.first { $0.contains("  catalog ") } ?? "" }
            func expect(_ text: String) throws {
                let isSo = eventually { (try? items().hasSuffix(text)) == true }, said = try items()
                #expect(isSo, "\(said)")
            }
            _ = try run(Places.valise, "find", "TRUEPREDICATE", drive.mountpoint).good()
            try expect("knows 60 items")
            for round in 0..<20 { try shell("echo \(round) >again.txt; ls >/dev/null", in: drive.mountpoint).good() }
            try expect("knows 61 items")
        }
    }
}
