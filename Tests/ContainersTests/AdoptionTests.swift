import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers

/// What another computer says of an item becomes so here, or is refused because something else is here than that computer knew.
@Suite struct AdoptionTests {
    private let folder = try! TemporaryFolder()
    private let container: Container, workshop: Workshop
    private let notes = Name("Notes.stedoc")!, handed = Name("handed")!
    /// Long ago, on another computer.
    private let there = Provenance(Timestamp(seconds: 1_600_000_000), computer: "far away")

    init() throws {
        let home = folder.path + "/c"
        try FileManager.default.createDirectory(atPath: home + "/Documents/Sub", withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: home + "/Documents/Notes.stedoc"))
        try Data("plain".utf8).write(to: URL(fileURLWithPath: home + "/Documents/plain.txt.bak"))
        container = try Container.open(home, access: .readWrite, kinds: .shipped)
        workshop = try Workshop.open(in: container, purpose: "on trial", versions: .standard, deleted: .standard)
        _ = try workshop.recover()
    }

    private func hand(_ text: String, mode: UInt32 = 0o640) throws {
        let file = try container.handedFolder().descriptor.open(handed, [.write, .create, .truncate], mode: mode)
        try file.write(Array(text.utf8), at: 0)
        try file.setPermissions(mode)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: folder.path + "/c/Documents/" + path, encoding: .utf8) }
    private func stamp(_ name: Name) throws -> Adoption.Expectation { .content(try #require(try container.contentStamp(at: [name]))) }
    private func document() throws -> DocumentPlace { try container.document(at: [notes]).place }

    @discardableResult
    private func adopt(_ what: Adoption.What, of item: [Name], _ expected: Adoption.Expectation, from provenance: Provenance? = nil) throws -> Outcome {
        try workshop.commit(.adopt(Adoption(what, of: item, expecting: expected, from: provenance ?? there)))
    }

    private func isRefused(_ what: Adoption.What, of item: [Name], _ expected: Adoption.Expectation) -> Bool {
        do { try adopt(what, of: item, expected) } catch SaveFault.failed(let errno) { return errno == .tryAgain } catch {}
        return false
    }

    /// It replaces what is there, which stays a version of this computer's. When it is replaced in its turn, it is one of the other's.
    @Test func contentIsTakenOverWithWhereItComesFrom() throws {
        try hand("theirs")
        let outcome = try adopt(.current(handed), of: [notes], stamp(notes))
        #expect(outcome.stored == notes && outcome.kept != nil && !outcome.isConflict)
        #expect(try text("Notes.stedoc") == "theirs")
        let now = try container.currentVersion(of: document())
        #expect(now.computer == "far away" && now.modified == there.moment)
        #expect(try container.versions(of: document()).map(\.computer) == [HostName.current])
        #expect(try container.reader.read(notes, in: container.documents.descriptor).status.permissions == 0o640)

        try hand("mine again")
        let again = try workshop.commit(.put(StagedItem(name: handed, base: container.contentStamp(at: [notes])), at: [notes]))
        #expect(again.kept == there.id && !again.isConflict)
        #expect(try container.currentVersion(of: document()).computer == HostName.current)
        #expect(try container.versions(of: document()).map(\.computer).sorted() == ["far away", HostName.current].sorted())
    }

    #if DEBUG
    /// Somebody else replaces the item by a rename while what an app has written is put in its place: both are there then. What another computer sends
    /// is refused, because that one knew another.
    @Test func whatIsReplacedMeanwhileStays() throws {
        let item = URL(fileURLWithPath: folder.path + "/c/Documents/Notes.stedoc")
        func replacing(_ body: () throws -> Void) rethrows {
            workshop.parts.testPoints.set(at: .stepDone) { #expect(throws: Never.self) { try Data("meanwhile".utf8).write(to: item, options: .atomic) } }
            try body()
        }
        try hand("app")
        try replacing { try workshop.commit(.put(StagedItem(name: handed, base: container.contentStamp(at: [notes])), at: [notes])) }
        #expect(try text("Notes.stedoc") == "app")
        let versions = try container.versions(of: document())
        #expect(versions.count == 1 && versions[0].isConflict)
        let kept = folder.path + "/c/.valise/versions/Notes.stedoc/", names = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(try names.map { try String(contentsOfFile: kept + $0, encoding: .utf8) } == ["meanwhile"])

        try hand("theirs")
        let known = try stamp(notes)
        replacing { #expect(isRefused(.current(handed), of: [notes], known)) }
        #expect(try text("Notes.stedoc") == "meanwhile")
    }
    #endif

    /// Two of one moment on two computers are told by their marks, which go along.
    @Test func aMarkGoesAlong() throws {
        let marked = Provenance(there.moment, mark: "2", computer: "a b%c")
        try hand("theirs")
        try adopt(.current(handed), of: [notes], stamp(notes), from: marked)
        let now = try container.currentVersion(of: document())
        #expect(now.id == marked.id && now.computer == "a b%c")
        // Whoever touches it has not saved it.
        let file = try container.documents.descriptor.open(notes, .readWrite)
        try Provenance.keeping(of: file) { () throws(Errno) in try file.setTimes(accessed: nil, modified: .at(Timestamp(seconds: 1_700_000_000))) }
        #expect(try container.currentVersion(of: document()).id == marked.id)
    }

    @Test func aConflictWaitsBesideAndAnEarlierOneIsOne() throws {
        try hand("conflicting")
        let outcome = try adopt(.version(handed, isConflict: true), of: [notes], stamp(notes))
        #expect(outcome.current == .theirs)
        let earlier = Provenance(Timestamp(seconds: 1_500_000_000), computer: "elsewhere")
        try hand("earlier")
        try adopt(.version(handed, isConflict: false), of: [notes], .anything, from: earlier)
        let versions = try container.versions(of: document())
        #expect(versions.map(\.computer) == ["far away", "elsewhere"] && versions.map(\.isUnresolved) == [true, false])
        #expect(try text("Notes.stedoc") == "mine")
        // It may be told again.
        try hand("earlier")
        #expect(try adopt(.version(handed, isConflict: false), of: [notes], .anything, from: earlier).isUnchanged)
        #expect(try container.versions(of: document()).count == 2)
        // What is none is none here, too.
        let photo = Name("Cat.ptk")!
        try hand("no photo")
        #expect(isRefused(.version(handed, isConflict: true), of: [photo], .anything))
    }

    @Test func whatIsGoneIsAmongTheDeleted() throws {
        let outcome = try adopt(.gone, of: [notes], stamp(notes))
        #expect(outcome.deleted?.stored == notes && workshop.deletedItems.count == 1)
        let plain = Name("plain.txt.bak")!
        try adopt(.gone, of: [plain], stamp(plain))
        #expect(workshop.deletedItems.count == 2)
        #expect(try adopt(.gone, of: [plain], .anything).isUnchanged)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/c/Documents") == ["Sub"])
    }

    @Test func whatMovesTakesItsVersionsAlong() throws {
        try hand("theirs")
        try adopt(.current(handed), of: [notes], stamp(notes))
        let target = [Name("Sub")!, Name("Other.stedoc")!]
        #expect(try adopt(.moved(to: target), of: [notes], stamp(notes)).stored == target[1])
        #expect(try container.versions(of: container.document(at: target).place).count == 1)
        #expect(isRefused(.moved(to: target), of: [notes], .anything), "there is nothing any more")
        try adopt(.moved(to: [notes]), of: target, .anything)
        try hand("another")
        try adopt(.current(handed), of: target, .nothing)
        #expect(try isRefused(.moved(to: target), of: [notes], stamp(notes)), "something is there")
    }

    @Test func linksFoldersAndPermissions() throws {
        let link = Name("link")!, empty = Name("Empty")!
        try container.handedFolder().descriptor.makeSymbolicLink(handed, to: Array("../elsewhere".utf8))
        try adopt(.current(handed), of: [link], .nothing)
        #expect(try container.documents.descriptor.readSymbolicLink(link) == Array("../elsewhere".utf8))
        try container.handedFolder().descriptor.makeSymbolicLink(handed, to: Array("Sub".utf8))
        try adopt(.current(handed), of: [link], stamp(link))
        #expect(try container.documents.descriptor.readSymbolicLink(link) == Array("Sub".utf8))
        try adopt(.gone, of: [link], stamp(link))

        try container.handedFolder().descriptor.makeFolder(handed)
        try adopt(.current(handed), of: [empty], .nothing)
        try adopt(.permissions(0o750), of: [empty], .folder)
        #expect(try container.documents.descriptor.status(of: empty).permissions == 0o750)
        #expect(try adopt(.permissions(0o750), of: [empty], .folder).isUnchanged)
        let inside = empty
        try hand("something")
        try adopt(.current(handed), of: [empty, notes], .nothing)
        #expect(isRefused(.gone, of: [inside], .folder), "something is in it that the other computer did not know of")
        try adopt(.gone, of: [empty, notes], .anything)
        try adopt(.gone, of: [empty], .folder)
        try adopt(.permissions(0o600), of: [notes], stamp(notes))
        #expect(try container.documents.descriptor.status(of: notes).permissions == 0o600)
    }

    /// Somebody here was faster: nothing is changed, whatever was to be done.
    @Test func whoeverWasFasterHere() throws {
        let known = try stamp(notes), target = [Name("Sub")!, notes]
        try Data("changed here".utf8).write(to: URL(fileURLWithPath: folder.path + "/c/Documents/Notes.stedoc"))
        for what in [.current(handed), .version(handed, isConflict: true), .permissions(0o600), .gone, .moved(to: target)] as [Adoption.What] {
            try hand("theirs")
            for expected in [known, .nothing, .folder] { #expect(isRefused(what, of: [notes], expected), "\(what)") }
            #expect(isRefused(what, of: [Name("Gone")!, notes], known), "\(what)")
        }
        #expect(try text("Notes.stedoc") == "changed here")
        #expect(try container.versions(of: document()).isEmpty && workshop.deletedItems.isEmpty)
        // Nothing of a container's own is anybody's.
        #expect(throws: SaveFault.self) { try adopt(.gone, of: [Hidden.state], .anything) }
        #expect(throws: SaveFault.self) { try adopt(.moved(to: [Hidden.state, notes]), of: [notes], .anything) }
    }
}
