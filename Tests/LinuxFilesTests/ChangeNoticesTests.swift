import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@Suite struct ChangeNoticesTests {
    @Test func tellsWhatHappensInAFolder() throws {
        let place = try TemporaryFolder()
        let folder = try place.opened()
        try folder.makeFolder(Name(constant: "package"))
        let notices = try ChangeNotices()
        let top = try notices.watch(folder), inner = try notices.watch(Name(constant: "package"), in: folder)
        #expect(top != inner)
        #expect(try notices.watch(folder) == top)

        let file = try folder.open(Name(constant: "file"), [.readWrite, .create], mode: 0o600)
        try file.write([1, 2, 3], at: 0)
        try file.close()
        try folder.rename(Name(constant: "file"), to: folder, as: Name(constant: "other"))
        _ = try folder.open(Name(constant: "package"), [.path, .folder]).open(Name(constant: "part"), [.write, .create], mode: 0o600)
        try folder.unlink(Name(constant: "other"))
        notices.wait(milliseconds: 60_000)
        let told = notices.take()
        func news(_ watch: WatchID, _ name: StaticString) -> ChangeNotice.News {
            told.filter { $0.watch == watch && $0.name == Name(constant: name) }.reduce(into: []) { $0.formUnion($1.news) }
        }
        #expect(news(top, "file").isSuperset(of: [.created, .content, .closed]))
        #expect(news(top, "file").isDisjoint(with: .arrived))
        #expect(news(top, "other").contains(.arrived))
        #expect(!news(top, "other").isDisjoint(with: .gone))
        #expect(news(inner, "part").isSuperset(of: [.created, .closed]))
    }

    @Test func whatIsNotWatchedAnyMoreIsNotTold() throws {
        let place = try TemporaryFolder()
        let folder = try place.opened()
        let notices = try ChangeNotices()
        let watch = try notices.watch(folder)
        notices.unwatch(watch)
        try folder.makeFolder(Name(constant: "new"))
        #expect(notices.take().allSatisfy { $0.news.contains(.ended) })
    }

    @Test func anythingButAFolderIsRefused() throws {
        let place = try TemporaryFolder()
        let folder = try place.opened()
        try folder.makeSymbolicLink(Name(constant: "link"), to: Array("/".utf8))
        _ = try folder.open(Name(constant: "file"), [.write, .create], mode: 0o600)
        let notices = try ChangeNotices()
        for name in [Name(constant: "link"), Name(constant: "file")] {
            do throws(Errno) {
                _ = try notices.watch(name, in: folder)
                Issue.record("“\(name)” is watched")
            } catch { #expect(error == .notDirectory) }
        }
    }

    @Test func manyAreWatchedAsEachIs() throws {
        let place = try TemporaryFolder()
        let folder = try place.opened(), names = (0..<10).compactMap { Name("folder \($0)") }
        for name in names { try folder.makeFolder(name) }
        let notices = try ChangeNotices()
        let together = ChangeNotices.watchingMany(in: folder) { names.map { try? notices.watch($0, in: folder) } }
        #expect(!together.contains(nil))
        #expect(Set(together).count == names.count)
        #expect(names.map { try? notices.watch($0, in: folder) } == together)
        // In another folder meanwhile, which has none of that name.
        let inner = OpenFile(try folder.open(names[0], [.path, .folder]))
        #expect(ChangeNotices.watchingMany(in: folder) { (try? notices.watch(names[1], in: inner.descriptor)) == nil })
    }

    @Test func aWaitIsEnded() throws {
        let notices = try ChangeNotices()
        notices.wake()
        notices.wake()
        // Would wait for ever.
        notices.wait(milliseconds: nil)
        #expect(notices.take().isEmpty)
    }

    /// Whoever changes things faster than they are taken keeps nobody busy: what is taken is what there was.
    @Test func takingComesToAnEnd() throws {
        let place = try TemporaryFolder()
        let folder = try place.opened()
        let notices = try ChangeNotices()
        _ = try notices.watch(folder)
        let most = try #require(Int(String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8).split(separator: "\n")[0]))
        let isOver = Atomic(false)
        let group = DispatchGroup()
        for number in 0..<4 {
            DispatchQueue.global().async(group: group) {
                guard let one = Name("\(number)"), let other = Name("other \(number)") else { return }
                _ = try? folder.makeFolder(one)
                while !isOver.load(ordering: .relaxed) {
                    try? folder.rename(one, to: folder, as: other)
                    try? folder.rename(other, to: folder, as: one)
                }
            }
        }
        for _ in 0..<20 { #expect(notices.take().count <= most + 1) }
        isOver.store(true, ordering: .relaxed)
        group.wait()
    }
}
