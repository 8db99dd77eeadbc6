import Foundation
import MountTesting
import Testing

private let kernelAsks: Bool = {
    let release = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
    let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= (6, 6)
}()

/// When something was made: `stat` says what the container says, and everything else that it says is the same with that and without.
@Suite(.mounting, .enabled(if: kernelAsks, "kernels before 6.6 do not ask a drive for it")) struct BirthTests {
    @Test func itIsWhatTheContainerSays() throws {
        let container = try TemporaryContainer("""
            bookmark Swift https://x/ stored=Bookmark_Swift-1
            photo Cat png
            text Notes one
            file plain x
            folder Folder
            text Folder/Inner two
            """)
        try run("touch", "-d", "2020-01-01", container.stored("plain")).good()
        try withDrive(container) { drive in
            func said(_ format: String, _ path: String) throws -> String { try run("stat", "-c", format, path).good().output }
            for (shown, stored) in [
                (".", "."), ("Swift.url", "Bookmark_Swift-1"), ("Cat.png", "Cat.ptk"), ("Notes.txt", "Notes.stedoc"), ("plain", "plain"), ("Folder", "Folder"),
                ("Folder/Inner.txt", "Folder/Inner.stedoc"),
            ] {
                let path = drive.path(shown), theirs = try said("%w", container.stored(stored))
                #expect(try said("%w", path) == theirs && theirs != "-\n", "\(shown): \(theirs)")
                // The kernel knows it by now.
                #expect(try said("%w", path) == theirs)
                let facts = "%a %u %g %s %b %h %i %X %y %z %F", with = try said(facts + " %w", path)
                #expect(try with.hasPrefix(said(facts, path).dropLast()), "\(with)")
            }
            // What is new has one, too; what has no name in the container, or is not there, has none.
            let new = try shell("echo new >New.txt; echo new >new.dat; stat -c %W New.txt new.dat", in: drive.mountpoint).good().lines
            #expect(new.count == 2 && new.allSatisfy { (Int($0) ?? 0) > 1_700_000_000 }, "\(new)")
            #expect(try shell("echo x >gone.dat; exec 3<>gone.dat; rm gone.dat; stat -L -c %W /proc/self/fd/3; stat -c %W .valise/status", in: drive.mountpoint).good().lines == ["0", "0"])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may make devices")) func aDeviceKeepsItsNumber() throws {
        let container = try TemporaryContainer("text Notes one")
        try run("mknod", container.stored("device"), "c", "300", "70000").good()
        try withDrive(container, options: "dev") { drive in
            let own = try run("stat", "-c", "%t %T %w", drive.path("device")).good().output
            #expect(try own == run("stat", "-c", "%t %T %w", container.stored("device")).good().output)
        }
    }
}
