@testable import DocumentKit
import Foundation
import LinuxFiles
import MountTesting
import Testing

/// Where a URL leads to, for documents and for queries alike.
@Suite struct PlacesTests {
    /// A container without a folder for its documents: a link of that name is an item like any other, as where it is opened.
    @Test func aLinkCalledDocumentsIsNoFolderOfDocuments() throws {
        let container = try TemporaryContainer("text Notes hello\nfolder Elsewhere")
        mkdir(container.stored(".valise"), 0o700)
        try FileManager.default.createSymbolicLink(atPath: container.stored("Documents"), withDestinationPath: "Elsewhere")
        let notes = URL(fileURLWithPath: container.stored("Notes.stedoc")), searched = try #require(SearchedPlace(notes))
        #expect(searched.scope == .documents && searched.names.map(\.text) == ["Notes.stedoc"])
        let item = try ItemPlace(notes)
        guard case .container = item.home else { throw Failed("“\(notes.path)” leads into no container") }
        #expect(item.path.names.map(\.text) == ["Notes.stedoc"])
    }

    private func container(of item: ItemPlace) -> String? {
        guard case .container(let coordinator) = item.home else { return nil }
        return coordinator.reading.path
    }

    /// What is known of a folder holds until something changes on the way to it.
    @Test func aFolderThatChangesIsLookedAtAgain() throws {
        let outer = try TemporaryContainer("folder Sub\nfolder Sub/Deep\ntext Sub/Deep/One 1\ntext Sub/Deep/Two 2")
        mkdir(outer.stored(".valise"), 0o700)
        func look(_ name: String) throws -> ItemPlace {
            // Twice, and after a moment: what changed just now is not kept.
            usleep(50_000)
            _ = try ItemPlace(URL(fileURLWithPath: outer.stored(name)))
            return try ItemPlace(URL(fileURLWithPath: outer.stored(name)))
        }
        for name in ["One", "Two", "Nothing"] {
            let item = try look("Sub/Deep/\(name).stedoc")
            #expect(container(of: item) == outer.path && item.path.names.map(\.text) == ["Sub", "Deep", "\(name).stedoc"])
        }
        // Another container between, with and without documents of its own; and none any more.
        mkdir(outer.stored("Sub/.valise"), 0o700)
        let item = try look("Sub/Deep/One.stedoc")
        #expect(container(of: item) == outer.stored("Sub") && item.path.names.map(\.text) == ["Deep", "One.stedoc"])
        mkdir(outer.stored("Sub/Documents"), 0o700)
        #expect(container(of: try look("Sub/Deep/One.stedoc")) == nil)
        rmdir(outer.stored("Sub/Documents"))
        rmdir(outer.stored("Sub/.valise"))
        #expect(container(of: try look("Sub/Deep/One.stedoc")) == outer.path)
        // A document's own folder that is a container by now.
        mkdir(outer.stored("Sub/Deep/Package.ptk"), 0o700)
        #expect(container(of: try look("Sub/Deep/Package.ptk")) == outer.path)
        mkdir(outer.stored("Sub/Deep/Package.ptk/.valise"), 0o700)
        #expect(container(of: try ItemPlace(URL(fileURLWithPath: outer.stored("Sub/Deep/Package.ptk")))) == outer.stored("Sub/Deep/Package.ptk"))
        // The same name leads elsewhere.
        #expect(container(of: try look("Sub/Deep/Two.stedoc")) == outer.path)
        rename(outer.stored("Sub"), outer.stored("Real"))
        symlink("Real", outer.stored("Sub"))
        #expect(try look("Sub/Deep/One.stedoc").path.names.map(\.text) == ["Real", "Deep", "One.stedoc"])
        // No container any more.
        rmdir(outer.stored(".valise"))
        #expect(container(of: try look("Real/Deep/One.stedoc")) == nil)
    }

    /// Numbers of mounts and devices are given again: what is known of a drive that is gone is not said of the next one.
    @Test(.mounting) func eachDriveIsOfItsOwnContainer() throws {
        for _ in 0..<4 {
            let container = try TemporaryContainer("text Notes hello")
            try withDrive(container) { drive in
                let place = try ItemPlace(URL(fileURLWithPath: drive.path("Notes.txt")))
                #expect(place.drive?.container == container.path)
            }
        }
    }
}
