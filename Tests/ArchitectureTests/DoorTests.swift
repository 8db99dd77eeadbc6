import MountTesting
import Testing

/// Documents are changed through one door. What is changed beside it is in a table of docs/ARCHITECTURE.md, and nothing else.
@Suite struct DoorTests {
    /// A system call that makes, renames or removes a name, or makes a file. Parts of the drive, its tree and its tables have functions of
    /// these names, too.
    private static func calls() throws -> Pattern {
        let own = #"\w(?<!\bmaking|\bremoving|\brenaming|\bpart|\btree|\btable|\bdrive)[?!]?\."#
        let names = #"(?:makeFolder|makeNode|makeSymbolicLink|linkOpenFile|link|unlink|removeFolder|removeTree)\("#
        let renames = #"\w[?!]?\.rename\([^\n]*\bto: [^\n]*\bas: |\bstore\.exchange\("#
        let files = #"\b(?:open|openUntraced|reopened|atPath)\([^\n]*\[[^\]\n]*\.(?:create|nameless)\b"#
        return try Pattern("\(own)\(names)|\(renames)|\(files)")
    }

    @Test func whatIsChangedBesideItIsInTheTable() throws {
        let calls = try Self.calls()
        let files = Repository.swiftFiles(in: "Sources/Drive") + Repository.swiftFiles(in: "Sources/KeyValueStore")
        let found = try files.filter { try calls.isIn(Repository.code($0)) }
        let named = try Page.architecture().table("by itself").flatMap { row in Page.quoted(row[1]).flatMap(Repository.file(called:)) }
        #expect(Set(found) == Set(named), "see “The workshop” in docs/ARCHITECTURE.md")
        #expect(Set(named).count == named.count)
    }

    /// What the pattern is to find, and what it is to leave.
    @Test func callsAreFound() throws {
        let calls = try Self.calls()
        for call in [
            "try place.descriptor.unlink(name)", "try? inner.removeFolder(name)", "file?.makeFolder(name)",
            "folder.descriptor.open(new, [.write, .create, .exclusive], mode: 0o600)", "place.descriptor.reopened([.read, .nameless], mode: 0o600)",
            "folder.rename(old, to: other.descriptor, as: name)", "place.descriptor.link(one, to: folder, as: name)",
            "workshop.required().store.exchange(one, in: a, with: two, in: b)",
        ] { #expect(calls.isIn(call), "\(call)") }
        for call in [
            "parts.making.makeFolder(name, in: folder)", "own.part.unlink(name, in: node)",
            "workshop.commit(.rename(stored, kind, from: old, to: new))", "tree.rename((old, folder), to: name, in: other, storedAs: stored)",
            "flags.insert(.nameless)", "case .file: [.document, .nameless, .vacant]",
        ] { #expect(!calls.isIn(call), "\(call)") }
    }

    /// Beside `commit`, the workshop is opened, makes drafts, prepares, waits for the store and answers questions.
    @Test func theWorkshopHasOneDoor() throws {
        let beside: Set = [
            "open", "recover", "takeWarnings", "takePlainFiles",
            "newDraft", "newDraftAsShown", "draft", "scratch", "record", "followAttributes", "noteWholeness", "synchronizePlace", "discard",
            "stageThumbnail", "synchronize",
            "lacksThumbnail", "isThere", "haveFollowers", "deletedItem", "deletedItems", "formerDocument", "deletedFolder", "freeStoredName",
            "canMakeRoom", "deletedParts",
        ]
        let code = try Repository.code("Sources/Containers/Workshop.swift")
        let functions = try Pattern(#"^ +public (?:static )?func (\w+)"#).all(in: code).map { $0[1] }
        #expect(Set(functions) == beside.union(["commit"]))
    }
}
