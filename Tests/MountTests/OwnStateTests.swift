import Foundation
import MountTesting
import Testing

/// What Valise finds in the place of its own state is obeyed only where nobody else can have put it there.
@Suite(.mounting) struct OwnStateTests {
    static let isRoot = geteuid() == 0
    private static let ann = 7401, bob = 7402

    /// A container of Ann's in which Bob has a folder for himself.
    private func container(_ description: String = "") throws -> TemporaryContainer {
        let container = try TemporaryContainer(description)
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        try shell(
            """
            mkdir -p Documents/private && echo secret >Documents/private/f && chmod 777 Documents
            chown -R \(Self.bob):\(Self.bob) Documents/private && chmod 700 Documents/private && chmod 600 Documents/private/f
            chown \(Self.ann):\(Self.ann) . && { [ ! -e .valise ] || chown -R \(Self.ann):\(Self.ann) .valise; }
            """, in: container.path).good()
        return container
    }

    private func asAnn(_ line: String, in container: TemporaryContainer) throws -> Ended {
        try run("setpriv", "--reuid=\(Self.ann)", "--regid=\(Self.ann)", "--clear-groups", "sh", "-c", line, in: container.path)
    }

    private static let plantedMove = "file .valise/journal/records \"intent 3 move;d/private/f;d/stolen then remove;s/9\\n\"\nfile .valise/staging/9 x\n"

    // MARK: Root in a container of somebody else

    @Test(.enabled(if: isRoot)) func rootObeysNoJournalOfTheOwner() throws {
        let container = try container(Self.plantedMove + "file .valise/journal/other x")
        let planted = "find .valise -type f ! -name lock -exec sha256sum {} +; stat -c '%n %u %a' .valise .valise/*/"
        let before = try shell(planted, in: container.path).good().output
        for options in ["allow_other,create=text", "allow_other,create=text,versions=off"] {
            try withDrive(container, options: options) { drive in
                #expect(drive.log.contains("belongs to user \(Self.ann)") && drive.log.contains(".valise-root") && drive.log.contains("1 change"), "\(drive.log)")
                try shell("echo one >Notes.txt && echo two >Notes.txt && test ! -e .valise-root && ! mkdir .valise-root 2>error", in: drive.mountpoint).good()
                #expect(try shell("ls -A", in: drive.mountpoint).good().lines.sorted() == ["Notes.txt", "error", "private", "private"].uniqued().sorted())
                // Neither can they, while root writes.
                let refused = try asAnn("\(Places.valise) check --undo .", in: container)
                #expect(refused.code == 8 && refused.errors.contains("of root, mounted on \(drive.mountpoint)"), "\(refused.errors)")
            }
        }
        let left = try shell("cat Documents/private/f; LC_ALL=C ls Documents", in: container.path).good().output
        #expect(left == "secret\nNotes.stedoc\nerror\nprivate\n", "\(left)")
        let after = try shell(planted, in: container.path).good().output
        #expect(after == before, "\(after)\nbefore:\n\(before)")
        #expect(try run("stat", "-c", "%u %a", container.stored(".valise-root")).good().output == "0 700\n")
        // The owner's own state goes on as it was.
        let theirs = try asAnn("\(Places.valise) check .", in: container)
        #expect(theirs.output.contains("1 change that a drive did not finish"), "\(theirs.output)")
    }

    @Test(.enabled(if: isRoot)) func rootWritesNotWhileTheOwnerDoes() throws {
        let container = try container("file .valise/lock x")
        try shell("printf 'process 1, mounted on \\033[2Jnowhere\\n' >.valise/lock", in: container.path).good()
        let held = try Program([
            "setpriv", "--reuid=\(Self.ann)", "--regid=\(Self.ann)", "--clear-groups", "flock", container.stored(".valise/lock"), "sh", "-c", "touch \(container.stored("held")); sleep 60",
        ])
        defer { held.end() }
        try #require(eventually { FileManager.default.fileExists(atPath: container.stored("held")) })
        let refused = try valise("check", "--undo", container.path)
        #expect(refused.code == 8 && refused.errors.contains("being written already (process 1, mounted on \\u{1b}[2Jnowhere)"), "\(refused.errors)")
    }

