import Foundation
import MountTesting
import Testing

/// What users may and may not do, and what becomes of what they do, is as on the file system below: their other groups, sticky
/// folders, set-id bits, masks and access control lists included. The table is in Tests/Support/permissions.py.
@Suite(.mounting, .enabled(if: geteuid() == 0, "only root may be several users")) struct PermissionTests {
    @Test(arguments: ["allow_other", "allow_other,acl"]) func usersMayDoTheSame(options: String) throws {
        let container = try TemporaryContainer()
        // Other users have to get there.
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        let folder = container.beside("folder")
        mkdir(folder, 0o755)
        try withDrive(container, options: options) { drive in
            let lists = options.hasSuffix("acl") ? ["acl"] : []
            let ended = try Program(["python3", Places.support("permissions.py"), drive.mountpoint, folder] + lists).wait()
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        }
    }

    /// Without `allow_other` a drive is for who mounted it alone, and root's for root: whatever is shown of it, and whatever they know of it.
    @Test(arguments: [nil, "umask=0", "uid=5001,gid=5001"]) func nobodyElseEntersADriveOfOnes(options: String?) throws {
        let container = try TemporaryContainer("text Notes one")
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        try withDrive(container, options: options) { drive in
            try run("cat", drive.path("Notes.txt")).good()
            let asked = ["ls \"$1\"", "cat \"$1/Notes.txt\"", "cat \"$1/.valise/status\"", "ls \"$1/.valise/originals\"", "touch \"$1/new\""]
            for line in asked {
                let ended = try run("setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", "sh", "-c", line, "sh", drive.mountpoint)
                #expect(ended.code != 0 && ended.output.isEmpty && ended.errors.contains("ermission denied"), "\(line): \(ended.output)\(ended.errors)")
            }
        }
    }

    /// What gives a program rights, and what is for root's eyes: nobody gets it set by a drive, and nobody reads it.
    @Test func theSystemsAttributesAreNotForUsers() throws {
        let container = try TemporaryContainer()
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        chmod(container.path, 0o777)
        try withDrive(container, options: "allow_other,suid") { drive in
            func asked(_ user: Int, _ line: String) throws -> Ended {
                try run("setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "sh", "-c", line, in: drive.mountpoint)
            }
            try asked(5001, "echo x >file; chmod 777 file").good()
            let capability = "0x0100000200200000000000000000000000000000"
            for user in [5001, 5002] {
                for name in ["security.capability", "security.other", "trusted.secret"] {
                    #expect(try asked(user, "setfattr -n \(name) -v \(capability) file").errors.contains("Operation not permitted"), "\(name)")
                    #expect(try asked(user, "setfattr -x \(name) file").errors.contains("Operation not permitted"), "\(name)")
                }
            }
            try run("setfattr", "-n", "trusted.secret", "-v", "SECRET", drive.path("file")).good()
            #expect(try run("getfattr", "--only-values", "-n", "trusted.secret", container.stored("file")).good().output == "SECRET")
            let listed = try asked(5001, "getfattr -m - -d file")
            #expect(!listed.output.contains("SECRET") && !listed.output.contains("trusted") && listed.code == 0, "\(listed.output)")
            #expect(try !asked(5001, "python3 -c 'import os; print(os.listxattr(\"file\"))'").good().output.contains("trusted"))
            #expect(try asked(5001, "getfattr -n trusted.secret file").errors.contains("No such attribute"))
            // A program that has rights in the store has none by the drive.
            try shell("cp \"$(readlink -f \"$(type -P id)\")\" \"$1\" && setfattr -n security.capability -v \(capability) \"$1\"", container.stored("id")).good()
            #expect(try run("getfattr", "-n", "security.capability", drive.path("id")).code != 0)
        }
    }

    @Test func programsKeepAccessLists() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "acl") { drive in
            let said = try shell(
                """
                echo x >a && setfacl -m u:5001:rw,g:5003:r a && mkdir d && setfacl -d -m u:5002:rwx d && touch d/new
                cp -a a b && getfacl -cE b && getfacl -cE d/new && chmod 600 a && getfacl -c a | grep mask && getfacl -cE d | grep default:user:5002
                """, in: drive.mountpoint).good()
            #expect(said.lines.filter { !$0.isEmpty } == [
                "user::rw-", "user:5001:rw-", "group::r--", "group:5003:r--", "mask::rw-", "other::r--",
                "user::rw-", "user:5002:rwx", "group::r-x", "mask::rw-", "other::r--", "mask::---", "default:user:5002:rwx",
            ])
            // Documents have permissions only.
            try shell("echo bread >List.txt; ! setfacl -m u:5001:r List.txt 2>error && grep -q 'not supported' error && test \"$(getfacl -c List.txt | grep -c .)\" = 3", in: drive.mountpoint).good()
            // Which a list of three entries is.
            let copied = try shell(
                "setfacl -m u::rw,g::-,o::- List.txt && stat -c %a List.txt && tar --acls -cf a.tar List.txt && chmod 644 List.txt && tar --acls -xf a.tar 2>&1 && stat -c %a List.txt",
                in: drive.mountpoint).good()
            #expect(copied.lines == ["600", "600"])
        }
    }

    /// Whoever has a file open does not look at it again: after what changes whom it lets in, each call on it is about the same file as before.
    @Test(.enabled(if: geteuid() == 0, "only root is several users")) func openFilesStayInUseAfterTheirListsChanged() throws {
        let container = try TemporaryContainer("folder Documents\nfolder Documents/Hers")
        try shell("chmod 755 \"$1\" \"$1/Documents\" && chown 5001 \"$1/Documents/Hers\"", container.path).good()
        let program = """
            import itertools, os, struct, sys
            os.setgroups([]), os.setegid(int(sys.argv[1])), os.seteuid(int(sys.argv[1]))
            def listed(mask): return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in [(1, 7, ~0 & 0xFFFFFFFF), (2, 5, 5002), (4, 5, ~0 & 0xFFFFFFFF), (16, mask, ~0 & 0xFFFFFFFF), (32, 5, ~0 & 0xFFFFFFFF)])
            acl = "system.posix_acl_access"
            changes = {
                "a list": lambda f: os.setxattr(f, acl, listed(4)), "another list": lambda f: os.setxattr(f, acl, listed(6)), "no list": lambda f: os.removexattr(f, acl),
                "chmod": lambda f: os.fchmod(f, 0o700), "chown": lambda f: os.fchown(f, -1, os.getegid()),
            }
            calls = dict(changes, **{
                "user.x": lambda f: os.setxattr(f, "user.x", b"1"), "names": lambda f: os.listxattr(f), "times": lambda f: os.utime(f),
                "look": lambda f: os.fstat(f), "sync": lambda f: os.fsync(f),
            })
            for name, isFolder in [("file", False), ("folder", True)]:
                if isFolder: os.mkdir(name)
                else: os.close(os.open(name, os.O_CREAT | os.O_RDWR))
                if isFolder: calls.update({
                    "a name": lambda f: os.close(os.open("name", os.O_CREAT | os.O_RDWR, dir_fd=f)), "names in it": lambda f: os.listdir(f),
                    "a folder": lambda f: os.mkdir("more", dir_fd=f) or os.rmdir("more", dir_fd=f),
                })
                for change, call in itertools.product(changes, calls):
                    file = os.open(name, os.O_RDONLY if isFolder else os.O_RDWR)
                    os.setxattr(file, acl, listed(7))
                    for word, function in [(change, changes[change]), (call, calls[call])]:
                        try: function(file)
                        except OSError as error: print(f"{name}: {word} of {change}, {call}: {error}") if not (word == "no list" and error.errno == 61) else None
                    os.close(file)
            """
        try withDrive(container, options: "allow_other,acl") { drive in
            for user in [0, 5001] {
                let ended = try run("python3", "-c", program, "\(user)", in: drive.path("Hers")).good()
                #expect(ended.output == "", "as \(user)")
                try shell("rm -r \"$1\"/*", drive.path("Hers")).good()
            }
        }
    }
}
