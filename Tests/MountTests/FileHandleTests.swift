import Foundation
import MountTesting
import Testing

/// File handles, by which an NFS server names files: one leads to its document, or nowhere; never to another one.
@Suite(.mounting) struct FileHandleTests {
    private func handles(_ words: [String]) throws -> [String] {
        try Program(["python3", Places.support("file_handles.py")] + words).wait().good().lines
    }

    @Test func aHandleFollowsItsDocument() throws {
        let container = try TemporaryContainer("text Notes Bread\ntext Other Apples\nfolder Album")
        try withDrive(container) { drive in
            let taken = try handles(["take", drive.path("Notes.txt"), drive.path("Other.txt")])
            #expect(try handles(["open", drive.mountpoint] + taken) == ["Bread", "Apples"])
            try shell("mv Notes.txt Album/List.txt; echo Pears >>Album/List.txt; rm Other.txt; echo Plums >Other.txt", in: drive.mountpoint).good()
            #expect(try handles(["open", drive.mountpoint] + taken) == ["BreadPears|", "Stale file handle"])
        }
    }

    @Test func noHandleOutlivesTheMountAsAnother() throws {
        let container = try TemporaryContainer("text A first\ntext B second\ntext C third")
        let taken = try withDrive(container) { drive in try handles(["take"] + ["A", "B", "C"].map { drive.path($0 + ".txt") }) }
        // What is found in another order gets the numbers of others.
        try shell("rm A.stedoc; for name in X Y Z; do printf other >$name.stedoc; done", in: container.path).good()
        try withDrive(container) { drive in
            try run("ls", "-l", drive.mountpoint).good()
            #expect(try handles(["open", drive.mountpoint] + taken) == Array(repeating: "Stale file handle", count: 3))
        }
    }
}