    /// The folder of undos is the owner's; the steps would delete one thing and plant another.
    @Test(.enabled(if: isRoot)) func rootTakesNoRepairBackThatTheOwnerPlanted() throws {
        let container = try container("file .valise/undo/2026/1 planted")
        let inode = try run("stat", "-c", "%i", container.stored("Documents/private/f")).good().lines[0]
        try shell("printf 'valise undo 1\\nadded Documents/private/f %s\\naside 1 Documents/private/planted\\n' \(inode) >.valise/undo/2026/manifest; chown -R \(Self.ann) .valise", in: container.path).good()
        let undone = try valise("check", "--undo", container.path)
        #expect(undone.code == 0 && undone.output.contains("there is no repair"), "\(undone.output)\(undone.errors)")
        let repaired = try valise("check", "--repair", "--yes", container.path)
        #expect(repaired.code == 0 && repaired.output.contains("belongs to user \(Self.ann)"), "\(repaired.output)\(repaired.errors)")
        #expect(try run("find", container.stored("Documents/private"), "-mindepth", "1").good().lines == [container.stored("Documents/private/f")])
        #expect(try run("cat", container.stored(".valise/undo/2026/1")).good().output == "planted")
    }

    @Test(.enabled(if: isRoot), arguments: [
        "cp -a .valise .valise-root; chown -R 7401 .valise-root", "ln -s .valise .valise-root", "install -d -m 777 .valise-root", "mkfifo .valise-root",
        "install -d -m 700 .valise-root && ln -s ../.valise/journal .valise-root/journal",
        "install -d -m 700 .valise-root && cp -r .valise/journal .valise-root && chown 7402 .valise-root/journal",
        "install -d -m 700 .valise-root .valise-root/journal && cp .valise/journal/records .valise-root/journal && chmod 666 .valise-root/journal/records",
        "install -d -m 700 .valise-root .valise-root/journal && ln -s ../../.valise/journal/records .valise-root/journal",
        "install -d -m 700 .valise-root && ln -s ../.valise/lock .valise-root/lock",
    ])
    func rootObeysNothingPlantedInThePlaceOfItsOwn(plant: String) throws {
        let container = try container(Self.plantedMove)
        try shell(plant, in: container.path).good()
        let refused = try valise("mount", container.path, container.mountpoint)
        defer { if refused.code == 0 { _ = try? valise("unmount", container.mountpoint) } }
        #expect(refused.code == 1 && refused.errors.contains("so what it says is not followed"), "\(refused.code) \(refused.errors)")
        #expect(try run("cat", container.stored("Documents/private/f")).good().output == "secret\n")
        if !plant.contains("records") {
            let checked = try valise("check", container.path)
            #expect(checked.code == 4 && checked.output.contains("problem  “.valise-root"), "\(checked.output)")
        }
    }

    /// What root left there long ago is its own, and would be obeyed once more.
    @Test(.enabled(if: isRoot)) func rootObeysNoOlderStateOfItsOwnThatTheOwnerPutBack() throws {
        let container = try container()
        func mounted() throws { try withDrive(container) { drive in try shell("test -d private", in: drive.mountpoint).good() } }
        try mounted()
        // As a crash leaves it.
        try shell(
            "printf 'intent 3 move;d/private/f;d/stolen remove;s/9\n' >.valise-root/journal/records && echo x >.valise-root/staging/9", in: container.path).good()
        try asAnn("mv .valise-root .old", in: container).good()
        try mounted()
        try asAnn("mv .valise-root .new && mv .old .valise-root", in: container).good()
        let refused = try valise("mount", container.path, container.mountpoint)
        defer { if refused.code == 0 { _ = try? valise("unmount", container.mountpoint) } }
        #expect(refused.code == 1 && refused.errors.contains("is not the one that root used here last, so what it says is not followed"), "\(refused.code) \(refused.errors)")
        #expect(try shell("cat Documents/private/f; ls Documents", in: container.path).good().output == "secret\nprivate\n")
        let checked = try valise("check", container.path)
        #expect(checked.code == 4 && checked.output.contains("problem  “.valise-root"), "\(checked.output)")
        let repaired = try valise("check", "--repair", "--yes", container.path)
        #expect(repaired.errors.contains("is not the one") || repaired.output.contains("is not the one"), "\(repaired.output)\(repaired.errors)")
        // Neither is there a way around the mark for the owner: not in another folder, and not without the attribute.
        #expect(try asAnn("mkdir -p other/Documents && mv .valise-root other", in: container).code != 0)
        #expect(try asAnn("setfattr -x trusted.valise.state .", in: container).code != 0)
        try asAnn("mv .valise-root .old && mv .new .valise-root", in: container).good()
        try mounted()
        // The sentence names the mend for the other case.
        try asAnn("mv .valise-root .new && mv .old .valise-root", in: container).good()
        let command = try #require(refused.errors.components(separatedBy: "setfattr ").dropFirst().last?.split(separator: "\n").first)
        try shell("setfattr \(command)", in: container.path).good()
        try shell(": >.valise-root/journal/records", in: container.path).good()
        try mounted()
        try mounted()
    }

