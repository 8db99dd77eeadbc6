import Foundation
import MountTesting
import Testing

/// Packages of a kind that is shown as flat files: on the drive each is a ZIP, in the container it is the folder that its app knows.
@Suite(.mounting) struct FlatFileTests {
    static let kind = "[scrap]\nextension = scrap\nparts = text.md, info.json, assets/\nrequired = text.md, info.json\nshown = file\ntype = com.example.scrap\n"
    private static let packages = "file Documents/Trip.scrap/text.md \"By the sea\\n\"\nfile Documents/Trip.scrap/info.json \"{}\\n\"\nfile Documents/Trip.scrap/assets/deep/map.txt \"a map\\n\"\nfile Documents/Mine.scrap/notes.txt \"mine\\n\""

    /// With what the commands of a person who has the kind are given.
    private func withKind(options: String? = nil, _ body: (MountedDrive, String, (String) throws -> String) throws -> Void) throws {
        let container = try TemporaryContainer(Self.packages), config = container.beside("config"), stored = container.path + "/Documents"
        let environment = ["XDG_CONFIG_HOME": config, "XDG_CACHE_HOME": container.beside("cache")]
        try FileManager.default.createDirectory(atPath: config + "/valise", withIntermediateDirectories: true)
        try Self.kind.write(toFile: config + "/valise/kinds", atomically: true, encoding: .utf8)
        // An empty folder, a link, times, permissions and attributes go along.
        try shell("cd Trip.scrap && mkdir empty && ln -s ../text.md assets/link && chmod 640 text.md && touch -d '2020-02-03 04:05:06.123456789Z' assets/deep/map.txt && setfattr -n user.colour -v red info.json", in: stored).good()
        try withDrive(container, options: options, environment: environment) { drive in
            try body(drive, stored) { line in try shell("export valise='\(Places.valise)'; \(line)", in: drive.mountpoint, environment: environment).good().output }
        }
    }

    /// All that is in a folder: types, permissions, times, targets, attributes and contents.
    private static let tree = """
        import hashlib, os, sys
        def look(folder, name):
            path = os.path.join(folder, name); facts = os.lstat(path)
            body = os.readlink(path) if os.path.islink(path) else '' if os.path.isdir(path) else hashlib.sha256(open(path, 'rb').read()).hexdigest()
            kept = {} if os.path.islink(path) else {a: os.getxattr(path, a) for a in os.listxattr(path) if a.startswith('user.') and not a.startswith('user.valise.')}
            print(name, oct(facts.st_mode), facts.st_mtime_ns, body, kept)
        top = sys.argv[1]
        for folder, folders, files in os.walk(top):
            for name in sorted(folders + files): look(top, os.path.relpath(os.path.join(folder, name), top))
        """

    private func tree(_ folder: String) throws -> [String] { try run("python3", "-c", Self.tree, folder).good().lines.sorted() }

