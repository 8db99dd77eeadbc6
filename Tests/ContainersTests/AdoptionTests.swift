import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers
@testable import Transactions

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
    private func state(_ name: Name...) throws -> Adoption.Expectation {
        .state(try #require(try container.state(at: name)))
    }
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
        let outcome = try adopt(.current(handed), of: [notes], state(notes))
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
        let known = try state(notes)
        replacing { #expect(isRefused(.current(handed), of: [notes], known)) }
        #expect(try text("Notes.stedoc") == "meanwhile")
    }
    #endif

    #if DEBUG
    /// A program has the file open and writes to it after it was looked at: what it wrote is the other side of a
    /// conflict, and that is told.
    @Test func whatIsWrittenInTheLastInstantIsAConflict() throws {
        let file = OpenFile(try container.documents.descriptor.open(notes, .readWrite)), known = try state(notes)
        try hand("theirs")
        workshop.parts.testPoints.set(at: .stepDone) {
            #expect(throws: Never.self) { try file.descriptor.write(Array("last words".utf8), at: 0) }
        }
        let outcome = try adopt(.current(handed), of: [notes], known)
        #expect(
            try outcome.current == .mine && outcome.replacedState?.stamp?.size == 10
                && outcome.state == container.state(at: [notes]))
        #expect(try text("Notes.stedoc") == "theirs")
        let versions = try container.versions(of: document())
        #expect(versions.count == 1 && versions[0].isUnresolved && versions[0].id == outcome.kept)
        #expect(try kept(of: "Notes.stedoc") == ["last words"])
    }

    /// The same of what is deleted elsewhere: it stays, and whoever looks again finds an edit.
    @Test func whatIsWrittenInTheLastInstantIsNotDeleted() throws {
        let file = OpenFile(try container.documents.descriptor.open(notes, .readWrite)), known = try state(notes)
        workshop.parts.testPoints.set(at: .stepDone) {
            #expect(throws: Never.self) { try file.descriptor.write(Array("last words".utf8), at: 0) }
        }
        #expect(isRefused(.gone, of: [notes], known))
        #expect(try text("Notes.stedoc") == "last words" && workshop.deletedItems.isEmpty)
    }
    #endif

    private func kept(of item: String) throws -> [String] {
        let home = folder.path + "/c/.valise/versions/" + item + "/"
        return try FileManager.default.contentsOfDirectory(atPath: home).sorted().map {
            try String(contentsOfFile: home + $0, encoding: .utf8)
        }
    }

    /// A program may set the time of what it has written, and it has the same size: it is another one all the same.
    @Test func anEditThatLooksTheSameIsNotReplaced() throws {
        let known = try state(notes), file = try container.documents.descriptor.open(notes, .readWrite),
            modified = try file.status().modified
        repeat {
            try file.write(Array("ours".utf8), at: 0)
            try file.setTimes(accessed: nil, modified: .at(modified))
        } while try state(notes) == known
        try hand("theirs")
        #expect(isRefused(.current(handed), of: [notes], known) && isRefused(.gone, of: [notes], known))
        #expect(try text("Notes.stedoc") == "ours")
    }

    /// Of a plain file, and of a package of any app's, what it was is a version, and the other side of a conflict is
    /// kept beside it.
    @Test func plainFilesAndOtherPackagesHaveVersions() throws {
        let plain = Name("notes.md")!, package = Name("Book.scriv")!
        try Data("plain".utf8).write(to: URL(fileURLWithPath: folder.path + "/c/Documents/notes.md"))
        try hand("theirs")
        #expect(try adopt(.current(handed), of: [plain], state(plain)).kept != nil)
        #expect(try text("notes.md") == "theirs" && kept(of: "notes.md") == ["plain"])
        try hand("conflicting")
        let earlier = Provenance(Timestamp(seconds: 1_500_000_000), computer: "far away")
        #expect(try adopt(.version(handed, isConflict: true), of: [plain], .anything, from: earlier).current == .theirs)
        #expect(
            try container.versions(of: container.versioned(at: [plain]).place).filter(\.isUnresolved).map(\.computer)
                == ["far away"])

        let home = folder.path + "/c/"
        try FileManager.default.createDirectory(
            atPath: home + "Documents/Book.scriv/Files", withIntermediateDirectories: true)
        try Data("one".utf8).write(to: URL(fileURLWithPath: home + "Documents/Book.scriv/Files/1.rtf"))
        _ = try container.handedFolder()
        try FileManager.default.createDirectory(
            atPath: home + ".valise/handed/handed/Files", withIntermediateDirectories: true)
        try Data("two".utf8).write(to: URL(fileURLWithPath: home + ".valise/handed/handed/Files/1.rtf"))
        let outcome = try adopt(.current(handed), of: [package], state(package))
        #expect(outcome.kept != nil && !outcome.isConflict && outcome.replacedState == nil)
        #expect(try text("Book.scriv/Files/1.rtf") == "two")
        #expect(try container.versions(of: container.versioned(at: [package]).place).count == 1)
        let gone = try adopt(.gone, of: [package], state(package))
        #expect(
            gone.deleted?.stored == package && !FileManager.default.fileExists(atPath: home + "Documents/Book.scriv"))
        try workshop.commit(.decideOfMany(.undelete([#require(gone.deleted).number]), at: []))
        #expect(try text("Book.scriv/Files/1.rtf") == "two")
        #expect(try container.versions(of: container.versioned(at: [package]).place).count == 1)
    }

    /// What a shell has emptied is worth nothing, unless it writes on just then.
    @Test func anEmptyFileIsNoVersion() throws {
        try container.documents.descriptor.open(notes, .write).truncate(to: 0)
        try hand("theirs")
        #expect(try adopt(.current(handed), of: [notes], state(notes)).kept == nil)
        #expect(try container.versions(of: document()).isEmpty && text("Notes.stedoc") == "theirs")
    }

    /// A computer may be called what no file can be called. Its versions are told by what they are called here.
    @Test func aLongNameIsOneName() throws {
        let far = Provenance(there.moment, computer: "lab/" + String(repeating: "é", count: 126))
        for isKnown in [false, true, true] {
            try hand("conflicting")
            #expect(
                try adopt(.version(handed, isConflict: true), of: [notes], .anything, from: far).isUnchanged == isKnown)
        }
        try hand("theirs")
        try adopt(.current(handed), of: [notes], state(notes), from: far)
        let now = try container.currentVersion(of: document())
        #expect(now.computer == far.computer && now.computer.hasPrefix("lab-é") && now.computer.utf8.count <= 64)
        #expect(
            Provenance(there.moment, computer: "").computer == "-"
                && Provenance(there.moment, computer: "..").computer == "-")
    }

    /// Another one's programs do not run as this one's user.
    @Test func setIDBitsStayThere() throws {
        try hand("theirs", mode: 0o6755)
        try adopt(.current(handed), of: [notes], state(notes))
        #expect(try container.documents.descriptor.status(of: notes).permissions == 0o755)
        try adopt(.permissions(0o6711), of: [Name("plain.txt.bak")!], .anything)
        #expect(try container.documents.descriptor.status(of: Name("plain.txt.bak")!).permissions == 0o711)
    }

    // MARK: Places

    /// Nothing is made of what changes places: a text under a photo's name stays the text that it is.
    @Test func itemsChangePlacesAsTheyAre() throws {
        let other = Name("Other.md")!, sub = Name("Sub")!
        try Data("other".utf8).write(to: URL(fileURLWithPath: folder.path + "/c/Documents/Sub/Other.md"))
        try hand("theirs")
        try adopt(.current(handed), of: [notes], state(notes))
        let before = try (state(notes), state(sub, other))
        let outcome = try adopt(.exchanged(with: [sub, other], expecting: before.1), of: [notes], before.0)
        #expect(
            try text("Sub/Other.md") == "theirs" && text("Notes.stedoc") == "other"
                && kept(of: "Sub/Other.md") == ["mine"])
        #expect(
            try outcome.state == container.state(at: [sub, other]) && outcome.otherState == container.state(at: [notes])
        )
        #expect(
            isRefused(.exchanged(with: [sub, other], expecting: before.1), of: [notes], .anything),
            "each is the other one by now")
        #expect(throws: SaveFault.self) {
            try adopt(.exchanged(with: [sub], expecting: .folder), of: [sub, other], .anything)
        }
        // A folder and a file.
        try adopt(.exchanged(with: [notes], expecting: .anything), of: [sub], .folder)
        #expect(
            try text("Notes.stedoc/Other.md") == "theirs" && text("Sub") == "other"
                && kept(of: "Notes.stedoc/Other.md") == ["mine"])
    }

    private func draft(of stored: Name?, shown: String, in folders: [Name]) throws -> Draft {
        let home = try folders.isEmpty ? container.documents : container.documents.folder(at: folders)
        let kind = try #require(container.kinds.named("text")),
            address = Address(folder: home, path: folders, shown: Name(shown)!)
        let draft = try workshop.newDraft(kind, at: address, mode: 0o640, base: stored.map(Base.stored))
        try draft.file.descriptor.write([0xFF, 0xFE, 0x00, 0xFF], at: 0)
        draft.touch()
        return draft
    }

    private var drafts: [String] {
        workshop.parts.journal.drafts.map { record in
            (record.path + [record.stored ?? record.shown]).map { "\($0)" }.joined(separator: "/") + " \(record.shown)"
        }.sorted()
    }

    /// What is not saved of a document goes where the document goes, also with the folder that it is in, and is found
    /// there by whoever opens the container next.
    @Test func draftsMoveAlong() throws {
        let sub = Name("Sub")!, moved = Name("Moved")!, other = Name("Other")!
        let inSub = try draft(of: nil, shown: "New.txt", in: [sub]),
            own = try draft(of: notes, shown: "Notes.txt", in: [])
        try FileManager.default.createDirectory(
            atPath: folder.path + "/c/Documents/Other", withIntermediateDirectories: false)
        try adopt(.moved(to: [moved]), of: [sub], .folder)
        #expect(drafts == ["Moved/New.txt New.txt", "Notes.stedoc Notes.txt"])
        try adopt(.exchanged(with: [other], expecting: .folder), of: [moved], .folder)
        try adopt(.moved(to: [moved, Name("Letter.stedoc")!]), of: [notes], state(notes))
        #expect(drafts == ["Moved/Letter.stedoc Letter.txt", "Other/New.txt New.txt"])
        try workshop.commit(
            .move(
                other, from: Address(folder: container.documents, path: [], shown: other),
                to: Address(folder: container.documents, path: [], shown: sub), as: sub))
        #expect(drafts == ["Moved/Letter.stedoc Letter.txt", "Sub/New.txt New.txt"])
        // As the next process reads it.
        let read = JournalReading(try workshop.parts.journal.folder.descriptor.open(Journal.fileName, .read)).unfinished
            .drafts
        #expect(
            read[inSub.number]?.path == [sub] && read[own.number]?.path == [moved]
                && read[own.number]?.stored == Name("Letter.stedoc"))
    }

    /// Words that cannot be saved end with nothing that another computer says.
    @Test func whatIsNotSavedMakesADeletionWait() throws {
        let sub = Name("Sub")!, plain = Name("plain.txt.bak")!
        let own = try draft(of: notes, shown: "Notes.txt", in: []),
            new = try draft(of: nil, shown: "New.txt", in: [sub])
        func isBusy(_ what: Adoption.What, of item: Name) -> Bool {
            do { try adopt(what, of: [item], .anything) } catch SaveFault.failed(let errno) {
                return errno == .busy
            } catch {}
            return false
        }
        #expect(
            isBusy(.gone, of: notes) && isBusy(.gone, of: sub)
                && isBusy(.exchanged(with: [plain], expecting: .anything), of: notes))
        #expect(isBusy(.exchanged(with: [notes], expecting: .anything), of: plain))
        // What another computer has replaces what was saved, and the draft clashes with it when it is saved.
        try hand("theirs")
        try adopt(.current(handed), of: [notes], state(notes))
        for draft in [own, new] { workshop.discard(draft) }
        try adopt(.gone, of: [notes], .anything)
        try adopt(.gone, of: [sub], .folder)
        #expect(drafts.isEmpty)
    }

    /// Two of one moment on two computers are told by their marks, which go along.
    @Test func aMarkGoesAlong() throws {
        let marked = Provenance(there.moment, mark: "2", computer: "a b%c")
        try hand("theirs")
        try adopt(.current(handed), of: [notes], state(notes), from: marked)
        let now = try container.currentVersion(of: document())
        #expect(now.id == marked.id && now.computer == "a b%c")
        // Whoever touches it has not saved it.
        let file = try container.documents.descriptor.open(notes, .readWrite)
        try Provenance.keeping(of: file) { () throws(Errno) in try file.setTimes(accessed: nil, modified: .at(Timestamp(seconds: 1_700_000_000))) }
        #expect(try container.currentVersion(of: document()).id == marked.id)
    }

    @Test func aConflictWaitsBesideAndAnEarlierOneIsOne() throws {
        try hand("conflicting")
        let outcome = try adopt(.version(handed, isConflict: true), of: [notes], state(notes))
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
        let outcome = try adopt(.gone, of: [notes], state(notes))
        #expect(outcome.deleted?.stored == notes && workshop.deletedItems.count == 1)
        let plain = Name("plain.txt.bak")!
        try adopt(.gone, of: [plain], state(plain))
        #expect(workshop.deletedItems.count == 2)
        #expect(try adopt(.gone, of: [plain], .anything).isUnchanged)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/c/Documents") == ["Sub"])
    }

    @Test func whatMovesTakesItsVersionsAlong() throws {
        try hand("theirs")
        try adopt(.current(handed), of: [notes], state(notes))
        let target = [Name("Sub")!, Name("Other.stedoc")!]
        #expect(try adopt(.moved(to: target), of: [notes], state(notes)).stored == target[1])
        #expect(try container.versions(of: container.document(at: target).place).count == 1)
        #expect(isRefused(.moved(to: target), of: [notes], .anything), "there is nothing any more")
        try adopt(.moved(to: [notes]), of: target, .anything)
        try hand("another")
        try adopt(.current(handed), of: target, .nothing)
        #expect(try isRefused(.moved(to: target), of: [notes], state(notes)), "something is there")
    }

    @Test func linksFoldersAndPermissions() throws {
        let link = Name("link")!, empty = Name("Empty")!
        try container.handedFolder().descriptor.makeSymbolicLink(handed, to: Array("../elsewhere".utf8))
        try adopt(.current(handed), of: [link], .nothing)
        #expect(try container.documents.descriptor.readSymbolicLink(link) == Array("../elsewhere".utf8))
        try container.handedFolder().descriptor.makeSymbolicLink(handed, to: Array("Sub".utf8))
        try adopt(.current(handed), of: [link], state(link))
        #expect(try container.documents.descriptor.readSymbolicLink(link) == Array("Sub".utf8))
        try adopt(.gone, of: [link], state(link))

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
        try adopt(.permissions(0o600), of: [notes], state(notes))
        #expect(try container.documents.descriptor.status(of: notes).permissions == 0o600)
    }

    /// Somebody here was faster: nothing is changed, whatever was to be done.
    @Test func whoeverWasFasterHere() throws {
        let known = try state(notes), target = [Name("Sub")!, notes]
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