    @Test(.enabled(if: isRoot)) func rootMakesAContainerForWhomTheFolderBelongsTo() throws {
        let container = try TemporaryContainer()
        chmod(container.beside(""), 0o755)
        chown(container.path, 7401, 7401)
        try valise("init", "--create", "text", "--samples", container.path).good()
        #expect(try shell("find . -printf '%U\\n' | sort -u", in: container.path).good().output == "7401\n")
        // Which kinds it creates is the owner's to say, as what is in it is.
        try withDrive(container) { drive in
            try shell("echo hi >a.txt; printf '[InternetShortcut]\\nURL=https://x/\\n' >b.url", in: drive.mountpoint).good()
        }
        #expect(try shell("ls Documents", in: container.path).good().lines.filter { ["a.stedoc", "b.url"].contains($0) } == ["a.stedoc", "b.url"])
    }

    // MARK: One's own

    @Test(arguments: ["chmod 777 .valise", "chmod 770 .valise/journal", "chmod 666 .valise/journal/records", "mv .valise elsewhere && ln -s elsewhere .valise", "mv .valise elsewhere && mkfifo .valise"])
    func whatOthersCanChangeIsNotFollowed(fault: String) throws {
        let container = try TemporaryContainer("file .valise/journal/records \"draft 9 text d/New.txt new\\n\"\nfile .valise/staging/9 \"a draft\"")
        try shell(fault, in: container.path).good()
        let refused = try valise("mount", container.path, container.mountpoint)
        defer { if refused.code == 0 { _ = try? valise("unmount", container.mountpoint) } }
        #expect(refused.code == 1 && refused.errors.contains("so what it says is not followed"), "\(refused.code) \(refused.errors)")
        guard fault.hasPrefix("chmod") else { return }
        // The sentence names the mend.
        let mend = try #require(refused.errors.components(separatedBy: "chmod go-w ").dropFirst().last?.split(separator: "\n").first)
        try run("sh", "-c", "chmod go-w \(mend)").good()
        let draft = try withDrive(container) { drive in try run("cat", drive.path("New.txt")).good().output }
        #expect(draft == "a draft")
    }

    /// What tells of claims and what is handed over, planted: nobody waits for it or follows it, and what is not Valise's own is refused with a sentence.
    @Test(arguments: [
        ("mkfifo claimants", true), ("ln -s /etc/shadow claimants", true), ("mkdir claimants", true), ("head -c 1000000 /dev/urandom >claimants", true),
        ("seq 1 100000 >claimants", true), ("echo 1 >claimants; chmod 666 claimants", true), ("mkfifo handed", false), ("ln -s /etc handed", false),
        ("install -d -m 777 handed", false), ("install -d -m 700 handed; mkfifo handed/pipe; ln -s /etc/shadow handed/link; mkdir handed/dir", true),
    ])
    func nobodyIsHeldUpByWhatIsHandedOver(plant: String, isHarmless: Bool) throws {
        let container = try TemporaryContainer("text Notes one"), page = container.beside("page.html")
        try "<DL><DT><A HREF=\"https://a.example/\">Page</A></DL>".write(toFile: page, atomically: true, encoding: .utf8)
        try shell("install -d -m 700 .valise && cd .valise && \(plant)", in: container.path).good()
        func tryAll(_ place: String) throws {
            try run("timeout", "60", Places.valise, "coordinate", "--write", container.stored("Notes.stedoc"), "--", "true").good()
            let imported = try run("timeout", "60", Places.valise, "import", "-q", page, place)
            #expect(imported.code == (isHarmless ? 0 : 1) && (isHarmless || imported.errors.contains("so what it says is not followed")), "\(imported)")
        }
        try withDrive(container) { drive in
            try tryAll(drive.mountpoint)
            #expect(try drive.files().sorted() == (isHarmless ? ["Notes.txt", "Page.url"] : ["Notes.txt"]))
        }
        try tryAll(container.path)
    }

    /// A repair moves nothing away that may be needed because of its permissions.
    @Test func aRepairLeavesWhatOthersCanChange() throws {
        let container = try TemporaryContainer("file .valise/journal/records \"draft 9 text d/New.txt new\\n\"\nfile .valise/staging/9 \"a draft\"")
        chmod(container.stored(".valise/staging"), 0o777)
        let repaired = try valise("check", "--repair", "--yes", container.path)
        #expect(repaired.output.contains("“.valise/staging”: it can be changed by other users; look at what is in it"), "\(repaired.output)")
        #expect(try run("cat", container.stored(".valise/staging/9")).good().output == "a draft")
    }
}

extension Array where Element: Hashable {
    fileprivate func uniqued() -> [Element] { Array(Set(self)) }
}
