import Documents
import Testing
@testable import Shell

@Suite struct MountOptionTests {
    @Test(arguments: [
        ("", []), (",,", []), ("ro", ["ro"]), ("a,b", ["a", "b"]), (",a,", ["a"]),
        (#"fsname=a\,b,ro"#, ["fsname=a,b", "ro"]), (#"a\\,b"#, [#"a\"#, "b"]), (#"a\b"#, [#"a\b"#]), (#"a\"#, [#"a\"#]),
        (#"fsname="a,b",ro"#, ["fsname=a,b", "ro"]), (#"fsname=a\"b,ro"#, [#"fsname=a"b"#, "ro"]),
    ])
    func commasPartOptionsUnlessEscaped(text: String, options: [String]) {
        #expect(MountOptions.split(text) == options)
    }

    @Test func withoutOptionsTheDriveIsAsTheDefaultSays() throws {
        let options = try MountOptions([])
        #expect(!options.readOnly)
        #expect(options == MountOptions())
    }

    @Test func theLaterOptionWins() throws {
        #expect(try MountOptions(["ro,rw"]).readOnly == false)
        #expect(try MountOptions(["rw", "ro"]).readOnly == true)
        #expect(try MountOptions(["link=html", "link=webloc"]).linkForm == .webloc)
        #expect(try MountOptions(["packages=file", "packages=folder"]).packages == .folder && MountOptions([]).packages == .kind)
        #expect(throws: UsageFault.self) { try MountOptions(["packages=zip"]) }
    }

    @Test func valuesAreUnderstood() throws {
        let options = try MountOptions([#"uid=1000,gid=5,umask=027,threads=4,fsname=a\,b c,allow_other,acl,nonempty,link=desktop,log=/var/log/drive,kvs="/srv/a,b""#])
        #expect(options.owner == 1000 && options.group == 5 && options.umask == 0o27 && options.threads == 4)
        #expect(options.source == "a,b c" && options.allowsOthers && options.accessLists && options.allowsNonempty && options.linkForm == .desktop && options.log == "/var/log/drive")
        #expect(options.keyValues == "/srv/a,b")
    }

    @Test func versionsAreKeptUnlessTheyAreNotWanted() throws {
        #expect(try MountOptions([]).versions == .share(percent: 10))
        #expect(try MountOptions(["versions=20%"]).versions == .share(percent: 20))
        #expect(try MountOptions(["versions=all"]).versions == .all)
        #expect(try MountOptions(["versions=all,versions=off"]).versions == .off)
    }

    @Test(arguments: [
        (["create=bookmark+photo"], ["bookmark", "photo"]), (["create=photo,bookmark"], ["bookmark", "photo"]),
        ([#"create=bookmark\,text"#], ["bookmark", "text"]), (["create=text", "create=photo"], ["photo", "text"]),
        (["create=text,text"], ["text"]), (["create=none"], []), (["create=none,create=none"], []), (["ro"], nil),
    ])
    func kindsMayBeNamedInAnyWay(values: [String], kinds: [String]?) throws {
        #expect(try MountOptions(values).kinds == kinds)
    }

    @Test func theKernelGetsItsOwn() throws {
        #expect(try MountOptions(["nosuid,nodev,noatime,sync"]).kernelOptions == ["nosuid", "nodev", "noatime", "sync"])
    }

    @Test func whatIsForOthersIsAccepted() throws {
        let options = try MountOptions(["defaults,default_permissions,relatime,noauto,auto,user,user=anna,users,nouser,_netdev,owner,group,x-systemd.automount,x-gvfs-show,comment=a,X-mount.mkdir"], isCalledByMount: true)
        #expect(options == MountOptions())
    }

    /// To mount(8) “owner” says who may mount.
    @Test func whoServesIsSaidInTwoWays() throws {
        #expect(try MountOptions(["as=owner"], isCalledByMount: true).isServedAsOwner && MountOptions(["owner"]).isServedAsOwner)
        #expect(try !MountOptions(["owner"], isCalledByMount: true).isServedAsOwner && !MountOptions(["owner,noowner"]).isServedAsOwner)
        #expect(throws: UsageFault.self) { try MountOptions(["as=anna"]) }
    }

    @Test func aMissingContainerAndUnknownOptionsMayBeAllowed() throws {
        #expect(try MountOptions(["nofail"]).mayBeMissing)
        #expect(try MountOptions(["frobnicate,ro,photo"], skipsUnknown: true).readOnly)
        #expect(throws: UsageFault.self) { try MountOptions(["uid=x"], skipsUnknown: true) }
    }

    @Test(arguments: [
        ("frobnicate", "“frobnicate” is not a mount option"), ("alow_other", "did you mean “allow_other”?"),
        ("strictatime", "is no access"), ("ro=1", "takes no value"), ("uid", "uid=NUMBER"), ("uid=", "uid=NUMBER"), ("uid=anna", "is not a number"),
        ("uid=4294967295", "is not a number"), ("uid=-1", "is not a number"), ("umask=8", "octal"), ("umask=7777", "octal"),
        ("threads=0", "1 to 1024"), ("versions=0%", "versions=10%"), ("versions=on", "versions=off"), ("threads=many", "1 to 1024"), ("link=lnk", "link=url"), ("create=", "create=KINDS"),
        ("create=+", "name kinds"), ("create=fotos", "“fotos” is no kind of document that new files become"), ("create=foto", "did you mean “photo”?"),
        ("create=none+text", "together"), ("create=text,create=none", "together"), ("create=none,create=text", "together"),
        ("photo", "is not a mount option"), ("comment", "is not a mount option"),
    ])
    func aWrongOptionIsRefusedWithASentence(text: String, part: String) throws {
        let fault = try #require(throws: UsageFault.self) { try MountOptions([text]) }
        #expect(fault.sentence.contains(part), "\(fault.sentence)")
        #expect(fault.exitCode == 1)
    }
}
