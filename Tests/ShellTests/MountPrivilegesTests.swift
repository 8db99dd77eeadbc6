import Shell
import Testing

/// Who gets “suid” and “dev”: see `MountPrivileges`.
@Suite struct MountPrivilegesTests {
    private func granted(_ text: String, byMount: Bool = false, root: Bool = true, missing: Set<String> = []) throws -> (options: [String], sentences: [String]) {
        var options = try MountOptions([text])
        let sentences = try MountPrivileges(isCalledByMount: byMount, isRoot: root, missing: missing).grant(&options)
        return (options.kernelOptions, sentences)
    }

    @Test(arguments: [
        // What mount(8) leaves out is what it allows: “mount -o dev,suid” calls a helper as “mount” alone does.
        ("rw", true, ["suid", "dev"]), ("rw,nosuid", true, ["nosuid", "dev"]), ("rw,noexec,nosuid,nodev,user", true, ["noexec", "nosuid", "nodev"]),
        ("rw,noexec,user,suid,dev", true, ["noexec", "suid", "dev"]), ("rw", false, []), ("suid", false, ["suid"]), ("dev,suid", false, ["suid", "dev"]),
        ("suid,nosuid", false, ["nosuid"]), ("nosuid,suid", false, ["nosuid", "suid"]), ("uid=0", true, []), ("gid=7,umask=077", true, []), ("umask=077", true, ["suid", "dev"]),
    ])
    func rootGetsWhatIsAskedFor(_ text: String, byMount: Bool, expected: [String]) throws {
        let (options, sentences) = try granted(text, byMount: byMount)
        #expect(options == expected && sentences.isEmpty, "\(options) \(sentences)")
    }

    @Test func othersAreToldThatTheyDoNot() throws {
        let both = try granted("rw,user,exec,suid,dev", byMount: true, root: false)
        #expect(both.options == ["exec"] && both.sentences == ["“suid” and “dev” are only for root; the drive is mounted without them"])
        #expect(try granted("suid,uid=0", root: false).sentences == ["“suid” is only for root; the drive is mounted without it"])
        #expect(try granted("rw", byMount: true, root: false).options == [] && granted("rw", byMount: true, root: false).sentences.isEmpty)
    }

    /// Its process could say of any file that it is root's.
    @Test func aDriveThatItsOwnerServesHasNone() throws {
        for byMount in [true, false] {
            var options = try MountOptions(["suid,dev,noexec"])
            let sentences = try MountPrivileges(isCalledByMount: byMount, isRoot: true, isServedAsOwner: true, missing: []).grant(&options)
            #expect(options.kernelOptions == ["noexec"] && sentences == ["a drive that is served as its container's owner is mounted without “suid” and “dev”"])
        }
    }

    @Test func neverMoreThanTheStoreAllows() throws {
        let asked = try granted("suid,dev", missing: ["suid"])
        #expect(asked.options == ["dev"] && asked.sentences == ["the file system that the container is on is mounted without “suid”, and so is the drive"])
        let unasked = try granted("rw", byMount: true, missing: ["suid", "dev"])
        #expect(unasked.options == [] && unasked.sentences.isEmpty)
    }

    @Test(arguments: ["suid,uid=0", "gid=0,dev", "uid=1000,suid,dev"]) func madeUpOwnersHaveNoPrograms(_ text: String) throws {
        for byMount in [true, false] {
            let fault = try #require(throws: UsageFault.self) { try granted(text, byMount: byMount) }
            #expect(fault.sentence.contains("does not go with “uid=” and “gid=”") && fault.exitCode == 1)
        }
    }
}
