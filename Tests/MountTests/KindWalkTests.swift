import Foundation
import MountTesting
import Testing

/// One kind that nobody has programmed, in each way in which it can be shown, goes through every verb. So does a
/// package that only its app knows.
@Suite(.mounting) struct KindWalkTests {
    /// As what a drive shows `Trip.scrap/`, which has a `text.md`.
    enum Shape: String, CaseIterable {
        case content, file, folder, ofApp

        var shown: String { self == .content ? "Trip.md" : "Trip.scrap" }
        var isFolder: Bool { self == .folder || self == .ofApp }

        /// Five lines of a person's; nil where only the app knows it.
        var kind: String? {
            guard self != .ofApp else { return nil }
            return "[scrap]\nextension = scrap\nparts = text.md, info, assets/\nrequired = text.md\nshown = \(rawValue)\ntype = com.example.scrap\n"
        }

        /// What a person types: `text NAME` shows the text, `put TEXT` saves it as shells do, `edit TEXT` as editors
        /// and archivers do.
        var words: String {
            switch self {
            case .content:
                "text() { cat \"$1\"; }; put() { echo \"$1\" >Trip.md; }; edit() { echo \"$1\" >.Trip.tmp; mv .Trip.tmp Trip.md; }"
            case .file:
                """
                text() { unzip -p "$1" text.md; }
                pack() { rm -rf "$OUT/p" "$OUT/p.zip"; mkdir "$OUT/p"; (cd "$OUT/p"; unzip -q "$D/Trip.scrap"; echo "$1" >text.md; zip -qry ../p.zip .); }
                put() { pack "$1"; cat "$OUT/p.zip" >Trip.scrap; }; edit() { pack "$1"; cp "$OUT/p.zip" .Trip.tmp; mv .Trip.tmp Trip.scrap; }
                """
            case .folder, .ofApp:
                """
                text() { cat "$1/text.md"; }; put() { echo "$1" >Trip.scrap/text.md; }
                edit() {
                    python3 -c 'import os, shutil, sys; shutil.copytree("Trip.scrap", "new"); open("new/text.md", "w").write(sys.argv[1] + "\\n")
                shutil.rmtree("Trip.scrap"); os.rename("new", "Trip.scrap")' "$1"
                }
                """
            }
        }
    }

