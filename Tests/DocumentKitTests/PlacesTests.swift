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
