import Containers
import LinuxFiles
import Foundation
import MountTesting
import Predicates
import Testing

@testable import Catalog

/// An item as a drive tells it to another program.
@Suite struct FoundItemTests {
    private func item(_ kind: ItemKind) -> FoundItem {
        let item = CatalogItem(
            id: 0, folder: 0, stored: Name(constant: "stored"), shown: Name(constant: "shown"), kind: kind, isHidden: true, size: 7, changed: Moment(nanoseconds: 8), created: nil, url: nil,
            title: [1, 2], fault: "odd", stamp: 0, isNumbered: false)
        return FoundItem(item: item, scope: .documents, folder: [Name(constant: "a")])
    }

    @Test func whatIsToldIsHeard() throws {
        for kind in ItemKind.all(.shipped) {
            let told = item(kind), bytes = told.bytes(called: Name(constant: "on the drive"), in: told.folder), heard = try #require(FoundItem(bytes: bytes[...], .shipped))
            #expect(heard.item.kind == kind && heard.folder == told.folder && heard.item.shown == Name(constant: "on the drive") && heard.item.stored == told.item.stored)
            #expect(heard.item.isHidden && heard.item.size == 7 && heard.item.title == [1, 2] && heard.item.url == nil && heard.item.created == nil)
            #expect(FoundItem(bytes: bytes.dropLast(), .shipped) == nil && FoundItem(bytes: (bytes + [0])[...], .shipped) == nil)
        }
    }

    /// The drive may be of a newer version.
    @Test func anUnknownKindIsAPlainFile() throws {
        var bytes = item(.plain).bytes(called: Name(constant: "shown"), in: [])
        bytes[1] = 200
        #expect(try #require(FoundItem(bytes: bytes[...], .shipped)).item.kind == .plain)
    }

    @Test func packagesAreOfTheTypesThatApplesProgramsName() {
        for (name, type) in [
            "Letter.pages": "com.apple.iwork.pages.sffpages", "Talk.key": "com.apple.iwork.keynote.sffkey",
            "Trip.textbundle": "org.textbundle.package", "Note.rtfd": "com.apple.rtfd", "App.xcodeproj": "com.apple.xcode.project",
            "Live.pvt": "com.apple.private.live-photo-bundle",
        ] {
            #expect(ContentTypeTable.identifier(ofItem: Array(name.utf8), .shipped) == type)
            #expect(ContentTypeTable.tree(of: type).contains("com.apple.package") == !type.contains(".iwork."), "\(name)")
            #expect(ContentTypeTable.tree(of: type).contains("public.item"), "\(name)")
        }
    }

    /// The numbers stand in the protocol, which other programs speak as well: kinds keep their order, and a new one comes last.
    @Test func kindsHaveTheNumbersOfTheProtocol() throws {
        let page = try String(contentsOfFile: Places.inPackage("docs/COORDINATION.md"), encoding: .utf8)
        let numbers = try #require(page.firstMatch(of: /`u8` kind \(([^)]*)\)/)).1.split(separator: ", ").map(String.init)
        #expect(numbers == ItemKind.all(.basic).map { "\($0.code) \($0.name)" })
    }
}