    /// The directory at the end of a ZIP has checksums of all that is in it: to find them takes a pass over all parts, once.
    @Test func theNextDriveReadsNoPartForItsChecksum() throws {
        let size = 8 << 20
        let container = try TemporaryContainer("file Letter.pages/Index.zip 'index'")
        FileManager.default.createFile(atPath: container.path + "/Letter.pages/Data", contents: Data(repeating: 7, count: size))
        /// How much the drive reads while the end of the file is read.
        func read() throws -> Int {
            var count = 0
            try withDrive(container) { drive in
                // The catalog is there, with what it knows.
                try valise("find", "kMDItemFSName == \"Letter.pages\"", drive.mountpoint).good()
                count = try drive.bytesCopied {
                    let script = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).getinfo('Data').CRC)"
                    let sum = try run("python3", "-c", script, drive.path("Letter.pages")).good().output
                    #expect(sum == "56819680\n")
                }
            }
            return count
        }
        #expect(try read() > size)
        #expect(try read() < size / 8)
    }

    @Test func otherProgramsReadIt() throws {
        try withKind { drive, stored, line in
            #expect(try line("ls --file-type") == "Mine.scrap/\nTrip.scrap\n")
            #expect(try line("stat -c '%F %a' Trip.scrap") == "regular file 640\n")
            _ = try line("unzip -tqq Trip.scrap && python3 -c \"import zipfile; assert zipfile.ZipFile('Trip.scrap').testzip() is None\" && bsdtar -tf Trip.scrap >/dev/null && 7z t Trip.scrap >/dev/null")
            #expect(try line("unzip -p Trip.scrap assets/deep/map.txt") == "a map\n")
            #expect(try line("test $(cat Trip.scrap | wc -c) -eq $(stat -c %s Trip.scrap) && echo same") == "same\n")
            // Any range is that of the whole.
            let ranges = "import os, random; whole = open('Trip.scrap', 'rb').read(); f = os.open('Trip.scrap', os.O_RDONLY)\nfor _ in range(300):\n a = random.randrange(len(whole)); n = random.randrange(1, len(whole)); assert os.pread(f, n, a) == whole[a:a + n]"
            try run("python3", "-c", ranges, in: drive.mountpoint).good()
            // Twice the same bytes, and those of another mount.
            #expect(try line("sha256sum <Trip.scrap; sha256sum <Trip.scrap").split(separator: "\n").count == 2)
        }
    }

    @Test func whatComesInIsThePackage() throws {
        try withKind { drive, stored, line in
            let before = try tree(stored + "/Trip.scrap")
            // Copied away and back: nothing changes, and there is no version.
            _ = try line("cp -p Trip.scrap ../copy.zip; cp -p ../copy.zip Trip.scrap; rsync -a ../copy.zip Trip.scrap; cp ../copy.zip Trip.scrap")
            #expect(try tree(stored + "/Trip.scrap") == before)
            #expect(try line("ls .valise/versions").isEmpty)
            // Another document, and another drive's: the same package.
            _ = try line("cp ../copy.zip New.scrap; cmp New.scrap ../copy.zip")
            #expect(try tree(stored + "/New.scrap") == before)
            // As shells and as editors save.
            _ = try line("rm -rf ../work && mkdir ../work && (cd ../work && unzip -q ../copy.zip && echo two >text.md && zip -qr ../two.zip . && echo three >text.md && zip -qr ../three.zip .)")
            _ = try line("cp ../two.zip Trip.scrap && cp ../three.zip .Trip.tmp && mv .Trip.tmp Trip.scrap")
            #expect(try String(contentsOfFile: stored + "/Trip.scrap/text.md", encoding: .utf8) == "three\n")
            #expect(try String(contentsOfFile: stored + "/Trip.scrap/assets/deep/map.txt", encoding: .utf8) == "a map\n")
            #expect(try line("for v in .valise/versions/Trip.scrap/*; do unzip -p \"$v\" text.md; done") == "By the sea\ntwo\n")
            // Packed by another program and written once more: no version.
            _ = try line("cp ../three.zip Trip.scrap; unzip -tqq Trip.scrap")
            #expect(try line("ls .valise/versions/Trip.scrap | wc -l") == "2\n")
        }
    }

    @Test func whatIsNoPackageIsRefused() throws {
        try withKind { drive, stored, line in
            let before = try tree(stored + "/Trip.scrap")
            #expect(try line("cp Trip.scrap ../good.zip; echo rubbish >../bad.zip; cp ../bad.zip Trip.scrap 2>&1 | grep -c Invalid; getfattr --only-values -n user.valise.error Trip.scrap").hasPrefix("1\n"))
            #expect(try tree(stored + "/Trip.scrap") == before)
            #expect(try line("cat Trip.scrap") == "rubbish\n")
            #expect(try line("mkdir -p ../other && cd ../other && echo x >foreign.txt && zip -q ../foreign.zip foreign.txt; cd \(drive.mountpoint); cp ../foreign.zip Trip.scrap 2>&1; $valise info Trip.scrap").contains("None of the files is in this ZIP"))
            #expect(try tree(stored + "/Trip.scrap") == before)
            // A content that lies is found when it is unpacked.
            let lie = "import zipfile; z = open('../good.zip', 'rb').read(); open('../lie.zip', 'wb').write(z.replace(b'By the sea', b'By the see'))"
            try run("python3", "-c", lie, in: drive.mountpoint).good()
            #expect(try line("cp ../lie.zip Trip.scrap 2>&1; $valise info Trip.scrap").contains("checksum"))
            #expect(try tree(stored + "/Trip.scrap") == before)
            _ = try line("cp ../good.zip Trip.scrap")
            #expect(try tree(stored + "/Trip.scrap") == before)
            #expect(try line("ls \(drive.container.path)/.valise/staging").isEmpty)
            // A new file that does not fit is the plain file that it is.
            #expect(try line("cp ../bad.zip Plain.scrap; cat Plain.scrap") == "rubbish\n")
            #expect(try line("stat -c %F \(stored)/Plain.scrap") == "regular file\n")
        }
    }

    @Test func everyVerbKnowsIt() throws {
        try withKind { drive, stored, line in
            #expect(try line("$valise info Trip.scrap; $valise info \(stored)/Trip.scrap").contains("scrap"))
            let first = try tree(stored + "/Trip.scrap")
            _ = try line("cp Trip.scrap ../one.zip; mkdir ../w; cd ../w; unzip -q ../one.zip; echo two >text.md; zip -qr ../two.zip .; cd - >/dev/null; cp ../two.zip Trip.scrap")
            #expect(try line("$valise versions Trip.scrap").contains("2"))
            _ = try line("$valise restore Trip.scrap 1")
            #expect(try tree(stored + "/Trip.scrap") == first)
            #expect(try line("$valise find 'kind == \"scrap\"' .").contains("Trip.scrap"))
            #expect(try line("$valise find 'kind == \"scrap\"' \(drive.container.path)").contains("Trip.scrap"))
            // Another name, deleted, and back with its versions.
            _ = try line("mv Trip.scrap Tour.scrap; rm Tour.scrap")
            #expect(try line("$valise deleted .").contains("Tour.scrap"))
            _ = try line("$valise undelete Tour.scrap")
            #expect(try tree(stored + "/Tour.scrap") == first)
            #expect(try line("ls .valise/versions/Tour.scrap | wc -l") == "2\n")
            // Both sides of a conflict are kept, whatever part the app writes.
            let both = "import sys; new = open('../two.zip', 'rb').read(); f = open('Tour.scrap', 'r+b'); f.truncate(0); open(sys.argv[1] + '/Tour.scrap/assets/deep/map.txt', 'w').write('an app was here\\n'); f.write(new); f.close()"
            try run("python3", "-c", both, stored, in: drive.mountpoint).good()
            #expect(try line("$valise conflicts .").contains("Tour.scrap"))
            let sides = try line("for v in Tour.scrap .valise/versions/Tour.scrap/*; do unzip -p \"$v\" assets/deep/map.txt; unzip -p \"$v\" text.md; done")
            #expect(sides.contains("an app was here") && sides.contains("two"))
            _ = try line("$valise resolve Tour.scrap --current")
            #expect(try line("$valise conflicts .").contains("Tour.scrap") == false)
            // A plain file with the same bytes, and the document again.
            _ = try line("cp Tour.scrap ../now.zip; mv Tour.scrap Tour.zip; cmp Tour.zip ../now.zip; mv Tour.zip Tour.scrap")
            #expect(try line("stat -c %F \(stored)/Tour.scrap; cmp Tour.scrap ../now.zip") == "directory\n")
            // Out, and nothing is wrong in the container.
            _ = try line("mkdir ../out; $valise export --folder ../out .; cmp ../out/Tour.scrap Tour.scrap; test -d ../out/Mine.scrap")
            #expect(try line("$valise check \(drive.container.path)").contains("Tour.scrap") == false)
        }
    }

    /// Apps and sync tools make a flat file of a package, and the other way round: what it was is there still.
    @Test func itsVersionsOutliveItsShape() throws {
        try withKind { drive, stored, line in
            _ = try line("cp Trip.scrap ../one.zip; mkdir ../w; cd ../w; unzip -q ../one.zip; echo two >text.md; zip -qr ../two.zip .")
            _ = try line("cp ../two.zip Trip.scrap; cp Trip.scrap ../two.zip; mkdir ../app; mv \(stored)/Trip.scrap ../app; cp ../two.zip \(stored)/Trip.scrap")
            #expect(eventually { (try? line("$valise info Trip.scrap"))?.contains("plain") == true })
            #expect(try line("for v in .valise/versions/Trip.scrap/*; do cmp \"$v\" ../one.zip && echo same; done") == "same\n")
            _ = try line("$valise restore Trip.scrap 1; cmp Trip.scrap ../one.zip; cmp \(stored)/Trip.scrap ../one.zip")
            // A package again: what it was as a flat file comes back as a package.
            _ = try line("rm \(stored)/Trip.scrap; cp -a ../app/Trip.scrap \(stored)")
            #expect(eventually { (try? line("$valise info Trip.scrap"))?.contains("kind         scrap") == true })
            #expect(try line("$valise versions Trip.scrap").contains("?") == false)
            _ = try line("$valise restore Trip.scrap 1; unzip -p Trip.scrap text.md")
            #expect(try line("cat \(stored)/Trip.scrap/text.md") == "two\n")
        }
    }

    @Test func aChangeDeepInAPackageIsSeen() throws {
        try withKind { drive, stored, line in
            let size = try line("cat Trip.scrap >/dev/null; stat -c %s Trip.scrap")
            // Who has it open gets none of the new.
            let opened = try #require(FileHandle(forReadingAtPath: drive.mountpoint + "/Trip.scrap"))
            try shell("echo 'another map, and a longer one' >Trip.scrap/assets/deep/map.txt", in: stored).good()
            #expect(eventually { (try? line("stat -c %s Trip.scrap")) != size })
            #expect(try line("unzip -p Trip.scrap assets/deep/map.txt") == "another map, and a longer one\n")
            let rest = try? opened.readToEnd()
            #expect(rest.map { !String(decoding: $0, as: UTF8.self).contains("longer one") } ?? true)
            try opened.close()
        }
    }

    @Test func whatCannotBeAFileIsAFolderAndSaysWhy() throws {
        try withKind { drive, stored, line in
            try shell("cp -r Trip.scrap Out.scrap; ln -s ../../secret Out.scrap/leads; cp -r Trip.scrap Pipe.scrap; mkfifo Pipe.scrap/pipe", in: stored).good()
            #expect(eventually(within: 20) { (try? line("ls --file-type")) == "Mine.scrap/\nOut.scrap/\nPipe.scrap/\nTrip.scrap\n" })
            #expect(try line("$valise info Out.scrap").contains("leads out of the package"))
            #expect(try line("getfattr --only-values -n user.valise.error Pipe.scrap").contains("special file"))
            #expect(try line("$valise info Mine.scrap").contains("None of the files") == false)
        }
    }

    /// A drive that is killed while a file is written over a package, again and again: the package is what it was or what was written.
    @Test func aKilledDriveLeavesItWhole() throws {
        let container = try TemporaryContainer(Self.packages), config = container.beside("config"), stored = container.path + "/Documents/Trip.scrap"
        let environment = ["XDG_CONFIG_HOME": config, "XDG_CACHE_HOME": container.beside("cache")]
        try FileManager.default.createDirectory(atPath: config + "/valise", withIntermediateDirectories: true)
        try Self.kind.write(toFile: config + "/valise/kinds", atomically: true, encoding: .utf8)
        // Two packages: of each, all parts say which it is.
        let make = "for n in one two; do mkdir $n; echo $n >$n/text.md; mkdir $n/assets; for i in 1 2 3 4 5 6 7 8; do echo $n >$n/assets/$i; done; (cd $n; zip -qr ../$n.zip .); done"
        let work = container.beside("work")
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        try shell(make, in: work).good()
        for round in 0..<6 {
            try withDrive(container, environment: environment) { drive in
                let loop = try Program(["bash", "-c", "while cp '\(work)/one.zip' Trip.scrap && cp '\(work)/two.zip' Trip.scrap; do :; done 2>/dev/null"], in: drive.mountpoint)
                usleep(UInt32(150_000 + round * 37_000))
                try drive.kill()
                _ = try loop.wait()
            }
            try withDrive(container, environment: environment) { drive in
                let said = try shell("cat '\(stored)'/text.md '\(stored)'/assets/* | sort -u", in: drive.mountpoint).good().output
                #expect(["one\n", "two\n", "By the sea\n"].contains(said) || said == "By the sea\na map\n", "\(round): \(said)")
            }
        }
        #expect(try valise("check", container.path, environment: environment).output.contains("Trip.scrap") == false)
    }

    @Test func aReadOnlyDriveShowsIt() throws {
        try withKind(options: "ro") { _, _, line in
            let said = try line("unzip -tqq Trip.scrap; { echo x >Trip.scrap; } 2>/dev/null || echo refused")
            #expect(said == "refused\n")
        }
    }
}
