import Foundation
import MountTesting
import Testing

/// A drive whose container lies on a file system of its own that has no room left: programs are told, the old content
/// stands, the drive goes on, and with room again everything saves.
@Suite(.long, .mounting, .enabled("this machine cannot mount a file as a disk") { try SmallDisk.canBeMounted }) struct FullDiskTests {
    private static let noSpace = "No space left on device"
    private static let site = "[InternetShortcut]\nURL=https://example.org/old\n"

    @Test func theOldContentStandsAndEverythingSavesLater() throws {
        try SmallDisk.with { container in
            let photo = container.beside("photo.png")
            try (Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: 5_000_000)).write(to: URL(fileURLWithPath: photo))
            try withDrive(container, options: "rw") { drive in
                try shell("printf %s \"$2\" > \"$1/Site.url\"; printf 'old words\\n' > \"$1/Words.txt\"", drive.mountpoint, Self.site).good()
                try run("dd", "if=/dev/zero", "of=" + drive.path("ballast"), "bs=1M", "count=8").good()
                let copied = try fill(drive, photo)
                try edit(drive)
                // The drive goes on: every photo that was copied is whole.
                for number in 1...copied { try run("cmp", photo, drive.path("photo \(number).png")).good() }

                try shell("rm \"$1\"/filler* \"$1/ballast\"", drive.mountpoint).good()
                // What was deleted gives up its room before a save fails.
                try shell("sed -i s/old/new/ \"$1/Site.url\" && printf 'new words\\n' > \"$1/Words.txt\" && cp \"$1/Site.url\" \"$1/Copy.url\"", drive.mountpoint).good()
                #expect(try run("cat", drive.path("Site.url")).output == Self.site.replacingOccurrences(of: "old", with: "new"))
                #expect(try run("cat", drive.path("Words.txt")).output == "new words\n")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(".valise/staging")) == [])
            let items = try FileManager.default.contentsOfDirectory(atPath: container.stored("Documents"))
            #expect(items.filter { $0.hasPrefix("Bookmark_Site-") || $0.hasPrefix("Bookmark_Copy-") }.count == 2)
            #expect(items.filter { !$0.hasPrefix("Bookmark_") && !$0.hasPrefix("photo ") } == ["Words.stedoc"])
        }
    }

    /// Saving a plain file matters more than keeping what it was, which makes room among what was kept before, or is told.
    @Test func aPlainFileIsSavedWhereNothingCanBeKept() throws {
        try SmallDisk.with { container in
            try withDrive(container, options: "rw,deleted=off") { drive in
                try shell("echo old | tee plain other >/dev/null; head -c 1M /dev/urandom >large", in: drive.mountpoint).good()
                try fillToTheLastBlock(drive)
                try shell("echo new >plain; echo new | dd of=other conv=notrunc status=none; echo new | dd of=large conv=notrunc status=none", in: drive.mountpoint).good()
                #expect(try shell("cat plain other; head -c 4 large; head -c 1M large | wc -c", in: drive.mountpoint).good().output == "new\nnew\nnew\n1048576\n")
                #expect(try valise("status", drive.mountpoint).good().output.contains("not kept"))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(".valise/staging")) == [])
        }
    }

    /// A save that finds no room: the old content stands, what was written is shown and told of, by the next drive too,
    /// and saved by itself when there is room again.
    @Test(arguments: ["Site.url", "New.url"]) func whatFoundNoRoomIsSavedLater(name: String) throws {
        try SmallDisk.with { container in
            func isWaiting(_ drive: MountedDrive) throws {
                #expect(try drive.text(name) == Self.wanted)
                #expect(drive.fact("state", of: name) == "draft")
                #expect(try drive.status().reason(of: name)?.contains(Self.noSpace) == true)
                #expect(try drive.status().drafts.map(\.file) == [name])
                #expect(try container.onlyBookmark(in: "Documents")["Bookmark URL"] == "https://example.org/old")
            }
            try withDrive(container, options: "rw,deleted=off") { drive in
                try drive.put("Site.url", Self.site)
                try fillToTheLastBlock(drive)
                try writeWithoutRoomToSave(drive, name)
                try isWaiting(drive)
                // It is nowhere else, and stays where there is no room for anything else.
                let refused = try shell("echo new >\"$1\"", drive.path(name))
                #expect(refused.code != 0 && refused.errors.contains(Self.noSpace))
                try isWaiting(drive)
                try drive.kill()
            }
            try withDrive(container, options: "rw,deleted=off") { drive in
                try isWaiting(drive)
                try shell("rm \"$1\"/filler*", drive.mountpoint).good()
                #expect(try eventually { try drive.status().drafts.isEmpty && drive.status().errors.isEmpty })
                #expect(drive.fact("state", of: name) == "saved")
                #expect(try drive.text(name) == Self.wanted)
            }
            let items = try FileManager.default.contentsOfDirectory(atPath: container.stored("Documents"))
            #expect(items.map { $0.prefix(13) }.sorted() == (name == "New.url" ? ["Bookmark_New-", "Bookmark_Site"] : ["Bookmark_Site"]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(".valise/staging")) == [])
        }
    }

    private static let wanted = site.replacingOccurrences(of: "old", with: "new")

    /// Makes room for what is written, a block at a time, and so for no more than that.
    private func writeWithoutRoomToSave(_ drive: MountedDrive, _ name: String) throws {
        for filler in 1..<100 {
            let before = try freeBlocks(drive) ?? 0
            try drive.remove("filler \(filler)")
            #expect(eventually { (try? freeBlocks(drive)).flatMap { $0 } ?? 0 > before })
            guard let file = try? OpenedFile(drive.path(name), O_WRONLY | O_CREAT | O_TRUNC) else { continue }
            do { try file.write(Self.wanted) } catch {
                try? file.close()
                continue
            }
            #expect(throws: Refused(call: "close", number: ENOSPC)) { try file.close() }
            return
        }
        Issue.record("there was no room for “\(name)”")
    }

    /// Vim copies a file to its backup elsewhere, deletes it, and finds no room to write it anew:
    /// what it deleted waits until it is written, for the next drive too, and is what comes back then.
    @Test func whatVimDeletesWaits() throws {
        try SmallDisk.with { container in
            let home = container.beside("home")
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            func stored() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: container.stored("Documents")).filter { $0.hasPrefix("Bookmark_") }
            }
            var before: (names: [String], bytes: Data) = ([], Data())
            try withDrive(container, options: "rw") { drive in
                try drive.put("Site.url", Self.site)
                before.names = try stored()
                before.bytes = try container.bytes("Documents/" + before.names[0])
                try fillToTheLastBlock(drive)
                let vim = try run(
                    "vim", "-Nu", "NONE", "-es", "-c", "set backupskip= backupdir=~/", "-c", "%s/old/new/", "-c", "wq", drive.path("Site.url"), environment: ["HOME": home])
                #expect(vim.code != 0)
                #expect(try String(contentsOfFile: home + "/Site.url~", encoding: .utf8) == Self.site)
                // Vim tries more than once. Where nothing of its last try could be written, the document is what it was.
                let reason = try drive.status().reason(of: "Site.url")
                #expect(try reason.map { $0.contains("no room") } ?? (drive.text("Site.url") == Self.site), "\(reason ?? "no reason")")
            }
            try withDrive(container, options: "rw") { drive in
                // As a draft of which something is missing; or as what it was, if vim's last try did not come as far as writing.
                #expect(try [[], ["Site.url"]].contains(drive.status().drafts.map(\.file)) && drive.files().contains("Site.url"))
                try shell("rm -f \"$1\"/filler* \"$1\"/.Site.url.sw*", drive.mountpoint).good()
                var said = ""
                let isWritten = eventually {
                    let copy = try? run("cp", home + "/Site.url~", drive.path("Site.url"))
                    said = copy?.errors ?? ""
                    return copy?.code == 0
                }
                let left = isWritten ? "" : try shell("df -B 4096 .; df -i .; ls -la .valise/* | head -60; cat .valise/journal/records; tail -3 .valise/deleted/records", in: container.path).output
                let status = try drive.status()
                #expect(isWritten, "\(said)\(status) \(left)")
                #expect(try stored() == before.names)
                #expect(try container.bytes("Documents/" + before.names[0]) == before.bytes)
                #expect(try drive.status().drafts.isEmpty && drive.status().errors.isEmpty)
            }
        }
    }

    /// What was deleted gives up its room also before a document is opened to be written anew, or cut: a draft needs some of it.
    @Test(arguments: ["printf %s \"$1\" >Site.url", "python3 -c 'import os; os.truncate(\"Words.txt\", 0)'", "printf %s \"$1\" >>Other.url", "printf %s \"$1\" >New.url", "mkdir Folder"])
    func whatWasDeletedGivesUpItsRoomToWhatIsBegun(command: String) throws {
        let container = try TemporaryContainer()
        // Of entries there are few: deleted ones take theirs along.
        try run("mount", "-t", "tmpfs", "-o", "size=8m,nr_inodes=200", "tmpfs", container.path).good()
        defer { _ = try? run("umount", "-l", container.path) }
        try withDrive(container, options: "rw,versions=all") { drive in
            for name in ["Site.url", "Other.url"] { try drive.put(name, Self.site) }
            try drive.put("Words.txt", "words\n")
            let filled = try shell("for n in {1..300}; do echo x >\"filler $n\" || exit 3; done", in: drive.mountpoint)
            #expect(filled.code == 3 && filled.errors.contains(Self.noSpace))
            try shell("rm filler*", in: drive.mountpoint).good()
            #expect(try run("stat", "-f", "-c", "%d", container.path).good().output == "0\n")
            try run("bash", "-c", command, "bash", Self.wanted, in: drive.mountpoint).good()
            #expect(try drive.status().drafts.isEmpty && drive.status().errors.isEmpty)
        }
    }

    /// What is deleted on a store without room is kept: there is room for the lines that say what it is. Where there was none even when
    /// it was mounted, those that go for good are named, and make room for the others.
    @Test(arguments: [false, true]) func whatIsDeletedWithoutRoomIsKeptOrNamed(isFullBefore: Bool) throws {
        try SmallDisk.with { container in
            let count = 60, log = container.beside("log")
            func kept() throws -> Int { try container.deleted().count { $0.hasPrefix("photo-") } }
            func filled(_ drive: MountedDrive) throws {
                try shell("for n in {1..\(count)}; do printf '\\211PNG\\r\\n\\032\\n%s' $n >photo-$n.png; done", in: drive.mountpoint).good()
                try fillToTheLastBlock(drive)
            }
            if isFullBefore {
                try withDrive(container, options: "rw") { drive in try filled(drive) }
                try shell("rm -f .valise/deleted/records; while echo x >>$((n++)); do :; done; true", in: container.path)
            }
            try withDrive(container, options: "rw,log=\(log)") { drive in
                if !isFullBefore { try filled(drive) }
                try shell("rm photo*", in: drive.mountpoint).good()
            }
            let named = Set(try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter { $0.contains(".png” is not kept among the deleted") }).count
            let kept = try kept()
            #expect(kept + named == count && named < (isFullBefore ? 10 : 1), "\(kept) kept, \(named) named")
        }
    }

    /// What is kept makes room for what fits then. For what would not fit with all of it gone, nothing goes.
    @Test func nothingGoesForWhatNeverFits() throws {
        try SmallDisk.with { container in
            try withDrive(container, options: "rw") { drive in
                for text in ["one\n", "two\n"] { try drive.put("Notes.txt", text) }
                try shell("for n in 1 2 3 4; do dd if=/dev/zero of=ballast-$n bs=1M count=4 status=none; done; rm ballast-*", in: drive.mountpoint).good()
                for size in ["1G", "500T"] {
                    let refused = try run("fallocate", "-l", size, drive.path("large"))
                    #expect(refused.code != 0 && (refused.errors.contains(Self.noSpace) || refused.errors.contains("File too large")), "\(refused)")
                    #expect(try container.deleted().count { $0.hasPrefix("ballast-") } == 4)
                    #expect(try FileManager.default.contentsOfDirectory(atPath: drive.path(".valise/versions/Notes.txt")).count == 1)
                    // What the store gave it is its own until it is cut.
                    try run("truncate", "-s", "0", drive.path("large")).good()
                }
                try shell("fallocate -l $(($(stat -f -c '%a * %S' .) + 2000000)) large", in: drive.mountpoint).good()
                let left = try container.deleted().filter { $0.hasPrefix("ballast-") }
                #expect((1...3).contains(left.count), "\(left)")
            }
        }
    }

    /// What is replaced on a store without room becomes a version, for which what was deleted makes room. Where nothing makes any, it is named.
    @Test(arguments: [true, false]) func whatIsReplacedWithoutRoomIsAVersionOrNamed(deletedMakesRoom: Bool) throws {
        try SmallDisk.with { container in
            let count = 40, log = container.beside("log"), numbers = 1...count
            try withDrive(container, options: "rw,log=\(log)" + (deletedMakesRoom ? "" : ",deleted=off")) { drive in
                for number in numbers { try drive.put("note-\(number).txt", "old \(number)\n") }
                if deletedMakesRoom { try shell("dd if=/dev/zero of=ballast bs=1M count=2 status=none", in: drive.mountpoint).good() }
                try fillToTheLastBlock(drive)
                // Of each filler of one block, the inode that it had is free as well. The blocks that all versions need were the ballast's.
                if deletedMakesRoom { try shell("rm filler\\ * ballast; sync", in: drive.mountpoint).good() }
                var saved: [Int] = []
                for number in numbers {
                    // With nothing that makes room, each has a block for itself, and none for a version.
                    if !deletedMakesRoom {
                        try drive.remove("filler \(number)")
                        let isFree = eventually { (try? freeBlocks(drive)).flatMap { $0 } ?? 0 > 0 }
                        #expect(isFree)
                    }
                    if try shell("echo new >note-\(number).txt", in: drive.mountpoint).code == 0 { saved.append(number) }
                }
                let said = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
                let lost = Set(said.filter { $0.contains("is not kept as a version") }.compactMap { $0.split(separator: "“").last?.split(separator: ".").first.map(String.init) })
                // "the store is full: what was kept made room: 1 deleted item and 2 earlier versions (…"
                let gaveWay = said.filter { $0.contains("what was kept made room: ") }.reduce(0) { sum, line in
                    let before = line.components(separatedBy: " earlier version"), count = before[0].split(separator: " ").last
                    return sum + (before.count > 1 ? count.flatMap { Int($0) } ?? 0 : 0)
                }
                var kept = 0
                #expect(saved.count > count / 2 && (deletedMakesRoom ? lost == [] : lost.count > count / 4), "\(saved.count) saved, \(lost.count) lost")
                for number in numbers {
                    let text = try drive.text("note-\(number).txt"), versions = (try? FileManager.default.contentsOfDirectory(atPath: drive.path(".valise/versions/note-\(number).txt")).count) ?? 0, isLost = lost.contains("note-\(number)")
                    kept += versions
                    #expect(saved.contains(number) ? text == "new\n" && versions + (isLost ? 1 : 0) < 2 : text == "old \(number)\n" && versions == 0, "\(number) \(text) \(versions) \(isLost)")
                }
                // Of what became a version, some made room again.
                #expect(kept + lost.count + gaveWay == saved.count && (!deletedMakesRoom || gaveWay == 0), "\(kept) kept, \(lost.count) lost, \(gaveWay) gave way, \(saved.count) saved")
                #expect(try drive.status().drafts.isEmpty)
                let status = try valise("status", drive.mountpoint).good().output
                #expect(status.contains("  not kept    \(lost.count) earlier version") == !lost.isEmpty, "\(status)")
            }
        }
    }

    /// Nothing of what was to be written came as far as the store: then the document is what it was, and whoever reads it next does not take
    /// nothing for it.
    @Test func whatCouldNotBeWrittenAtAllLeavesTheDocument() throws {
        try SmallDisk.with { container in
            try withDrive(container, options: "rw,deleted=off") { drive in
                try drive.put("Words.txt", "old words\n")
                try fillToTheLastBlock(drive)
                let refused = try shell("echo new words >Words.txt", in: drive.mountpoint)
                #expect(refused.code != 0 && refused.errors.contains(Self.noSpace))
                #expect(try drive.text("Words.txt") == "old words\n")
                #expect(drive.fact("state", of: "Words.txt") == "saved")
                #expect(try drive.status().drafts.isEmpty)
                #expect(try drive.status().errors.isEmpty)
                try shell("rm filler*; sed -i s/old/new/ Words.txt", in: drive.mountpoint).good()
                #expect(try drive.text("Words.txt") == "new words\n")
                #expect(try drive.status().errors.isEmpty)
            }
        }
    }

    /// Of a write past the kernel's pages a part is no answer: the kernel makes an input/output error of it, also of what is written synchronously.
    /// What was deleted gives up its room to it as to others.
    @Test(arguments: ["plain.bin", "Words.txt"], [false, true]) func whatIsWrittenDirectlyAndFindsRoomForAPartIsToldOfTheRoom(name: String, isRoomKept: Bool) throws {
        let container = try TemporaryContainer()
        try run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", container.path).good()
        defer { _ = try? run("umount", "-l", container.path) }
        try withDrive(container, options: "rw") { drive in
            let program = """
                import errno, mmap, os, sys
                path, store = sys.argv[1:3]
                file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_DIRECT)
                block, much = mmap.mmap(-1, 4096), mmap.mmap(-1, 61440)
                block.write(b"a" * 4096), much.write(b"a" * 61440)
                os.pwrite(file, block, 0)
                with open(store + "/filler", "wb") as filler:
                    while os.statvfs(store).f_bavail * 4096 > 40960: os.write(filler.fileno(), b"x" * 4096)
                try: print(os.pwrite(file, much, 4096))
                except OSError as error: print(errno.errorcode[error.errno])
                os.unlink(store + "/filler")
                print(os.pwrite(file, much, 4096), os.fstat(file).st_size)
                """
            if isRoomKept { try shell("head -c 200000 /dev/zero >kept.bin && rm kept.bin", in: drive.mountpoint).good() }
            let ended = try run("python3", "-c", program, drive.path(name), container.path).good()
            #expect(ended.output == "\(isRoomKept ? "61440" : "ENOSPC")\n61440 65536\n")
            #expect(try drive.get(name) == Data(repeating: 0x61, count: 65536))
            #expect(try drive.status().drafts.isEmpty && drive.status().errors.isEmpty)
        }
    }

    /// What breaks off in its middle does not take a document's place, not even when there is room again.
    @Test func aCopyThatBreaksOffLeavesTheDocument() throws {
        try SmallDisk.with { container in
            let photo = container.beside("photo.jpg")
            try image(20_000_000).write(to: URL(fileURLWithPath: photo))
            try withDrive(container, options: "rw") { drive in
                try drive.put("cat.jpg", image(1000))
                let stored = try container.bytes("Documents/cat.ptk/photo.data")
                try run("dd", "if=/dev/zero", "of=" + drive.path("ballast"), "bs=1M", "count=40").good()
                let copy = try run("cp", photo, drive.path("cat.jpg"))
                #expect(copy.code != 0 && copy.errors.contains(Self.noSpace))
                func isFlagged() throws {
                    #expect(try container.bytes("Documents/cat.ptk/photo.data") == stored)
                    #expect(try drive.status().reason(of: "cat.jpg")?.contains("no room") == true)
                    #expect(try (1001..<20_000_000).contains(Int(drive.status(of: "cat.jpg").st_size)))
                }
                try isFlagged()
                try drive.remove("ballast")
                #expect(try run("touch", drive.path("cat.jpg")).errors.contains(Self.noSpace))
                try drive.put("other.txt", "saved\n")
                try isFlagged()
                // Written whole, it is saved.
                #expect(eventually { (try? run("cp", photo, drive.path("cat.jpg")).code) == 0 })
                #expect(try drive.get("cat.jpg") == image(20_000_000))
                #expect(try drive.status().drafts.isEmpty && drive.status().errors.isEmpty)
            }
        }
    }

    /// The store goes read-only under the drive, as after an error of its own: reading goes on, what is written is told of.
    @Test func aStoreThatTurnsReadOnly() throws {
        try SmallDisk.with { container in
            try withDrive(container, options: "rw") { drive in
                try drive.put("Site.url", Self.site)
                let file = try OpenedFile(drive.path("Site.url"), O_WRONLY)
                try run("mount", "-o", "remount,abort", container.path).good()
                #expect(throws: Refused(call: "write", number: EROFS)) { try file.write(Self.wanted) }
                try file.close()
                #expect(throws: Refused(call: "open", number: EROFS)) { try drive.put("New.url", Self.wanted) }
                #expect(throws: Refused(call: "unlink", number: EROFS)) { try drive.remove("Site.url") }
                #expect(try drive.text("Site.url") == Self.site)
                #expect(try container.onlyBookmark(in: "Documents")["Bookmark URL"] == "https://example.org/old")
            }
        }
    }

    private func fillToTheLastBlock(_ drive: MountedDrive) throws {
        _ = try shell("for n in {1..99}; do echo x > \"$1/filler $n\"; done", drive.mountpoint)
        let rest = try run("dd", "if=/dev/zero", "of=" + drive.path("filler"), "bs=4096")
        #expect(rest.errors.contains(Self.noSpace))
        let last = try shell("for n in {100..2000}; do echo x > \"$1/filler $n\" || exit 3; done", drive.mountpoint)
        #expect(last.code == 3 && last.errors.contains(Self.noSpace))
    }

    /// Copies photos until one does not fit, and then fills what is left. Answers how many there are.
    private func fill(_ drive: MountedDrive, _ photo: String) throws -> Int {
        var copied = 0
        while copied < 100 {
            let copy = try run("cp", photo, drive.path("photo \(copied + 1).png"))
            if copy.code != 0 {
                #expect(copy.errors.contains(Self.noSpace))
                break
            }
            copied += 1
        }
        #expect((5...11).contains(copied))
        // The last one stays as it is: it is saved in its time. Then the rest of the room goes, to the last block.
        try fillToTheLastBlock(drive)
        return copied
    }

    private func freeBlocks(_ drive: MountedDrive) throws -> Int? {
        Int(try run("stat", "-f", "-c", "%a", drive.mountpoint).good().output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func edit(_ drive: MountedDrive) throws {
        let sed = try run("sed", "-i", "s/old/new/", drive.path("Site.url"))
        #expect(sed.code != 0 && sed.errors.contains(Self.noSpace))
        #expect(try run("cat", drive.path("Site.url")).output == Self.site)
        // vim makes a backup first, or renames the file away to be one. It writes nothing where there can be none.
        let vim = try run("vim", "-Nu", "NONE", "-es", "-c", "set backupskip= backupdir=.", "-c", "%s/old/new/", "-c", "wq", drive.path("Site.url"))
        #expect(vim.code != 0)
        #expect(try run("cat", drive.path("Site.url")).output == Self.site)
        try shell("rm -f \"$1/Site.url~\" \"$1/.Site.url.sw\"*", drive.mountpoint).good()
        let copy = try run("cp", drive.path("Site.url"), drive.path("Other.url"))
        #expect(copy.code != 0 && copy.errors.contains(Self.noSpace))
        try run("rm", "-f", drive.path("Other.url")).good()
        #expect(try run("cat", drive.path("Words.txt")).output == "old words\n")
        // What a program that failed leaves behind is its own; a user would clear it away.
        try shell("rm -f \"$1\"/sed?????? ", drive.mountpoint).good()
    }
}

/// A container on a disk of 64 MB, which is a file.
private enum SmallDisk {
    static var canBeMounted: Bool {
        get throws {
            if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
            guard geteuid() == 0 else { return false }
            do {
                try with { _ in }
                return true
            } catch { return false }
        }
    }

    static func with(_ body: (TemporaryContainer) throws -> Void) throws {
        let container = try TemporaryContainer(), image = container.beside("disk")
        try shell(
            """
            truncate -s 64M "$1" && PATH=$PATH:/sbin:/usr/sbin mkfs.ext4 -q -F -m 0 "$1" && mount -o loop "$1" "$2" && mkdir "$2/Documents"
            """, image, container.path).good()
        defer { _ = try? run("umount", "-l", container.path) }
        try body(container)
    }
}
