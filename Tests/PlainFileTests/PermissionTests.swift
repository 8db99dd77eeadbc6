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
        }
    }
}
