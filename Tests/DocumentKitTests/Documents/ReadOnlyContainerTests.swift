import Foundation
import MountTesting
import Testing

/// Documents of a container that cannot be written: on a read-only file system, or another user's. All that only reads works, and whoever saves hears why
/// that cannot be.
@Suite(.enabled(if: geteuid() == 0, "only root mounts, and is several users"), .timeLimit(.minutes(40))) struct ReadOnlyContainerTests {
    private static let program = Places.built + "/DocumentTrial"

    enum Way: String, CaseIterable, Sendable { case bound, another }

    /// A container that Valise has used, or only an app; and how somebody gets at it who may only read.
    private final class Reading {
        let container = try! TemporaryContainer("text Notes one\nphoto Album/Cat png"), way: Way
        let path: String
        private let environment: [String: String]

        init(_ way: Way, isUsed: Bool) throws {
            (self.way, path) = (way, way == .bound ? container.beside("bound") : container.path)
            environment = ["VALISE_CONTAINER": path, "XDG_CONFIG_HOME": container.beside("config")]
            if isUsed {
                mkdir(container.stored(".valise"), 0o700)
                try Program([program, container.stored("Notes.stedoc"), "open", "edit:two", "save", "close"]).wait().good()
            } else { try Data("two".utf8).write(to: URL(fileURLWithPath: container.stored("Notes.stedoc"))) }
            try shell("chmod -R a+rX \"$1\"; if [ -e \"$1/.valise\" ]; then chmod 700 \"$1/.valise\"; fi; chmod 755 \"$(dirname \"$1\")\"", container.path).good()
            if way == .bound { try shell("mkdir \"$2\" && mount --bind \"$1\" \"$2\" && mount -o remount,ro,bind \"$2\"", container.path, path).good() }
        }

        deinit { if way == .bound { _ = try? run("umount", "-l", path) } }

        func ended(_ words: [String], in place: String? = nil) throws -> Ended {
            let user = way == .another ? ["setpriv", "--reuid=5001", "--regid=5001", "--clear-groups"] : []
            return try Program(user + words, environment: environment).wait(seconds: 120)
        }

        func steps(_ steps: String, of file: String) throws -> [String] { try ended([program, file] + steps.split(separator: " ").map(String.init)).good().lines }
    }

    @Test(arguments: Way.allCases, [true, false]) func itIsOpenedAndNotSaved(way: Way, isUsed: Bool) throws {
        let reading = try Reading(way, isUsed: isUsed), file = reading.path + "/Notes.stedoc"
        let lines = try reading.steps("open text state versions conflicts read look presenters edit:three save state unsaved fault revert text state close state", of: file)
        let versions = isUsed && way == .bound ? 1 : 0
        #expect(lines.prefix(9) == ["load two", "state editingDisabled", "disable", "open true", "text two", "is editingDisabled", "versions \(versions)", "conflicts 0", "read two"])
        #expect(lines.dropFirst(9).prefix(7) == ["look two", "presenters 1", "contents three", "state savingError+editingDisabled", "error cocoa", "save false", "is savingError+editingDisabled"])
        #expect(lines.dropFirst(16).first == "unsaved true")
        let fault = try #require(lines.first { $0.hasPrefix("fault ") })
        #expect(fault.contains("read-only") && fault.contains("Notes.stedoc"), "\(fault)")
        // What was typed is given up, and it is closed.
        #expect(lines.suffix(6) == ["revert true", "text two", "is editingDisabled", "state closed", "close true", "is closed"], "\(lines)")
        #expect(try String(contentsOfFile: reading.container.stored("Notes.stedoc"), encoding: .utf8) == "two")
    }

    /// So it is with a file in no container, and in a folder of a container that is otherwise one's own.
    @Test(arguments: Way.allCases, [true, false]) func itIsSoInAFolder(way: Way, isInContainer: Bool) throws {
        let folder = try MountTesting.TemporaryFolder(), home = folder.path + "/home", file = home + "/Sub/" + (isInContainer ? "Notes.stedoc" : "Notes.txt")
        try shell("chmod 755 \"$1\" && mkdir -p \"$2/Sub\" && printf one >\"$3\" && chown -R 5001:5001 \"$2\" && chmod 555 \"$2/Sub\"", folder.path, home, file).good()
        if isInContainer { try shell("mkdir -m 700 \"$1/.valise\" && chown 5001:5001 \"$1/.valise\"", home).good() }
        if way == .bound { try shell("mount --bind . . && mount -o remount,ro,bind .", in: home + "/Sub").good() }
        defer { if way == .bound { _ = try? run("umount", "-l", home + "/Sub") } }
        let lines = try run("setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", Self.program, file, "open", "state", "edit:two", "save", "fault").good().lines
        #expect(lines.contains("open true") && lines.contains("is editingDisabled") && lines.contains("save false"), "\(lines)")
        let fault = lines.last ?? ""
        #expect(fault.contains("Notes.") && (fault.hasSuffix("Permission denied") || fault.hasSuffix("Read-only file system")), "\(fault)")
    }

    /// Another place takes what was typed.
    @Test(arguments: Way.allCases) func itIsSavedElsewhere(way: Way) throws {
        let reading = try Reading(way, isUsed: true)
        try shell("mkdir \"$1\"; chmod 777 \"$1\"", reading.container.beside("else")).good()
        let lines = try reading.steps("open edit:three create:../else/Other.txt state edit:four save file close", of: reading.path + "/Notes.stedoc")
        #expect(lines.suffix(8) == ["create true", "is normal", "contents four", "save true", "file four", "state editingDisabled", "disable", "state closed", "close true"].suffix(8), "\(lines)")
    }

    @Test(arguments: Way.allCases, [true, false]) func aQueryFindsAll(way: Way, isUsed: Bool) throws {
        let reading = try Reading(way, isUsed: isUsed)
        #expect(try reading.ended([Self.program, "conflicts", reading.path]).good().output == "2 0\n")
    }

    /// Nothing is created, moved, deleted or decided there, and nobody waits for ever.
    @Test(arguments: Way.allCases) func nothingIsChanged(way: Way) throws {
        let reading = try Reading(way, isUsed: true), file = reading.path + "/Notes.stedoc"
        let everything = "find . -printf '%P %y %s %m %T@ %U\\n' | sort", before = try shell(everything, in: reading.container.path).good().output
        let lines = try reading.steps("open write:x replace:y move:b.stedoc delete rename:c.stedoc purge restore settle text name file", of: file)
        #expect(lines.suffix(3) == ["text two", "name Notes.stedoc Notes", "file two"], "\(lines)")
        #expect(try shell(everything, in: reading.container.path).good().output == before)
        let new = try reading.steps("edit:new create state fault", of: reading.path + "/New.stedoc")
        #expect(new.contains("create false") && new.last?.contains("“New.stedoc” cannot be written: “\(reading.path)” is read-only") == true, "\(new)")
    }
}

