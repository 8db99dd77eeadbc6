import DocumentKit
import Foundation
import MountTesting
import Testing

/// The presenter of a folder beside a drive: how an app sees what a sync tool brings, and what programs do on the drive.
@Suite(.mounting, .timeLimit(.minutes(40))) struct FolderPresenterTests {
    private struct Watched {
        let container: TemporaryContainer, drive: MountedDrive
        let top: SpokenPresenter, album: SpokenPresenter

        /// `C` is the container, `D` the drive; `OWN` runs a command in a claim for writing.
        func run(_ command: String) throws {
            let own = "OWN() { \(Places.built)/valise coordinate --write \"$1\" -- sh -c \"$2\" x \"$1\"; }"
            try shell("set -e; \(own); C='\(container.path)'; D='\(drive.mountpoint)'; cd \"$C\"; " + command).good()
        }

        func told(_ presenter: SpokenPresenter) -> [String] { presenter.said.all.filter { !["reader", "writer", "save", "again"].contains($0) } }

        /// Runs one after the other, and waits after each until both have been told what it says.
        func tellsBoth(_ steps: [(command: String, words: [String])]) throws {
            for (command, words) in steps {
                try run(command)
                for presenter in [top, album] { #expect(waits(for: words, presenter), "\(command): \(told(presenter))") }
            }
        }

        func waits(for words: [String], _ presenter: SpokenPresenter) -> Bool { eventually { Set(words).isSubset(of: told(presenter)) } }
    }

    private func watching(_ body: (Watched) throws -> Void) throws {
        let container = try TemporaryContainer("text Album/Notes one\ntext Other two")
        try withDrive(container) { drive in
            let urls = [container.path, container.stored("Album")].map { URL(fileURLWithPath: $0, isDirectory: true) }
            let watched = Watched(container: container, drive: drive, top: SpokenPresenter(urls[0]), album: SpokenPresenter(urls[1]))
            defer { [watched.top, watched.album].forEach { $0.end() } }
            try body(watched)
        }
    }

    /// By programs that do not coordinate: what is new, changed, renamed, moved and gone, in the folder and in those below.
    @Test func whatOthersDoBesideTheDriveIsTold() throws {
        try watching { watched in
            try watched.tellsBoth([
                ("echo x >Album/New.stedoc", ["changed New.stedoc"]), ("echo x >Album/plain.dat", ["changed plain.dat"]),
                ("mkdir -p Album/Sub/Deep; echo x >Album/Sub/Deep/a.dat", ["changed Sub", "changed Deep", "changed a.dat"]),
                ("echo y >>Album/Sub/Deep/a.dat; mkdir Album/Sub/Deep/More", ["changed More"]), ("echo z >Album/Sub/Deep/More/b.stedoc", ["changed b.stedoc"]),
                ("mv Album/New.stedoc Album/Newer.stedoc", ["moved New.stedoc Newer.stedoc"]), ("mv Album/plain.dat Album/Sub/flat.dat", ["moved plain.dat flat.dat"]),
                ("rm Album/Newer.stedoc", ["deleted Newer.stedoc"]), ("rm -r Album/Sub/Deep/More", ["deleted More"]),
                ("mv Album/Sub Album/Below; echo soon >Album/Below/Deep/b.dat", ["moved Sub Below", "changed b.dat"]), ("echo later >Album/Below/c.dat", ["changed c.dat"]),
            ])
            try watched.run("mv Album/Below .; echo x >top.dat")
            #expect(watched.waits(for: ["moved Below Below", "changed top.dat"], watched.top), "\(watched.told(watched.top))")
            #expect(watched.waits(for: ["moved Below Below"], watched.album))
            let moved = watched.told(watched.album)
            #expect(!moved.contains("changed top.dat") && !moved.contains("deleted Sub") && !moved.contains("deleted Below") && !moved.contains("deleted New.stedoc"), "\(moved)")
            #expect(!moved.contains("changed") && !moved.contains("changed flat.dat"), "\(moved)")
        }
    }

    /// In an access of its own, of the item or of what is in it, at once and in place. What others write then is told.
    @Test func whatAPresenterWritesItselfIsNotToldToIt() throws {
        try watching { watched in
            let note = SpokenPresenter(URL(fileURLWithPath: watched.container.stored("Album/Notes.stedoc")))
            defer { note.end() }
            func write(_ presenter: SpokenPresenter, _ name: String, _ text: String, _ options: Data.WritingOptions) {
                let url = URL(fileURLWithPath: watched.container.stored("Album/\(name)"))
                NSFileCoordinator(filePresenter: presenter).coordinate(writingItemAt: url, error: nil) { try? Data(text.utf8).write(to: $0, options: options) }
            }
            for options in [.atomic, []] as [Data.WritingOptions] {
                write(note, "Notes.stedoc", "mine", options)
                write(note, "Notes.stedoc", "mine again", options)
                write(watched.album, "Own.stedoc", "the folder's", options)
            }
            try watched.run("echo fence >Album/fence.dat")
            for presenter in [watched.top, watched.album] { #expect(watched.waits(for: ["changed fence.dat", "changed Notes.stedoc"], presenter)) }
            #expect(watched.waits(for: ["changed Own.stedoc"], watched.top))
            #expect(watched.told(note) == [], "\(watched.told(note))")
            #expect(!watched.told(watched.album).contains("changed Own.stedoc"))
            try watched.run("echo theirs >Album/Notes.stedoc; echo theirs >Album/Own.stedoc")
            #expect(watched.waits(for: ["changed"], note))
            #expect(watched.waits(for: ["changed Own.stedoc"], watched.album))
        }
    }

    /// Made, written, renamed and removed on the drive: each is told, and a write is told once.
    @Test func whatIsDoneOnTheDriveIsToldOnce() throws {
        try watching { watched in
            try watched.tellsBoth([
                ("echo a >\"$D/Album/Made.txt\"", ["changed Made.stedoc"]), ("echo c >\"$D/Album/made.dat\"", ["changed made.dat"]),
                ("mkdir \"$D/Album/Inner\"; touch \"$D/Album/Inner/empty.dat\"; ln -s x \"$D/Album/Inner/link\"", ["changed Inner", "changed empty.dat", "changed link"]),
                ("echo beside >Album/Inner/beside.dat", ["changed beside.dat"]), ("ln \"$D/Album/made.dat\" \"$D/Album/second.dat\"", ["changed second.dat"]),
                ("mv \"$D/Album/Made.txt\" \"$D/Album/Done.txt\"", ["moved Made.stedoc Done.stedoc"]), ("rm -r \"$D/Album/Inner\"", ["deleted Inner"]),
                // In a claim, by its place in the container and by the drive; a new one has another name there than was claimed.
                ("echo mine >.prepared; OWN \"$C/Album/Notes.stedoc\" 'mv .prepared \"$1\"'", ["changed Notes.stedoc"]),
                ("OWN \"$D/Album/Done.txt\" 'echo more >>\"$1\"'", ["gained Done.stedoc false"]), ("OWN \"$D/Album/Fresh.txt\" 'echo fresh >\"$1\"'", ["changed Fresh.stedoc"]),
                ("echo fence >Album/fence.dat", ["changed fence.dat"]),
            ])
            let told = watched.told(watched.album)
            for (word, count) in [("changed Made.stedoc", 1), ("changed made.dat", 1), ("changed Notes.stedoc", 1), ("changed Done.stedoc", 1), ("changed Fresh.stedoc", 1), ("deleted Fresh.txt", 0), ("changed", 0)] {
                #expect(told.count { $0 == word } == count, "\(word): \(told)")
            }
        }
    }
}
