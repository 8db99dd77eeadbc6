@testable import DocumentKit
import Foundation
import MountTesting
import Testing

/// Which folder is an app's container, where a drive is named, or something that is no container.
@Suite(.mounting) struct NamedDriveTests {
    private func names(_ path: String) -> ContainerNames { ContainerNames(environment: ["VALISE_CONTAINER": path, "HOME": "/nonexistent"]) }

    @Test func aDriveIsTheContainerThatItShows() throws {
        let container = try TemporaryContainer("text Notes hello\nfolder Sub"), outside = try TemporaryFolder(), link = outside.path + "/link"
        try withDrive(container) { drive in
            symlink(drive.mountpoint, link)
            for path in [drive.mountpoint, drive.mountpoint + "/", link] {
                #expect(names(path).folder(of: nil)?.path == container.path && names(path).fault(of: nil) == nil, "\(path)")
            }
            #expect(names(drive.path("Sub")).folder(of: nil) == nil)
            #expect(names(drive.path("Sub")).fault(of: nil) == "“\(drive.path("Sub"))” is a folder on a drive, and no container; that of the drive is “\(container.path)”.")
            // And the settings are where all others of the app look for them.
            let store = NSUbiquitousKeyValueStore(container: URL(fileURLWithPath: link))
            store.set("Swift", forKey: "name")
            #expect(store.synchronize())
            #expect(Array(NSUbiquitousKeyValueStore(container: URL(fileURLWithPath: container.path)).dictionaryRepresentation.keys) == ["name"])
        }
        // Or where the drive was told that they lie.
        let elsewhere = outside.path + "/store.plist"
        try withDrive(container, options: "kvs=\(elsewhere)") { drive in
            let store = NSUbiquitousKeyValueStore(container: names(drive.mountpoint).own)
            store.set("elsewhere", forKey: "name")
            #expect(store.synchronize() && FileManager.default.fileExists(atPath: elsewhere))
            let shown = try run("cat", drive.path(".valise/kvs/name")).good()
            #expect(shown.output == "elsewhere\n")
        }
        try withDrive(container, options: "ro") { drive in
            #expect(names(drive.mountpoint).folder(of: nil) == nil && names(drive.mountpoint).fault(of: nil)?.contains("read-only") == true)
        }
    }

    @Test func whatIsNoContainerIsNamed() throws {
        let outside = try TemporaryFolder(), file = outside.path + "/file", none = outside.path + "/none"
        try Data().write(to: URL(fileURLWithPath: file))
        for (path, why) in [(file, "is no folder"), (none, "is not there"), ("none", "is no path from “/” on")] {
            #expect(names(path).folder(of: nil) == nil && names(path).fault(of: nil) == "“\(path)” \(why).")
        }
        #expect(names("").fault(of: nil) == nil && names(outside.path).fault(of: nil) == nil)
        // By whatever identifier.
        #expect(names(none).fault(of: "TEAM.com.example.App") == "“\(none)” is not there." && names(outside.path).folder(of: "TEAM.com.example.App")?.path == outside.path)
        #expect(names("").folder(of: "A.b") == nil)
        #expect(names("").fault(of: "A.b") == "“A.b” has no line in “/nonexistent/.config/valise/containers”, and VALISE_CONTAINER names no folder.")
    }

    @Test func aLineNamesTheContainerOfItsIdentifier() throws {
        let folder = try TemporaryFolder(), one = folder.path + "/one", two = folder.path + "/two"
        for path in [one, two, folder.path + "/config", folder.path + "/config/valise"] { mkdir(path, 0o755) }
        try "A.b = \(one)\nC.d = \(two)\n".write(toFile: folder.path + "/config/valise/containers", atomically: true, encoding: .utf8)
        let names = ContainerNames(environment: ["HOME": "/nonexistent", "XDG_CONFIG_HOME": folder.path + "/config"])
        #expect(names.folder(of: nil)?.path == one && names.folder(of: "C~d")?.path == two && names.folder(of: "E.f") == nil)
        #expect(names.fault(of: nil) == nil && names.fault(of: "C.d") == nil && names.fault(of: "E.f")?.contains("has no line in") == true)
        let other = ContainerNames(environment: ["HOME": "/nonexistent", "XDG_CONFIG_HOME": folder.path + "/config", "VALISE_CONTAINER": one])
        #expect(other.folder(of: "C.d")?.path == one)
    }
}
