import Foundation
import MountTesting
import Testing

/// `/.valise/kvs` with programs that people have, beside an app.
@Suite(.mounting) struct KeyValueDriveTests {
    @discardableResult
    private func kvs(_ words: String, in container: TemporaryContainer) throws -> String {
        try shell("\"$1\" kvs \(words) \"$2\"", Places.valise, container.path).good().output
    }

    @Test func editorsSaveInTheirWays() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            try kvs("set --type integer score 0", in: container)
            let ways = [
                "sed -i 's/.*/NEW/' score", "vim -N -u NONE -es -c 's/.*/NEW/' -c wq score", "vim -N -u NONE -es -c 'set backupcopy=yes' -c 's/.*/NEW/' -c wq score",
                "vim -N -u NONE -es -c 'set backupcopy=no backup bsk=' -c 's/.*/NEW/' -c wq score && rm score~", "echo NEW >score", "echo NEW >../../new && cp ../../new score",
                "echo NEW >../../new && mv ../../new score", "printf 's/.*/NEW/\\nw\\nq\\n' | ed -s score", "perl -i -pe 's/.*/NEW/' score", "echo NEW | tee score",
                "python3 -c 'import os; open(\".score.tmp\", \"w\").write(\"NEW\"); os.replace(\".score.tmp\", \"score\")'", "dd if=/dev/stdin of=score status=none <<<NEW",
            ]
            for (number, way) in ways.enumerated() {
                let command = way.replacingOccurrences(of: "NEW", with: "\(number + 1)")
                try shell(command, in: drive.path(".valise/kvs")).good()
                #expect(try kvs("list", in: container) == "key    type     value\nscore  integer  \(number + 1)\n", "\(command)")
                #expect(try run("ls", "-A", drive.path(".valise/kvs")).output == "score\n", "\(command)")
            }
        }
    }

    /// An app that follows the store sees a value change and never go while an editor saves it.
    @Test func anAppSeesItChangeOnce() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            try kvs("set --type integer score 1", in: container)
            let app = try Program([Places.valise, "kvs", "watch", container.path])
            defer { app.end() }
            #expect(eventually { app.output == "= 1\n" })
            for number in 2...6 {
                try shell("vim -N -u NONE -es -c 's/.*/\(number)/' -c wq score", in: drive.path(".valise/kvs")).good()
                #expect(eventually { app.output.hasSuffix("= \(number)\n") })
            }
            #expect(app.output == "= 1\n" + (2...6).map { "~ score = \($0)\n" }.joined())
        }
    }

    @Test func watchersHearOfWhatAnAppSets() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            try kvs("set there x", in: container)
            let folder = drive.path(".valise/kvs")
            let watcher = try Program(["python3", "-u", Places.support("watch.py"), folder])
            defer { watcher.end() }
            #expect(eventually { watcher.output.hasPrefix("ready\n") })
            var seen = "ready\n"
            func hears(_ lines: String..., of change: () throws -> Void) throws {
                try change()
                seen += lines.map { $0 + "\n" }.joined()
                #expect(eventually { watcher.output.utf8.count >= seen.utf8.count })
                #expect(watcher.output == seen)
            }
            try hears("new CREATE", "new CLOSE_WRITE") { try kvs("set new 1", in: container) }
            try hears("new MODIFY", "new CLOSE_WRITE") { try kvs("set new 2", in: container) }
            try hears("new DELETE") { try kvs("delete new", in: container) }
            // Also who found it already, and of odd keys.
            _ = try run("cat", drive.path(".valise/kvs/there")).good()
            try hears("there MODIFY", "there CLOSE_WRITE") { try kvs("set there y", in: container) }
            try hears("a%2Fb CREATE", "a%2Fb CLOSE_WRITE") { try kvs("set a/b y", in: container) }
            // What is done on the drive is heard from the kernel, once.
            try hears("own CREATE", "own MODIFY", "own CLOSE_WRITE", "own DELETE") { try shell("echo x >own; rm own", in: folder).good() }
            try hears("last CREATE", "last CLOSE_WRITE") { try kvs("set last 1", in: container) }
        }
    }

    /// Killed at any time, the store is whole: what a program was told is there, is.
    @Test func killed() throws {
        let container = try TemporaryContainer()
        for round in 0..<5 {
            var written = 0
            try withDrive(container) { drive in
                let numbers = "\(round * 1000 + 1) \(round * 1000 + 999)"
                let writer = try Program(["bash", "-c", "cd \"$1/.valise/kvs\" && for n in $(seq \(numbers)); do echo $n >.n && mv .n n && echo $n || exit; done", "bash", drive.mountpoint])
                defer { writer.end() }
                #expect(eventually { writer.output.split(separator: "\n").count > 3 + round })
                try drive.kill()
                _ = try? writer.wait()
                written = Int(writer.output.split(separator: "\n").last ?? "") ?? 0
            }
            let kept = Int(try kvs("get n", in: container).trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
            #expect(kept == written || kept == written + 1)
        }
    }

    /// The store lies in no container, and the drive's process sees nothing else there that it was not told of.
    @Test(arguments: ["rw", "nosandbox"]) func whereTheStoreLiesElsewhere(_ option: String) throws {
        let container = try TemporaryContainer(), folder = container.beside("settings"), file = folder + "/KeyValueStore.plist"
        mkdir(folder, 0o755)
        func list(_ place: String) throws -> String { try run(Places.valise, "kvs", "list", place).good().output }
        for place in [folder, file, container.beside("other.plist")] {
            try withDrive(container, options: "\(option),kvs=\(place)") { drive throws in
                try shell("echo x >.valise/kvs/name; echo 1 >.n; mv .n .valise/kvs/n; cat .valise/kvs/name", in: drive.mountpoint).good()
                #expect(try list(drive.mountpoint) == "key   type    value\nn     string  1\nname  string  x\n")
                // An app that has it elsewhere sets something, too.
                let store = place == folder ? file : place
                try run(Places.valise, "kvs", "set", "name", "Swift", store).good()
                #expect(try run("cat", drive.path(".valise/kvs/name")).output == "Swift\n")
                try run(Places.valise, "kvs", "set", "name", "Ann", drive.mountpoint).good()
                #expect(try list(store).contains("name  string  Ann\n") && FileManager.default.fileExists(atPath: store))
                #expect(try valise("status", drive.mountpoint).good().output.contains("  settings    \(store)\n"))
                // The container's own is another one.
                #expect(try list(container.path).isEmpty)
                // Where somebody is counts, however many drives there are; and before that VALISE_CONTAINER.
                #expect(try Program([Places.valise, "kvs", "get", "name"], in: drive.mountpoint).wait().good().output == "Ann\n")
                #expect(try Program([Places.valise, "kvs", "list"], in: container.path).wait().good().output.isEmpty)
                // A drive that it names is asked, as one that is named in the command.
                #expect(try Program([Places.valise, "kvs", "get", "name"], environment: ["VALISE_CONTAINER": drive.mountpoint]).wait().good().output == "Ann\n")
            }
        }
        try withDrive(container, options: "\(option),ro,kvs=\(folder)") { drive throws in
            #expect(try run("cat", drive.path(".valise/kvs/name")).output == "Ann\n")
            #expect(try shell("echo y >.valise/kvs/name", in: drive.mountpoint).errors.contains("Read-only file system"))
        }
    }

    @Test func aWrongPlaceForItIsSaid() throws {
        let container = try TemporaryContainer("text Notes one"), letter = container.beside("letter.txt")
        try "Dear Ann\n".write(toFile: letter, atomically: true, encoding: .utf8)
        let others = container.beside("others")
        try shell("mkdir \"$1\" && echo 1 >\"$1/passwd\"", others).good()
        for (place, sentence) in [
            (container.beside("none/store.plist"), "cannot open the folder of the key-value store “\(container.beside("none/store.plist"))”: No such file or directory"),
            (letter + "/store.plist", "Not a directory"), (letter, "“\(letter)” is no key-value store"), ("store.plist", "the path is to begin with “/”"),
            (others, "“\(others)” has other files in it, and no key-value store: to have one there, name it: kvs=\(others)/KeyValueStore.plist"),
        ] {
            let ended = try valise("mount", "-o", "kvs=\(place)", container.path, container.mountpoint)
            #expect(ended.code != 0 && ended.errors.contains(sentence) && ended.errors.split(separator: "\n").count == 1, "\(place): \(ended.errors)")
            #expect(!MountedDrive.isMounted(container.mountpoint))
        }
        #expect(try String(contentsOfFile: letter, encoding: .utf8) == "Dear Ann\n")
        try withDrive(container, options: "kvs=\(others)/KeyValueStore.plist") { drive throws in
            try shell("echo x >.valise/kvs/name", in: drive.mountpoint).good()
        }
        try withDrive(container, options: "kvs=\(others)") { drive throws in
            #expect(try drive.text(".valise/kvs/name") == "x\n")
        }
        let set = try run(Places.valise, "kvs", "set", "a", "b", letter)
        #expect(set.code == 1 && set.errors.contains("is no key-value store"), "\(set.errors)")
    }

    /// Without a folder `Documents` the store lies in Valise's own folder.
    @Test func whereAllOfTheContainerIsShown() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            try shell("echo x >.valise/kvs/k; cat .valise/kvs/k", in: drive.mountpoint).good()
            #expect(try kvs("get k", in: container) == "x\n")
            #expect(try run("ls", drive.mountpoint).output == "Notes.txt\n")
        }
    }
}
