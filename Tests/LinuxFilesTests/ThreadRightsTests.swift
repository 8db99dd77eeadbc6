import CLinux
import Glibc
import MountTesting
import Testing

@testable import LinuxFiles

/// Doing what others ask for with their rights, and being oneself again afterwards.
@Suite struct ThreadRightsTests {
    private let file = Name(constant: "file")

    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else"))
    func theStoreDecidesForWhomItIsDone() throws {
        let place = try TemporaryFolder()
        let folder = try place.opened()
        chmod(place.path, 0o755)
        let made = try folder.open(file, [.write, .create], mode: 0o600)
        try made.setOwner(5002, group: 5003)
        try made.setPermissions(0o640)
        let rights = try #require(ThreadRights())
        func tried(_ user: UInt32, _ groups: [UInt32], _ flags: OpenFlags) -> Errno? {
            do throws(Errno) {
                try rights.acting(as: user, group: user, groups: groups) { () throws(Errno) in _ = try folder.open(file, flags) }
                return nil
            } catch { return error }
        }
        #expect(tried(5001, [], .read) == .accessDenied)
        #expect(tried(5001, [5003], .read) == nil)
        #expect(tried(5001, [5003], .write) == .accessDenied)
        #expect(tried(5002, [], .readWrite) == nil)
        #expect(tried(0, [], .readWrite) == nil)
        // What is made is theirs, and by their rights only.
        #expect(throws: Errno.accessDenied) {
            try rights.acting(as: 5001, group: 5001, groups: []) { () throws(Errno) in try folder.makeFolder(Name(constant: "made")) }
        }
        // The thread is root's again.
        try folder.makeFolder(Name(constant: "made"))
        #expect(try folder.status(of: Name(constant: "made")).owner == 0)
        #expect(ThreadFacts(of: CLinux_thread_number())?.user == 0)
        var groups = [gid_t](repeating: 0, count: Int(getgroups(0, nil)))
        getgroups(Int32(groups.count), &groups)
        #expect(ThreadFacts(of: CLinux_thread_number())?.groups == groups)
    }

    /// As whom the kernel has this thread meanwhile: nobody else's groups, and for signals still root.
    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else"), arguments: [[], [5001], [5003, 5004]] as [[UInt32]])
    func aThreadIsSomebodyElse(groups: [UInt32]) throws {
        let rights = try #require(ThreadRights())
        func lines() throws -> [String] {
            let page = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            return page.split(separator: "\n").filter { ["Uid:", "Gid:", "Groups:"].contains($0.prefix { $0 != "\t" }) }.map {
                $0.split(whereSeparator: \.isWhitespace).dropFirst().joined(separator: " ")
            }
        }
        let before = try lines()
        let during = try rights.acting(as: 5001, group: 5002, groups: groups + [5002]) { () throws(Errno) in (try? lines()) ?? [] }
        #expect(during == ["0 0 0 5001", "0 5002 0 5002", groups.map(String.init).joined(separator: " ")])
        #expect(try lines() == before)
    }

    @Test func whatAFileMayBeUsedForIsAsked() throws {
        let place = try TemporaryFolder()
        let folder = try place.opened()
        _ = try folder.open(file, [.write, .create], mode: 0o644)
        let opened = try folder.open(file, .path)
        try opened.check([.read, .write])
        #expect(throws: Errno.accessDenied) { try opened.check(.enter) }
    }

    @Test func aThreadsFactsAreRead() throws {
        let page = "Name:\tsome Uid: 1 2 3 4\nUid:\t1\t2\t3\t4\nGid:\t5\t5\t5\t5\nGroups:\t7 5003 \nVmRSS:\t  10 kB\n"
        let facts = try #require(ThreadFacts(page: Array(page.utf8)))
        #expect(facts.user == 4 && facts.groups == [7, 5003])
        #expect(ThreadFacts(page: Array("Uid:\t1\t2\t3\t4\nGroups:\t\n".utf8))?.groups == [])
        #expect(ThreadFacts(page: Array("Uid:\t1\t2\nGroups:\t1\n".utf8)) == nil)
        #expect(ThreadFacts(page: Array("Uid:\t1\t2\t3\t99999999999\nGroups:\t1\n".utf8)) == nil)
        #expect(ThreadFacts(of: 0) == nil)
    }
}
