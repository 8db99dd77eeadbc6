import Containers
import Documents
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Catalog

/// Checksums of packages' parts outlive the drive that found them, and count as long as each part is the file that it was.
@Suite struct KeptSumsTests {
    private let searched: SearchedContainer
    private let part: String
    private let package: OpenFile
    private var place: CatalogPlace { .file(folder: searched.made.beside("cache"), name: "catalog") }

    init() throws {
        searched = try SearchedContainer("file Letter.pages/Index.zip 'index'")
        part = searched.made.path + "/Letter.pages/Index.zip"
        package = OpenFile(try Descriptor.atPath(searched.made.path + "/Letter.pages", [.path, .folder]))
        try age(to: 1_700_000_000)
    }

    /// Long ago for who looks, whatever the clock of the store says.
    private func age(to seconds: Int) throws {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: part)
        while try Descriptor.atPath(part, .path).status().isUnsettled { usleep(5000) }
    }

    /// What the flat file's first header says of its part.
    private func sum(_ sums: PartSums) throws -> [UInt8] {
        let form = try #require(searched.container.kinds.named("pages")?.kind.flat)
        return try Array(FlatPackage(package, form, sums).bytes(at: 14, count: 4))
    }

    @Test func theNextDriveKnowsThem() throws {
        let first = PartSums(), right = try sum(first)
        let found = first.takeFound()
        #expect(found.count == 1 && first.takeFound() == [])
        // Another number than the right one shows whether it is believed.
        let kept = try #require(found.first)
        let other = PartSums.Found(kept.identity, size: kept.size, modified: kept.modified, changed: kept.changed, sum: 0x0403_0201)
        let catalog = try searched.catalog(place)
        catalog.keep(found + [other])
        catalog.close()
        let second = PartSums(), next = try searched.catalog(place)
        next.learnSums(into: second)
        #expect(try sum(second) == [1, 2, 3, 4])
        #expect(second.takeFound() == [])
        // The part is another one by its time alone.
        try age(to: 1_700_000_001)
        #expect(try sum(second) == right)
        next.keep(second.takeFound())
        next.close()
        let third = PartSums()
        try searched.catalog(place).learnSums(into: third)
        #expect(try sum(third) == right)
        #expect(third.takeFound() == [])
    }

    @Test func withoutAFileNothingIsKept() throws {
        let sums = PartSums(), right = try sum(sums), catalog = try searched.catalog()
        catalog.keep(sums.takeFound())
        let none = PartSums()
        catalog.learnSums(into: none)
        #expect(try sum(none) == right)
        #expect(none.takeFound().count == 1)
    }
}
