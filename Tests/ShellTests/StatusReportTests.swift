import Testing
@testable import Shell

@Suite struct StatusReportTests {
    private func page(_ text: String) throws -> StatusReport { StatusReport(try #require(JSON(Array(text.utf8)))) }

    /// An hour ahead of UTC.
    private func at(_ now: Int64) -> LocalClock { LocalClock(now: now) { _ in 3600 } }

    @Test func whatWentBeforeItsTimeIsTold() throws {
        let many = try page(#"{"removedEarly": {"items": 3, "tooLarge": 1, "size": 70000000}}"#)
        #expect(many.text(mountpoint: "/m", clock: at(0)).contains("  gone early  3 deleted items and earlier versions (70.0 MB), 1 of them larger than all the room, because there was no room; the log names them\n"))
        let one = try page(#"{"removedEarly": {"items": 1, "tooLarge": 0, "size": 100}}"#)
        #expect(one.text(mountpoint: "/m", clock: at(0)).contains("  gone early  1 deleted item or earlier version (100 bytes), because there was no room; the log names them\n"))
    }

    @Test func whatSomebodyRemovedIsTold() throws {
        let text = try page(#"{"purged": 2}"#).text(mountpoint: "/m", clock: at(0))
        #expect(text.contains("  removed     2 deleted items for good, because somebody removed them; the log says which, and who\n"))
        let versions = try page(#"{"purgedVersions": 1}"#).text(mountpoint: "/m", clock: at(0))
        #expect(versions.contains("  removed     1 earlier version for good, because somebody removed it; the log says which, and who\n"))
    }

    @Test func aFullPageIsToldInOrder() throws {
        let page = try page(#"""
            {"version": "0.1.0", "container": "/c", "mountpoint": "/m", "process": 4711, "since": 1772355900, "readOnly": false,
             "memory": 6291456, "requests": {"LOOKUP": 12, "READDIRPLUS": 53, "READ": 0}, "open": ["Swift.url"],
             "documents": {"bookmark": 12, "photo": 1, "text": 0}, "coordination": {"programs": 2, "waiting": 1},
             "drafts": [{"file": "broken.url", "reason": "no URL in it"}],
             "errors": [{"file": "a\nb", "reason": "damaged"}, {"file": "broken.url", "reason": "no URL in it"}], "later": {"x": 1}}
            """#)
        let short = """
            /m
              container   /c
              mounted     for reading and writing, since 2026-03-01 10:05 (2 h 3 min)
              documents   12 bookmarks, 1 photo in the folders looked at
              others      2 programs coordinating, 1 claim waiting
              open        1
                “Swift.url”
              drafts      1
                “broken.url”: no URL in it
                Drafts are unsaved changes: each is saved once it is what its name says and can be saved; until then the last good content is kept.
              errors      1
                “a\\nb”: damaged
                They are shown as they lie in the container; to look closer: valise check /c

            """
        #expect(page.text(mountpoint: "/m", clock: at(1_772_355_900 + 7380)) == short)
        #expect(page.text(mountpoint: "/m", clock: at(1_772_355_900 + 7380), details: true) == short + """
              process     4711
              memory      6.2 MB
              requests    53 READDIRPLUS, 12 LOOKUP

            """)
    }

    /// Only somebody wants to know it who looks for a fault, or for what would be faster.
    @Test func whatWasAgreedOnWithTheKernelIsADetail() throws {
        let page = try page(#"""
            {"kernel": {"protocol": "7.45", "libfuse": "3.14.0", "mostRead": 524288, "mostWrite": 1048576,
             "used": ["readdirplus", "later"], "unused": {"ioUring": "the kernel does not offer it", "writeBack": "it is not wanted"}}}
            """#)
        #expect(!page.text(mountpoint: "/m", clock: at(0)).contains("kernel"))
        #expect(page.text(mountpoint: "/m", clock: at(0), details: true).contains("""
              kernel      FUSE 7.45, libfuse 3.14.0, reads of up to 524.2 kB, writes of up to 1.0 MB
              used        listing with attributes (readdirplus), later
              not used    2
                io_uring: the kernel does not offer it
                write-back caching: it is not wanted

            """))
        #expect(page.kernel?.means == "with listing with attributes (readdirplus), later; without io_uring, write-back caching")
        #expect(StatusReport.Kernel.name(of: "a\nb") == #"a\nb"#)
    }

    @Test(arguments: [
        (#"{"seen": "watch", "watched": 12}"#, "noticed in 12 folders and packages"),
        (#"{"seen": "poll", "reason": "NFS is far"}"#, "looked for each second, because NFS is far"),
        (#"{"seen": "off"}"#, "not looked for"),
    ])
    func howChangesAreSeen(_ changes: String, _ told: String) throws {
        #expect(try page("{\"changes\": \(changes)}").text(mountpoint: "/m", clock: at(0), details: true).contains("  changes     \(told)\n"))
    }

    @Test func whatIsMissingIsLeftOut() throws {
        #expect(try page("{}").text(mountpoint: "/m", clock: at(0)) == """
            /m
              open        none
              drafts      none
              errors      none

            """)
    }

    @Test func valuesOfAnotherTypeAreLeftOut() throws {
        let page = try page(#"{"process": "x", "since": null, "open": "x", "drafts": [1, {}, {"file": 2}], "errors": {}, "requests": {"A": "b"}, "memory": 1e300}"#)
        #expect(page == StatusReport(.object([])))
        #expect(try self.page(#"{"process": -1}"#).process == nil)
        #expect(try self.page(#"{"process": 99999999999}"#).process == nil)
    }

    @Test func aNumberIsAsGoodAsAList() throws {
        #expect(try page(#"{"open": 3}"#).text(mountpoint: "/m", clock: at(0)).contains("  open        3\n"))
    }

    @Test func longListsAreCut() throws {
        let names = (1...100).map { "\"\($0)\"" }.joined(separator: ",")
        let text = try page("{\"open\": [\(names)]}").text(mountpoint: "/m", clock: at(0))
        #expect(text.contains("open        100\n") && text.contains("and 80 more") && !text.contains("“21”"))
    }

    @Test func aClockThatWentBackIsNoTrap() throws {
        #expect(try page(#"{"since": 9223372036854775807}"#).text(mountpoint: "/m", clock: at(5)).contains("since 9223372036854775807"))
        #expect(try page(#"{"since": -9223372036854775808}"#).text(mountpoint: "/m", clock: at(-5)).contains("since"))
    }
}
