import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Transactions

/// What an earlier process began is finished on what it was about, whoever has the names meanwhile.
@Suite struct ResumedStepsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("valise-steps-\(UUID().uuidString)")
    private var container: String { folder.appendingPathComponent("container").path }

    private static func item(_ path: String) throws -> Place {
        let names = try path.split(separator: "/").map { try #require(Name(String($0))) }
        return .item(try #require(names.last), in: names.dropLast())
    }

    private func shell(_ line: String) throws -> String {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", line]
        process.currentDirectoryURL = URL(fileURLWithPath: container + "/Documents")
        process.standardOutput = pipe
        try process.run()
        let said = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(line)")
        return String(decoding: said, as: UTF8.self)
    }

    /// A process that ended when the journal knew of its steps, and what happened then; what is there after the next one came.
    private func resume(_ steps: [Journal.Step], _ meanwhile: String, in path: String? = nil) throws -> (left: String, notices: [String]) {
        try FileManager.default.createDirectory(atPath: container + "/Documents/Sub", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try shell("for name in a c Sub/d; do echo $name >$name; done; mkdir Pack && echo part >Pack/part")
        do {
            let workshop = try Workshop.open(in: Container.open(container, access: .readWrite, kinds: .shipped), purpose: "a trial")
            _ = try workshop.recover()
            try workshop.parts.staging.folder.descriptor.open(Name(constant: "9.part"), [.readWrite, .create], mode: 0o600).write(Array("new\n".utf8), at: 0)
            try workshop.parts.journal.append(.intent(9, workshop.parts.plans.intent(of: Plan(steps: steps))))
        }
        _ = try shell(meanwhile)
        let opened = try Container.open(path ?? container, access: .readWrite, kinds: .shipped)
        let workshop = try whenUnlocked({ $0.errno == .tryAgain }) { () throws(Failure) in try Workshop.open(in: opened, purpose: "a trial") }
        _ = try workshop.recover()
        let files = "find . ../.valise/versions -type f 2>/dev/null | sed 's|^\\./||' | LC_ALL=C sort"
        let look = "\(files) | while read path; do echo \"$path $(cat $path)\"; done"
        let left = try shell("cd \(path ?? container)/Documents && \(look)")
        #expect(JournalReading(try workshop.parts.journal.folder.descriptor.open(Journal.fileName, .read)).live.isEmpty)
        return (left, workshop.takeWarnings())
    }

    private static func replaced(_ path: String) -> String {
        "mv \(path) ../away && echo stranger >\(path)"
    }

    private static func plain() throws -> [Journal.Step] { [.move(try item("a"), try item("Sub/b")), .remove(try item("c"))] }
    private static func replacing() throws -> [Journal.Step] { [.move(try item("a"), try item("Sub/d")), .remove(try item("c"))] }
    private static func intoPackage() throws -> [Journal.Step] {
        [.add(try item("Pack"), try item("Sub/Pack")), .move(.staged(Name(constant: "9.part")), try item("Sub/Pack/part")), .remove(try item("c"))]
    }

    @Test func whatIsAsItWasIsFinished() throws {
        #expect(try resume(Self.plain(), ":") == ("Pack/part part\nSub/b a\nSub/d Sub/d\n", []))
        #expect(try resume(Self.replacing(), ":") == ("Pack/part part\nSub/d a\n", []))
        #expect(try resume(Self.intoPackage(), ":") == ("Sub/Pack/part new\nSub/d Sub/d\na a\n", []))
    }

    /// What comes to another folder has its content replaced there.
    @Test func whatIsReplacedOnTheWayIsFinished() throws {
        let way = Place.staged(Name(constant: "9.one"))
        let steps: [Journal.Step] = [
            .move(try Self.item("a"), way), .add(way, try Self.item("Sub/a")), .move(.staged(Name(constant: "9.part")), try Self.item("Sub/a")),
        ]
        for done in [":", "mv a ../.valise/staging/9.one", "mv a Sub/a"] {
            #expect(try resume(steps, done) == ("Pack/part part\nSub/a new\nSub/d Sub/d\nc c\n", []), "\(done)")
        }
    }

    @Test func whatWasDoneIsPassed() throws {
        #expect(try resume(Self.plain(), "mv a Sub/b") == ("Pack/part part\nSub/b a\nSub/d Sub/d\n", []))
        #expect(try resume(Self.intoPackage(), "mv Pack Sub") == ("Sub/Pack/part new\nSub/d Sub/d\na a\n", []))
        // Somebody has made another one where it was.
        #expect(try resume(Self.plain(), "mv a Sub/b; echo stranger >a") == ("Pack/part part\nSub/b a\nSub/d Sub/d\na stranger\n", []))
    }

    /// The old one becomes a version behind the new one's coming. Wherever that was interrupted, by nodes and by names:
    /// the new one does not go the same way.
    @Test(arguments: 0...3, [false, true]) func whatHasBecomeAVersionIsPassed(steps done: Int, inACopy: Bool) throws {
        let old = Place.staged(Name(constant: "9.version")), new = Place.staged(Name(constant: "9.part"))
        let name = Name(constant: "2020-01-01T00-00-00.000000Z@elsewhere"), item = try Self.item("a")
        let begun = [
            "mv a ../.valise/staging/9.version", "mv ../.valise/staging/9.part a",
            "mv ../.valise/staging/9.version ../.valise/versions/a/\(name)",
        ]
        let copy = folder.appendingPathComponent("copy").path
        let meanwhile = ["mkdir -p ../.valise/versions/a"] + begun.prefix(done)
            + (inACopy ? ["cp -a \(container) \(copy)"] : [])
        let steps: [Journal.Step] = [
            .move(item, old), .add(new, item), .add(old, Place(top: .versions, path: [item.name], name: name)),
        ]
        let found = try resume(steps, meanwhile.joined(separator: " && "), in: inACopy ? copy : nil)
        #expect(found == ("../.valise/versions/a/\(name) a\nPack/part part\nSub/d Sub/d\na new\nc c\n", []))
    }

    @Test(arguments: [
        (replaced("a"), "Pack/part part\nSub/d Sub/d\na stranger\nc c\n", "“a”"),
        ("echo stranger >Sub/b", "Pack/part part\nSub/b stranger\nSub/d Sub/d\na a\nc c\n", "“b”"),
        ("mv Sub Other; mkdir Sub", "Other/d Sub/d\nPack/part part\na a\nc c\n", "“b”"),
        (replaced("c"), "Pack/part part\nSub/b a\nSub/d Sub/d\nc stranger\n", "“c”"),
    ])
    func noStepIsCarriedOutOnAStranger(meanwhile: String, left: String, named: String) throws {
        let found = try resume(Self.plain(), meanwhile)
        #expect(found.left == left)
        #expect(found.notices.count == 1 && found.notices[0].contains("\(named) is not what a change was about"), "\(found.notices)")
    }

    @Test func nothingElseIsReplaced() throws {
        let file = try resume(Self.replacing(), Self.replaced("Sub/d"))
        #expect(file.left == "Pack/part part\nSub/d stranger\na a\nc c\n" && file.notices.count == 1, "\(file)")
        let package = try resume(Self.intoPackage(), "mv Pack ../away; mkdir Sub/Pack; echo stranger >Sub/Pack/part")
        #expect(package.left == "Sub/Pack/part stranger\nSub/d Sub/d\na a\nc c\n" && package.notices.count == 1, "\(package)")
        // What was to come there is put aside, not thrown away.
        #expect(package.notices[0].contains("/damaged/"), "\(package.notices)")
    }

    /// All that is in there are other nodes: names are all there is to go by.
    @Test func aCopyOfTheContainerIsFinishedByNames() throws {
        let copy = folder.appendingPathComponent("copy").path
        #expect(try resume(Self.plain(), "cp -a \(container) \(copy)", in: copy) == ("Pack/part part\nSub/b a\nSub/d Sub/d\n", []))
    }

    /// As released drives have written them, and drives on stores without numbers that last.
    @Test func anIntentWithoutNodesIsFinishedByNames() throws {
        let records = container + "/.valise/journal/records"
        let old = "printf 'intent 9 move;d/a;d/Sub/b remove;d/c\\n' >\(records); rm a; echo another >a"
        #expect(try resume(Self.plain(), old) == ("Pack/part part\nSub/b another\nSub/d Sub/d\n", []))
    }

    @Test func storesWithoutLastingNumbersAreNotAskedForThem() throws {
        var store = Store()
        #expect(store.anchor(try Descriptor.atPath("/proc", [.path, .folder])) == nil)
        store.hasSecondNames = false
        #expect(store.anchor(try Descriptor.atPath(FileManager.default.temporaryDirectory.path, [.path, .folder])) == nil)
    }

    @Test func placesAreFollowedThroughAPlan() throws {
        let one = try Self.item("A"), other = try Self.item("B"), way = Place.staged(Name(constant: "9.one"))
        let part = Name(constant: "photo.data")
        let plan = Plan(steps: [.move(one, way), .move(other, one), .add(way, other)])
        #expect(plan.origin(of: other.part(part), after: 3) == one.part(part))
        #expect(plan.origin(of: one.part(part), after: 3) == other.part(part))
        #expect(plan.origin(of: way, after: 3) == nil)
        #expect(plan.origin(of: one, after: 1) == nil)
        #expect(plan.origin(of: way.part(part), after: 1) == one.part(part))
        #expect(plan.destination(of: way.part(part), after: 1) == other.part(part))
        #expect(plan.destination(of: one, after: 1) == nil)
        #expect(plan.destination(of: one, after: 2) == one)
    }
}
