import Documents
import Foundation
import MountTesting
import Testing
import TextBundles

/// The trial sees every call that changes something: it counts what strace counts.
@Suite(.long) struct CountingTests {
    static let traced = """
        open,openat,openat2,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,rename,renameat,renameat2,\
        link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,mkdir,mkdirat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,\
        fchownat,utime,utimes,futimesat,utimensat,setxattr,lsetxattr,fsetxattr,removexattr,lremovexattr,fremovexattr,ioctl,\
        copy_file_range,sendfile,splice,sync,fsync,fdatasync,syncfs,flock,faccessat
        """

    static let strace = ["/usr/bin/strace", "/usr/local/bin/strace", "/bin/strace"].first(where: FileManager.default.isExecutableFile)
    static var isMissing: Bool { strace == nil && ProcessInfo.processInfo.environment["CI"] != "true" }

    /// A kind that is not among these is saved with no call that fails.
    @Test func eachKindIsTried() { #expect(Set(CrashKind.all.map(\.name)) == Set(TextBundles.kinds.all.map(\.name))) }

    @Test(.disabled(if: isMissing, "there is no strace here"), arguments: CrashCase.all.filter { $0.kind.spelling == "PTK" || $0.operation == .save })
    func everyCallIsSeen(of trial: CrashCase) throws {
        let strace = try #require(Self.strace, "strace is missing")
        let fixture = try Fixture(trial.kind, trial.operation, keepsVersions: trial.keepsVersions)
        _ = try Reopening(fixture.template)
        let container = try fixture.copy(), log = fixture.folder.appendingPathComponent("strace"), said = fixture.folder.appendingPathComponent("said")
        try Data().write(to: said)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: strace)
        process.arguments = ["-f", "-o", log.path, "-e", "trace=" + Self.traced]
            + TrialRun.arguments(trial.operation.rawValue, trial.kind, container, fixture.content, .none, 0, 0)
        process.standardOutput = try FileHandle(forWritingTo: said)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)

        let words = try String(contentsOf: said, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        try #require(words.count == 4 && words[0] == "done")
        let counted = words[3].split(separator: ",").map(String.init)
        let seen = Self.calls(try String(contentsOf: log, encoding: .utf8))
        #expect(counted == seen)
        #expect(!counted.isEmpty)
    }

    /// What a save does after the bytes are there does not depend on how many there are: every call is counted, reading too.
    @Test(.disabled(if: isMissing, "there is no strace here")) func aLargePhotoCostsWhatASmallOneDoes() throws {
        let strace = try #require(Self.strace, "strace is missing")
        let photo = try #require(CrashKind.all.first { $0.spelling == "PTK" })
        let costs = try [1 << 20, 1 << 30].map { size -> [String] in
            let fixture = try Fixture(photo)
            let container = try fixture.copy(), log = fixture.folder.appendingPathComponent("strace"), large = fixture.folder.appendingPathComponent("large")
            try Data().write(to: large)
            truncate(large.path, size)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: strace)
            process.arguments = ["-f", "-o", log.path] + TrialRun.arguments("save-large", photo, container, large, .none, 0, 0)
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let saved = try FileManager.default.attributesOfItem(atPath: container.path + "/Documents/New.ptk/photo.data")
            #expect(try #require(saved[.size] as? Int) > size)
            return Self.allCalls(try String(contentsOf: log, encoding: .utf8))
        }
        #expect(costs[0] == costs[1])
        #expect(costs[0].count > 10 && costs[0].contains("renameat2"))
        FileHandle.standardError.write(Data("saving a photo: \(costs[0].count) calls at 1 MB, \(costs[1].count) at 1 GB\n".utf8))
    }

    /// What a new document costs, from the draft to its place, without a drive. What is counted more than here has to be worth it.
    @Test(.disabled(if: isMissing, "there is no strace here"), arguments: [("bookmark", 24), ("text", 13), ("photo", 40)])
    func aNewDocumentTakesFewCalls(kind name: String, most: Int) throws {
        let strace = try #require(Self.strace, "strace is missing")
        let kind = try #require(CrashKind.all.first { $0.name == name && $0.spelling != "PhotoKeeper" })
        let fixture = try Fixture(kind)
        _ = try Reopening(fixture.template)
        let container = try fixture.copy(), log = fixture.folder.appendingPathComponent("strace")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: strace)
        process.arguments = ["-f", "-o", log.path] + TrialRun.arguments(Operation.create.rawValue, kind, container, fixture.content, .none, 0, 0)
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let calls = Self.allCalls(try String(contentsOf: log, encoding: .utf8))
        #expect(calls.count <= most, "\(calls.joined(separator: " "))")
    }

    /// Every call between the marks, but for those with which memory comes and goes, and the thread's number, which a lock asks for once in each module.
    private static func allCalls(_ log: String) -> [String] {
        let memory: Set<String> = ["mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "futex", "gettid"]
        var found: [String] = [], isArmed = false
        for line in log.split(separator: "\n") {
            if line.contains("\"/CallFaults/armed\"") { isArmed = true; continue }
            if line.contains("\"/CallFaults/disarmed\"") { isArmed = false }
            guard isArmed, let bracket = line.firstIndex(of: "("), let word = line[..<bracket].split(separator: " ").last, !memory.contains(String(word)) else { continue }
            found.append(String(word))
        }
        return found
    }

    /// The calls between the marks, by the names that the trial gives them.
    static func calls(_ log: String) -> [String] {
        var found: [String] = [], isArmed = false
        for line in log.split(separator: "\n") {
            if line.contains("\"/CallFaults/armed\"") { isArmed = true }
            else if line.contains("\"/CallFaults/disarmed\"") { isArmed = false }
            else if isArmed, let call = name(line) { found.append(call) }
        }
        return found
    }

    private static func name(_ line: Substring) -> String? {
        guard let bracket = line.firstIndex(of: "("), let word = line[..<bracket].split(separator: " ").last else { return nil }
        switch word {
        case "open", "openat", "creat": return line.contains("O_CREAT") || line.contains("O_TRUNC") || word == "creat" ? "create" : "open"
        case "pwrite64": return "pwrite"
        // chmod is made with either call, by this machine or by the trial.
        case "fchmodat" where line.contains("AT_FDCWD"): return "chmod"
        case "ioctl" where !line.contains("FICLONE"): return nil
        default: return String(word)
        }
    }
}