/// The same by way of a drive that is read-only, and beside one.
@Suite(.mounting, .timeLimit(.minutes(40))) struct ReadOnlyDriveTests {
    private func steps(_ steps: String, of file: String) throws -> [String] {
        try Program([Places.built + "/DocumentTrial", file] + steps.split(separator: " ").map(String.init)).wait(seconds: 120).good().lines
    }

    @Test func nothingIsSavedByAReadOnlyDrive() throws {
        let container = try TemporaryContainer("text Notes one\nbookmark Swift https://www.swift.org")
        try withDrive(container, options: "ro") { drive in
            for name in ["Notes.txt", "Swift.url"] {
                let lines = try steps("open state edit:three save fault revert state close state", of: drive.path(name))
                #expect(lines.contains("open true") && lines.contains("is editingDisabled") && lines.contains("save false") && lines.last == "is closed", "\(lines)")
                #expect(lines.first { $0.hasPrefix("fault ") }?.lowercased().contains("read-only") == true, "\(lines)")
            }
            #expect(try String(contentsOfFile: container.stored("Notes.stedoc"), encoding: .utf8) == "one")
            // Who names the container means that, which can be written.
            #expect(try steps("open state edit:two save close file", of: container.stored("Notes.stedoc")).suffix(2) == ["close true", "file two"])
            #expect(eventually { (try? String(contentsOfFile: drive.path("Notes.txt"), encoding: .utf8)) == "two" })
        }
    }

    /// A container on a read-only file system, whose drive is one that writes nothing.
    @Test(.enabled(if: geteuid() == 0, "only root mounts")) func besideAReadOnlyDrive() throws {
        let container = try TemporaryContainer("text Notes one")
        mkdir(container.stored(".valise"), 0o700)
        try shell("mount --bind . . && mount -o remount,ro,bind .", in: container.path).good()
        defer { _ = try? run("umount", "-l", container.path) }
        try withDrive(container, options: "ro") { drive in
            for file in [container.stored("Notes.stedoc"), drive.path("Notes.txt")] {
                let lines = try steps("open state read edit:three save fault", of: file)
                #expect(lines.contains("open true") && lines.contains("is editingDisabled") && lines.contains("read one") && lines.contains("save false"), "\(lines)")
                #expect(lines.last?.lowercased().contains("read-only") == true, "\(lines)")
            }
        }
    }

    /// A program with a drive that writes elsewhere: what is saved there, who only reads hears of.
    @Test(.enabled(if: geteuid() == 0, "only root mounts")) func besideADriveThatWrites() throws {
        let container = try TemporaryContainer("text Notes one"), bound = container.beside("bound")
        try withDrive(container) { drive in
            try shell("mkdir \"$2\" && mount --bind \"$1\" \"$2\" && mount -o remount,ro,bind \"$2\"", container.path, bound).good()
            defer { _ = try? run("umount", "-l", bound) }
            let app = try Program([Places.built + "/DocumentTrial", bound + "/Notes.stedoc", "open", "state", "until:two", "edit:three", "save", "fault"])
            defer { app.end() }
            #expect(eventually { app.output.contains("is editingDisabled") })
            try shell("echo -n two >Notes.txt", in: drive.mountpoint).good()
            let lines = try app.wait(seconds: 120).good().lines
            #expect(lines.contains("load two") && lines.contains("save false") && lines.last?.lowercased().contains("read-only") == true, "\(lines)")
            #expect(try String(contentsOfFile: container.stored("Notes.stedoc"), encoding: .utf8) == "two")
        }
    }
}
