import Foundation
import MountTesting
import Testing

/// What shows something else of the container lets nobody read what they may not read there. Ann owns what is in it, Bob is
/// another user of a drive of root's, and Cat is in Ann's group.
@Suite(.mounting, .enabled(if: geteuid() == 0, "only root may be several users")) struct MirroredRightsTests {
    private enum Person: String {
        case ann = "--reuid 5001 --regid 5001 --clear-groups", bob = "--reuid 5002 --regid 5002 --clear-groups"
        case cat = "--reuid 5004 --regid 5005 --groups 5001"
    }

    /// What somebody is answered on the drive, and "refused" where that is the answer.
    private func asked(_ person: Person?, _ line: String, _ drive: MountedDrive) throws -> String {
        let ended = try shell(person.map { "setpriv \($0.rawValue) bash -c \"$1\"" } ?? "bash -c \"$1\"", line, in: drive.mountpoint)
        return ended.errors.contains("Permission denied") ? "refused" : ended.code == 0 ? ended.output : "failed: \(ended.errors)"
    }

    private func withSharedDrive(_ description: String, options: String = "allow_other", _ body: (MountedDrive) throws -> Void) throws {
        let container = try TemporaryContainer(description)
        try shell("chown -R 5001:5001 \"$1\"", container.path).good()
        // Other users have to get there.
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        try withDrive(container, options: options) { try body($0) }
    }

    private let picture = ".sh_thumbnails/normal/$(printf ./Cat.png | md5sum | cut -c-32).png"

    @Test func thumbnailsAreForThoseWhoMaySeeThePhoto() throws {
        try withSharedDrive("photo Cat png\nfolder Album") { drive throws in
            let show = "head -c 4 \(picture) | tail -c 3"
            func seen() throws -> [String] { try [.ann, .cat, .bob, nil].map { try asked($0, show, drive) } }
            #expect(try seen() == ["PNG", "PNG", "PNG", "PNG"])
            chmod(drive.path("Cat.png"), 0o640)
            #expect(try seen() == ["PNG", "PNG", "refused", "PNG"])
            chmod(drive.path("Cat.png"), 0o600)
            #expect(try seen() == ["PNG", "refused", "refused", "PNG"])
            #expect(try asked(nil, "stat -c '%A %u %g' \(picture) .sh_thumbnails .sh_thumbnails/normal", drive)
                == "-r-------- 5001 5001\ndr-xr-xr-x 5001 5001\ndr-xr-xr-x 5001 5001\n")
            // One who was let in is asked again.
            chmod(drive.path("Cat.png"), 0o644)
            #expect(try asked(.bob, "\(show) && sleep 0.1 && stat -c %a \(picture)", drive) == "PNG444\n")
            // Nor may they look where the photo's folder is closed.
            try shell("mv Cat.png Album && chown 5001:5001 Album && chmod 700 Album", in: drive.mountpoint).good()
            #expect(try asked(.bob, "cat Album/\(picture)", drive) == "refused")
            #expect(try asked(.ann, "stat -c %A Album/.sh_thumbnails Album/.sh_thumbnails/large", drive) == "dr-x------\ndr-x------\n")
        }
    }

    /// A photo's metadata may be closed although its image is not.
    @Test func thumbnailsAreNotWiderThanWhereTheyLie() throws {
        try withSharedDrive("photo Cat png") { drive throws in
            chmod(drive.container.stored("Cat.ptk/photo.metadata"), 0o600)
            #expect(try asked(.bob, "head -c 4 Cat.png | tail -c 3", drive) == "PNG")
            #expect(try asked(.bob, "cat \(picture)", drive) == "refused")
            #expect(try asked(.ann, "head -c 4 \(picture) | tail -c 3", drive) == "PNG")
        }
    }

    @Test func deletedDocumentsAreForThoseWhoMightReadThem() throws {
        try withSharedDrive("text Notes \"one\\n\"\ntext Open \"all\\n\"\nfolder Private\ntext Private/Diary \"secret\\n\"\nfile Private/list.dat \"mine\\n\"") { drive throws in
            #expect(try asked(.ann, "chmod 600 Notes.txt; chmod 700 Private; rm -r Notes.txt Open.txt Private", drive) == "")
            for line in ["cat .valise/deleted/*/Notes.txt", "ls .valise/deleted/*/Private", "cat .valise/deleted/*/Private/Diary.txt", "cat .valise/deleted/*/Private/list.dat"] {
                let (directory, file) = ("$(echo .valise/deleted/*)", line.replacingOccurrences(of: ".valise/deleted/*", with: "$when"))
                for person in [Person.bob, .cat] { #expect(try asked(person, "when=\(directory); \(file)", drive) == "refused", "\(line)") }
                #expect(try asked(.ann, "when=\(directory); \(file)", drive) != "refused", "\(line)")
            }
            #expect(try asked(.bob, "cat .valise/deleted/*/Open.txt", drive) == "all\n")
            // Where the folder is closed by now, too.
            #expect(try asked(.bob, "mv .valise/deleted/*/Open.txt /tmp 2>&1 | grep -o 'Permission denied'; ls", drive) != "Open.txt\n")
            #expect(try asked(.ann, "mv .valise/deleted/*/Open.txt . && cat Open.txt && stat -c %u Open.txt", drive) == "all\n5001\n")
            // Whoever serves the drive brings all of it back as it was.
            try valise("undelete", "--since", "1 hour ago", drive.mountpoint).good()
            #expect(try asked(.ann, "stat -c '%n %a %u' Notes.txt Private Private/*", drive)
                == "Notes.txt 600 5001\nPrivate 700 5001\nPrivate/Diary.txt 644 5001\nPrivate/list.dat 644 5001\n")
            #expect(try asked(.bob, "cat Private/Diary.txt", drive) == "refused")
        }
    }

    @Test func versionsAreForThoseWhoMayReadTheDocumentThenAndNow() throws {
        try withSharedDrive("text Notes \"one\\n\"\nfolder Private/Deep\ntext Private/Deep/Diary \"secret\\n\"") { drive throws in
            // As programs save that take no notice of permissions: in place.
            #expect(try asked(.ann, "echo two >Notes.txt; chmod 600 Notes.txt; echo three >Notes.txt; echo more >Private/Deep/Diary.txt", drive) == "")
            let versions = ".valise/versions"
            #expect(try asked(.bob, "cat \(versions)/Private/Deep/Diary.txt/*", drive) == "secret\n")
            // The folders above are the documents' folders.
            chmod(drive.path("Private"), 0o700)
            for line in ["ls \(versions)/Private", "ls \(versions)/Private/Deep", "stat \(versions)/Private/Deep/Diary.txt", "cat \(versions)/Private/Deep/Diary.txt/*"] {
                #expect(try asked(.bob, line, drive) == "refused", "\(line)")
                #expect(try asked(.cat, line, drive) == "refused", "\(line)")
            }
            #expect(try asked(.ann, "cat \(versions)/Private/Deep/Diary.txt/*; stat -c '%A %u %g' \(versions)/Private \(versions)/Private/Deep", drive)
                == "secret\ndr-x------ 5001 5001\ndr-xr-xr-x 5001 5001\n")
            chmod(drive.path("Private"), 0o750)
            #expect(try asked(.cat, "cat \(versions)/Private/Deep/Diary.txt/*", drive) == "secret\n")
            #expect(try asked(.bob, "cat \(versions)/Private/Deep/Diary.txt/*", drive) == "refused")
            // What was open to all then is not now; what was closed then stays closed.
            #expect(try asked(.bob, "ls \(versions)/Notes.txt", drive) == "refused")
            #expect(try asked(nil, "stat -c %a \(versions)/Notes.txt \(versions)/Notes.txt/*", drive) == "500\n400\n400\n")
            #expect(try asked(.ann, "cat \(versions)/Notes.txt/*", drive) == "one\ntwo\n")
            chmod(drive.path("Notes.txt"), 0o644)
            #expect(try asked(.bob, "cat $(ls \(versions)/Notes.txt/* | head -n 1)", drive) == "one\n")
            #expect(try asked(.bob, "cat \(versions)/Notes.txt/* >/dev/null", drive) == "refused")
            #expect(try asked(nil, "stat -c %a \(versions)/Notes.txt/*", drive) == "444\n400\n")
        }
    }

    @Test func anotherOwnersDocumentOpensNoVersions() throws {
        try withSharedDrive("text Notes \"one\\n\"") { drive throws in
            #expect(try asked(.ann, "chmod 600 Notes.txt; echo two >Notes.txt; chmod 644 Notes.txt", drive) == "")
            chown(drive.path("Notes.txt"), 5002, 5002)
            #expect(try asked(.bob, "cat .valise/versions/Notes.txt/*", drive) == "refused")
            // Both may read it now, and only Ann might then.
            #expect(try asked(.ann, "cat .valise/versions/Notes.txt/*", drive) == "one\n")
        }
    }

    @Test func givenOwnersAndMasksHoldForWhatIsShownOfThem() throws {
        try withSharedDrive("photo Cat png\ntext Notes \"one\\n\"", options: "allow_other,uid=5002,gid=5005,umask=027") { drive throws in
            #expect(try asked(.bob, "echo two >Notes.txt", drive) == "")
            #expect(try asked(.bob, "cat .valise/versions/Notes.txt/*; head -c 4 \(picture) | tail -c 3", drive) == "one\nPNG")
            #expect(try asked(.cat, "cat .valise/versions/Notes.txt/*", drive) == "one\n")
            #expect(try asked(.ann, "cat .valise/versions/Notes.txt/*", drive) == "refused")
            #expect(try asked(.ann, "cat \(picture)", drive) == "refused")
            #expect(try asked(nil, "stat -c '%a %u %g' \(picture) .valise/versions .valise/versions/Notes.txt .valise/versions/Notes.txt/*", drive)
                == "440 5002 5005\n550 5002 5005\n550 5002 5005\n440 5002 5005\n")
        }
    }

    @Test func originalsAreAsTheyLie() throws {
        try withSharedDrive("folder Documents/Private\nfile Documents/Private/file secret\nfile Documents/open x") { drive throws in
            chmod(drive.path("Private"), 0o700)
            #expect(try asked(.bob, "cat .valise/originals/Documents/open", drive) == "x")
            for line in ["ls .valise/originals/Documents/Private", "cat .valise/originals/Documents/Private/file", "ls .valise/originals/.valise"] {
                #expect(try asked(.bob, line, drive) == "refused", "\(line)")
            }
            #expect(try asked(.ann, "cat .valise/originals/Documents/Private/file", drive) == "secret")
        }
    }

    /// Whoever may have the store's file, where it lies.
    @Test func valuesAreForThoseWhoMayHaveTheStore() throws {
        try withSharedDrive("folder Documents/Album") { drive throws in
            let store = drive.container.path + "/KeyValueStore.plist", values = ".valise/kvs"
            func seen(_ line: String) throws -> [String] { try [.ann, .cat, .bob, nil].map { try asked($0, line, drive) } }
            #expect(try asked(.ann, "echo one >\(values)/k; cat \(values)/k", drive) == "one\n")
            #expect(try asked(nil, "stat -c '%A %u %g' \(values) \(values)/k", drive) == "drwx------ 5001 5001\n-rw------- 5001 5001\n")
            #expect(try seen("cat \(values)/k") == ["one\n", "refused", "refused", "one\n"] && seen("ls \(values)") == ["k\n", "refused", "refused", "k\n"])
            #expect(try seen("echo x >\(values)/new") == ["", "refused", "refused", ""] && seen("rm -f \(values)/new") == ["", "refused", "refused", ""])
            chmod(store, 0o640)
            #expect(try seen("cat \(values)/k") == ["one\n", "one\n", "refused", "one\n"] && seen("echo x >\(values)/k") == ["", "refused", "refused", ""])
            // What root writes is theirs, with the permissions that it had.
            #expect(try asked(nil, "echo two >\(values)/k", drive) == "" && asked(nil, "stat -c '%a %u %g' \(store)", drive) == "640 5001 5001\n")
            chmod(store, 0o666)
            #expect(try seen("cat \(values)/k") == ["two\n", "two\n", "two\n", "two\n"] && asked(.bob, "echo three >\(values)/k", drive) == "")
            // Nor may they where they cannot get to it, or an access list shuts them out.
            chmod(drive.container.path, 0o750)
            #expect(try seen("cat \(values)/k") == ["three\n", "three\n", "refused", "three\n"])
            chmod(drive.container.path, 0o755)
            try shell("setfacl -m u:5002:--- \"$1\"", store).good()
            #expect(try asked(.bob, "cat \(values)/k", drive) == "refused")
        }
    }

    /// Whoever may read a document, where it lies.
    @Test func resultsAreForThoseWhoMayReadThem() throws {
        let description = "folder Private\ntext Private/Notes \"swift\"\ntext Notes \"swift\"\ntext Secret \"swift\"\nphoto Swift png"
        try withSharedDrive(description) { drive throws in
            let line = "ls .valise/search/swift"
            #expect(try asked(.bob, line, drive) == "Notes 1.txt\nNotes.txt\nSecret.txt\nSwift.png\n")
            chmod(drive.path("Private"), 0o700)
            chmod(drive.path("Secret.txt"), 0o640)
            chmod(drive.path("Swift.png"), 0o600)
            #expect(try asked(.bob, line, drive) == "Notes.txt\n")
            #expect(try asked(.cat, line, drive) == "Notes.txt\nSecret.txt\n")
            for person in [Person?.some(.ann), nil] { #expect(try asked(person, line, drive) == "Notes 1.txt\nNotes.txt\nSecret.txt\nSwift.png\n") }
            #expect(try asked(.bob, "cat .valise/search/swift/Notes.txt", drive) == "swift")
            for name in ["Secret.txt", "Swift.png", "Notes 1.txt"] { #expect(try asked(.bob, "readlink '.valise/search/swift/\(name)'", drive) == "failed: ") }
            // Saved searches are the mounter's.
            #expect(try asked(nil, "echo swift >.valise/searches/s; ls .valise/search", drive) == "s\n")
            #expect(try asked(.bob, "cat .valise/searches/s", drive) == "refused" && asked(.bob, "ls .valise/search", drive) == "")
        }
    }

    @Test func statusNamesFilesToWhoMountedOnly() throws {
        try withSharedDrive("photo Private/Cat png") { drive throws in
            try shell("chmod 700 Private; ! truncate -s 0 Private/Cat.png", in: drive.mountpoint).good()
            #expect(try drive.status().drafts.map(\.file) == ["Private/Cat.png"])
            let text = try asked(.bob, "cat .valise/status", drive)
            #expect(!text.contains("Cat") && !text.contains("drafts") && text.contains("\"counted\":false"), "\(text)")
            // Not even when root has just read it, and the other way round.
            #expect(try asked(nil, "cat .valise/status", drive).contains("Private/Cat.png"))
            #expect(try !asked(.bob, "cat .valise/status", drive).contains("Cat"))
            let told = try asked(.bob, "\(Places.valise) status .", drive)
            #expect(!told.contains("drafts") && !told.contains("Cat"), "\(told)")
        }
    }

    /// Permissions let everybody in, and an access list, which the kernel does not see through the drive, shuts Bob out.
    @Test func whomAnAccessListShutsOutStaysOut() throws {
        let description = "text Notes one\ntext Open two\nphoto Cat png\nphoto Dog png\nfile plain three\nfolder In\nfile In/plain four"
        try withSharedDrive(description) { drive in
            let store = drive.container.path
            try shell("cd \"$1\" && setfacl -m u:5002:--- Notes.stedoc plain In Cat.ptk Dog.ptk/photo.data", store).good()
            for line in ["cat Notes.txt", "cat plain", "cat In/plain", "ls In", "cat Cat.png", "cat Dog.png"] {
                #expect(try asked(.bob, line, drive) == "refused", "\(line)")
                #expect(try !["refused", "failed"].contains { try asked(.cat, line, drive).hasPrefix($0) }, "\(line)")
            }
            #expect(try asked(.bob, "cat Open.txt", drive) == "two")
            try shell("cd \"$1\" && setfacl -b Notes.stedoc plain In Cat.ptk Dog.ptk/photo.data", store).good()
            for line in ["cat Notes.txt", "cat plain", "cat In/plain"] {
                #expect(try eventually { try ["one", "three", "four"].contains(asked(.bob, line, drive)) }, "\(line)")
            }
        }
    }
}
