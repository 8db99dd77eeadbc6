import Foundation
import MountTesting
import Testing

/// Whoever serves a container is stopped: nobody waits for ever, and all are told for whom they wait.
@Suite(.long, .mounting, .timeLimit(.minutes(40))) struct StoppedServerTests {
    private static let program = Places.built + "/DocumentTrial"

    private func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private func stopped<Value>(_ process: pid_t, _ body: () throws -> Value) rethrows -> Value {
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        return try body()
    }

    @Test func aDriveIsNotWaitedForForEver() throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.stored("Notes.stedoc")
        try withDrive(container) { drive in
            let why = "the drive on “\(drive.mountpoint)” does not answer: process \(drive.process) is stopped; let it go on: kill -CONT \(drive.process)"
            try stopped(drive.process) {
                for words in [[stored], ["--write", stored], ["--timeout", "60", stored]] {
                    let ended = try Program([Places.valise, "coordinate"] + words + ["--", "true"]).wait()
                    #expect(ended.code == 125 && ended.errors.hasSuffix("“Notes.stedoc” cannot be claimed: \(why)\n"), "\(words): \(ended.errors)")
                }
                // An app is told by an error, and its standard error is its own.
                let app = try Program([Self.program, stored, "messages", "open", "sentence", "edit:new", "create:New.stedoc", "sentence"]).wait().good()
                #expect(app.output.contains("message \(why)\n") && app.output.contains("open false\nsentence “Notes.stedoc” cannot be claimed: \(why)\n"), "\(app.output)")
                #expect(app.output.contains("create false\nsentence “New.stedoc” cannot be claimed: \(why)\n") && app.errors.isEmpty, "\(app.output)\(app.errors)")
            }
            try valise("coordinate", stored, "--", "true").good()
        }
        #expect(contents(stored) == "one" && contents(container.stored("New.stedoc")) == nil)
    }

    /// It is open already: what is typed is saved when that is possible app.
    @Test func whatIsTypedMeanwhileIsSavedLater() throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.stored("Notes.stedoc")
        try withDrive(container) { drive in
            let app = try Program([Self.program, stored, "open", "delay:0.05", "wait:\(container.beside("go"))", "edit:three", "save", "unsaved", "until:saved", "close"])
            defer { app.end() }
            #expect(eventually { app.output.contains("open true") })
            stopped(drive.process) {
                _ = FileManager.default.createFile(atPath: container.beside("go"), contents: nil)
                #expect(eventually { app.output.contains("save false\nunsaved true\n") }, "\(app.output)")
            }
            #expect(eventually { app.hasEnded }, "\(app.output)")
            #expect(app.output.hasSuffix("close true\n") && app.output.split(separator: "\n").count { $0 == "error cocoa" } == 1, "\(app.output)")
        }
        #expect(contents(stored) == "three")
    }

    /// One without a drive.
    @Test func anAppThatServesIsNotWaitedForForEver() throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.stored("Notes.stedoc")
        mkdir(container.stored(".valise"), 0o700)
        let app = try Program([Self.program, stored, "open", "until:never"])
        defer { app.end() }
        #expect(eventually { app.output.contains("open true") })
        let ended = try stopped(app.process) { try valise("coordinate", stored, "--", "true") }
        let why = "whoever coordinates in “\(container.path)” does not answer: process \(app.process) is stopped; let it go on: kill -CONT \(app.process)"
        #expect(ended.code == 125 && ended.errors == "valise: \(why)\nvalise: “Notes.stedoc” cannot be claimed: \(why)\n", "\(ended.errors)")
    }

    /// Whoever serves goes on, and somebody else has the item: that may take its time.
    @Test func aLongClaimIsWaitedFor() throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.stored("Notes.stedoc"), go = container.beside("go")
        try withDrive(container) { drive in
            let held = try Program([Places.valise, "coordinate", "--write", stored, "--", "sh", "-c", "echo held; while [ ! -e \"$0\" ]; do sleep 0.01; done", go])
            #expect(eventually { held.output == "held\n" })
            // Who has it may be stopped itself: that is no fault of the drive's, and is said once.
            let waiting = try Program([Places.valise, "coordinate", stored, "--", "echo", "mine"])
            #expect(eventually { (try? drive.status().waiting) == 1 })
            try stopped(held.process) { _ = try shell("sleep 5").good() }
            let why = "“Notes.stedoc” is waited for, and process \(held.process) (valise), which has it, is stopped; let it go on: kill -CONT \(held.process)"
            #expect(!waiting.hasEnded && waiting.errors == "valise: \(why)\n", "\(waiting.errors)")
            _ = FileManager.default.createFile(atPath: go, contents: nil)
            #expect(try waiting.wait().good().output == "mine\n")
        }
    }

    private static let group = "/sys/fs/cgroup/freezer/valise-test-\(getpid())"
    private static let mayFreeze = FileManager.default.isWritableFile(atPath: "/sys/fs/cgroup/freezer/tasks")

    /// Nothing of its state says so.
    @Test(.disabled(if: !mayFreeze, "no control groups can be frozen here")) func oneThatIsFrozenIsNotWaitedForForEver() throws {
        let container = try TemporaryContainer("text Notes one"), stored = container.stored("Notes.stedoc")
        try withDrive(container) { drive in
            mkdir(Self.group, 0o755)
            defer { rmdir(Self.group) }
            try shell("echo $2 >$1/cgroup.procs && echo FROZEN >$1/freezer.state", Self.group, "\(drive.process)").good()
            defer { _ = try? shell("echo THAWED >$1/freezer.state; echo $2 >${1%/*}/cgroup.procs", Self.group, "\(drive.process)") }
            let ended = try valise("coordinate", stored, "--", "true")
            #expect(ended.code == 125 && ended.errors.hasSuffix("does not answer: process \(drive.process) is frozen; let whoever froze it thaw it\n"), "\(ended.errors)")
        }
    }
}