    @Test(arguments: Shape.allCases) func everyVerb(shape: Shape) throws {
        let packages = """
            file Documents/Trip.scrap/text.md "By the sea\\n"
            file Documents/Trip.scrap/assets/map.dat "a map\\n"
            text Documents/Notes "n\\n"
            """
        let container = try TemporaryContainer(packages), config = container.beside("config"), name = shape.shown
        let out = container.beside("out"), stored = container.path + "/Documents", trip = stored + "/Trip.scrap"
        for folder in [config + "/valise", out] { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        if let kind = shape.kind { try kind.write(toFile: config + "/valise/kinds", atomically: true, encoding: .utf8) }
        let environment = ["XDG_CONFIG_HOME": config, "XDG_CACHE_HOME": container.beside("cache"), "OUT": out, "S": stored, "N": name]
        try withDrive(container, environment: environment) { drive in
            func sh(_ line: String) throws -> String {
                let script = "valise() { \"\(Places.valise)\" \"$@\"; }; D=\"$PWD\"; \(shape.words); \(line)"
                return try shell(script, in: drive.mountpoint, environment: environment).good().output
            }
            /// An app opens the package where it lies, and types; then something happens, and it saves and ends.
            func app(while line: String = "true") throws -> String {
                let words = container.beside("words")
                mkfifo(words, 0o600)
                let input = open(words, O_RDWR | O_CLOEXEC), notebook = Places.built + "/NotebookTrial"
                let program = try Program(["sh", "-c", "exec \"$1\" \"$2\" app <\"$3\"", "sh", notebook, trip, words])
                defer {
                    program.end()
                    close(input)
                    unlink(words)
                }
                func say(_ line: String) { _ = line.withCString { write(input, $0, strlen($0)) } }
                #expect(eventually { program.output.contains("open true") })
                say("type\n")
                #expect(eventually { program.output.contains("typed 1") })
                _ = try sh(line)
                say("save\nend\n")
                #expect(try program.wait().code == 0 && !program.output.contains("failed"), "\(program.output)\(program.errors)")
                return program.output
            }
            // Listed, and what it is.
            #expect(try sh("ls -1 --file-type") == "Notes.txt\n\(name)\(shape.isFolder ? "/" : "")\n")
            #expect(try sh("text $N") == "By the sea\n")
            let kind = shape == .ofApp ? "folder" : "scrap"
            #expect(try sh("valise info $N; valise info $S/Trip.scrap").components(separatedBy: "kind         \(kind)\n").count == 3)
            // Saved by shells, by editors and by the app, and each time the other parts stay.
            #expect(try sh("put two; cat $S/Trip.scrap/text.md $S/Trip.scrap/assets/map.dat") == "two\na map\n")
            #expect(try sh("edit three; text $N; cat $S/Trip.scrap/text.md $S/Trip.scrap/assets/map.dat") == "three\nthree\na map\n")
            #expect(try app().contains("kept 1"))
            #expect(try sh("text $N; cat $S/Trip.scrap/assets/map.dat") == "three\n- app.1\na map\n")
            // Versions: listed, compared, brought back, and shown as files.
            let difference = try sh("valise versions $N; valise diff $N 1 || true")
            #expect(difference.contains(shape == .content ? "+- app.1" : name), "\(difference)")
            // What was restored in a folder, its drive notices.
            func restores(_ text: String) throws {
                _ = try sh("valise restore -q $N 1")
                #expect(eventually { (try? sh("text $N")) == text })
            }
            try restores("three\n")
            try restores("three\n- app.1\n")
            #expect(try sh("ls .valise/versions/$N | wc -l") != "0\n" && sh("cat $S/Trip.scrap/assets/map.dat") == "a map\n")
            // Somebody else writes while the app has it open: both are kept, and one is chosen.
            #expect(try app(while: "echo theirs >$S/Trip.scrap/new; mv $S/Trip.scrap/new $S/Trip.scrap/text.md").contains("kept 1"))
            #expect(try sh("text $N") == "three\n- app.1\n- app.1\n" && sh("valise conflicts .").contains("/\(name)\n"))
            #expect(try sh("getfattr --only-values -n user.valise.conflict $N | wc -c") != "0\n")
            #expect(try sh("valise find 'conflict == YES' .").contains(name) || shape == .ofApp)
            #expect(try sh("valise resolve -q $N 1; text $N; valise conflicts .") == "theirs\n")
            // Found: by kind, type and text, on the drive, in it, and without it.
            if shape != .ofApp {
                for predicate in ["kind == \"scrap\"", "type == \"com.example.scrap\"", "text CONTAINS \"theirs\" AND kind == \"scrap\""] {
                    let found = try sh("valise find -q '\(predicate)' . | sed 's,.*/,,'; ls '.valise/search/\(predicate)'; valise find '\(predicate)' \(container.path) | sed 's,.*/,,'")
                    #expect(found == "\(name)\n\(name)\n\(name)\n", "\(predicate)")
                }
                #expect(try sh("valise find --json 'kind == \"scrap\"' .").contains("\"kind\":\"scrap\""))
            }
            // Another name, with its versions and parts; deleted, listed, and back.
            let new = shape == .content ? "Tour.md" : "Tour.scrap", versions = try sh("valise versions -q $N | wc -l")
            #expect(try sh("mv $N \(new); text \(new); ls $S; valise versions -q \(new) | wc -l") == "theirs\nNotes.stedoc\nTour.scrap\n\(versions)")
            #expect(try sh("rm -r \(new); ls; valise deleted .").contains("Tour"))
            #expect(try sh("valise undelete -q \(new); text \(new); cat $S/Tour.scrap/assets/map.dat; valise versions -q \(new) | wc -l") == "theirs\na map\n\(versions)")
            // Out, whole; and back in.
            #expect(try sh("valise export -q --folder $OUT/e .; cd $OUT/e; text \(new)") == "theirs\n")
            let mac = "mkdir $OUT/mac; cp -r $S/Tour.scrap $OUT/mac/New.scrap; mkdir In; valise import $OUT/mac In 2>&1 || true"
            let told = try sh(mac)
            #expect(told.hasPrefix("1 is new in “In”.") || shape == .ofApp, "\(told)")
            if shape != .ofApp { #expect(try sh("diff -r $OUT/mac/New.scrap $S/In/New.scrap; valise import --undo -q In; ls In") == "") }
            #expect(try sh("cp -r $OUT/mac/New.scrap .; ls; text \(new.replacingOccurrences(of: "Tour", with: "New")); diff -r $OUT/mac/New.scrap $S/New.scrap") .hasSuffix("theirs\n"))
            // Nothing is wrong, and earlier versions make room.
            #expect(try sh("valise check \(container.path)").contains("Nothing is wrong"))
            _ = try sh("valise versions --purge --yes \(new)")
            #expect(try sh("text \(new); find \(container.path)/.valise/versions -type f | wc -l") == "theirs\n0\n")
        }
    }
}
