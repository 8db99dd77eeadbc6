import Documents
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers

/// Which kinds of documents a container has: the shipped ones, a person's own, and those that it names itself.
@Suite struct KindsOfAContainerTests {
    private static let scrap = "[scrap]\nextension = scrap\nparts = a.md, info.json\n"

    private func kinds(everybodys: String? = nil, own: String? = nil) throws -> (PersonsKinds, TemporaryFolder) {
        let folder = try TemporaryFolder(), everybody = folder.path + "/kinds"
        try FileManager.default.createDirectory(atPath: folder.path + "/config/valise", withIntermediateDirectories: true)
        try everybodys?.write(toFile: everybody, atomically: true, encoding: .utf8)
        try own?.write(toFile: folder.path + "/config/valise/kinds", atomically: true, encoding: .utf8)
        return (PersonsKinds(everybodys: everybody) { $0 == "XDG_CONFIG_HOME" ? folder.path + "/config" : nil }, folder)
    }

    @Test func whereNothingIsWrittenThereAreTheShippedOnes() throws {
        let (kinds, _) = try kinds()
        #expect(kinds.registry.all == KindRegistry.shipped.all && kinds.mistakes.isEmpty)
    }

    @Test func everybodysComeFirst() throws {
        let (kinds, folder) = try kinds(
            everybodys: Self.scrap, own: "[scrap]\nextension = other\nparts = b.md\n[other]\nextension=scrap\nparts=b.md\n[text]\nextension=words\nparts=b.md\n[mine]\nextension=mine\nparts=b.md\n[ptk]\nextension=ptk\nparts=b\n")
        #expect(kinds.registry.all.map(\.name) == KindRegistry.shipped.all.map(\.name) + ["scrap", "mine"])
        let own = folder.path + "/config/valise/kinds"
        #expect(
            kinds.mistakes == [
                "“\(own)”, line 1: there is a kind “scrap” already", "“\(own)”, line 4: “.scrap” is the extension of the kind “scrap” already",
                "“\(own)”, line 7: there is a kind “text” already", "“\(own)”, line 14: files of many programs end in “.ptk”, and would be none of this kind",
            ])
    }

    /// A person may have a file that is written for everybody, too.
    @Test func theSameKindTwiceIsNoMistake() throws {
        let (kinds, _) = try kinds(everybodys: Self.scrap, own: Self.scrap)
        #expect(kinds.registry.named("scrap") != nil && kinds.mistakes.isEmpty)
    }

    @Test func whatCannotBeReadIsSaid() throws {
        let (_, folder) = try kinds(), everybody = folder.path + "/kinds"
        mkdir(everybody, 0o755)
        let kinds = PersonsKinds(everybodys: everybody) { _ in nil }
        #expect(kinds.mistakes.first?.hasPrefix("“\(everybody)” cannot be read") == true && kinds.registry.all == KindRegistry.shipped.all)
        rmdir(everybody)
    }

    private func container(_ settings: String?, _ kinds: KindRegistry = .shipped) throws -> (Container, TemporaryFolder) {
        let folder = try TemporaryFolder()
        for path in ["/Documents/One.scrap", "/Documents/Empty.scrap", "/.valise"] {
            try FileManager.default.createDirectory(atPath: folder.path + path, withIntermediateDirectories: true)
        }
        chmod(folder.path + "/.valise", 0o700)
        try "one".write(toFile: folder.path + "/Documents/One.scrap/a.md", atomically: true, encoding: .utf8)
        try settings?.write(toFile: folder.path + "/.valise/settings", atomically: true, encoding: .utf8)
        return (try Container.open(folder.path, access: .readWrite, kinds: kinds), folder)
    }

    @Test func aContainerNamesItsKinds() throws {
        let (container, folder) = try container("create = text scrap\n\(Self.scrap)")
        #expect(container.kinds.all.map(\.name).last == "scrap" && container.kindMistakes.isEmpty)
        // A file is never enough to make one.
        #expect(container.creating.map(\.name) == ["text", "rtfd"])
        let one = try container.reader.read(Name(constant: "One.scrap"), in: container.documents.descriptor)
        #expect(one.document?.kind.name == "scrap" && one.status.size == 3)
        let empty = try container.reader.read(Name(constant: "Empty.scrap"), in: container.documents.descriptor)
        #expect(empty.document == nil && empty.fault == nil && empty.status.type == .folder)
        #expect(FileManager.default.fileExists(atPath: folder.path))
        #expect(PackageExtensions.isPackage(Name(constant: "X.scrap")) && !PackageExtensions.isPackage(Name(constant: "X.scrape")))
    }

    @Test func aMistakeThereIsSaid() throws {
        let (container, folder) = try container("create = text\n[scrap]\nextension = scrap\ncolour = red\n")
        #expect(container.kinds.all == KindRegistry.shipped.all)
        #expect(container.kindMistakes.last?.hasPrefix("“\(folder.path)/.valise/settings”, line 4: “colour”") == true, "\(container.kindMistakes)")
    }

    /// Settings that may not be read now are not replaced.
    @Test func whatCannotBeReadIsKept() throws {
        let (kinds, _) = try kinds(own: Self.scrap), (container, folder) = try container(nil, kinds.registry)
        mkdir(folder.path + "/.valise/settings", 0o700)
        let workshop = try Workshop.open(in: container, purpose: "a test"), id = try #require(container.kinds.named("scrap"))
        let address = Address(folder: container.documents, path: [], shown: Name(constant: "One.md"))
        _ = try workshop.commit(.rename(Name(constant: "One.scrap"), id, from: address, to: Address(folder: container.documents, path: [], shown: Name(constant: "Two.md"))))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.valise").contains("settings.new") == false)
    }

    /// Where a drive uses a person's kind, the container names it from then on, and what its settings said before stays.
    @Test func aKindThatIsUsedIsNamed() throws {
        let (kinds, _) = try kinds(own: Self.scrap), (container, folder) = try container("create = text\n# mine\ncolour = red", kinds.registry)
        let workshop = try Workshop.open(in: container, purpose: "a test"), id = try #require(container.kinds.named("scrap"))
        let address = Address(folder: container.documents, path: [], shown: Name(constant: "Two.md"))
        _ = try workshop.commit(.rename(Name(constant: "One.scrap"), id, from: Address(folder: container.documents, path: [], shown: Name(constant: "One.md")), to: address))
        let settings = try String(contentsOfFile: folder.path + "/.valise/settings", encoding: .utf8)
        #expect(settings == "create = text\n# mine\ncolour = red\n\n[scrap]\nextension = scrap\nparts = a.md, info.json\nrequired = a.md\ntype = com.apple.package\n")
        #expect(try Container.open(folder.path, access: .read, kinds: .shipped).kinds.named("scrap") != nil)
        _ = try workshop.commit(.rename(Name(constant: "Two.scrap"), id, from: address, to: Address(folder: container.documents, path: [], shown: Name(constant: "One.md"))))
        #expect(try String(contentsOfFile: folder.path + "/.valise/settings", encoding: .utf8) == settings)
    }
}
