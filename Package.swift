// swift-tools-version: 6.2
// The targets are the architecture: each names the ones below it, and none imports one above it.

import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety()]

func layer(_ name: String, _ below: [Target.Dependency], linker: [LinkerSetting] = []) -> Target {
    .target(name: name, dependencies: below, swiftSettings: strict, linkerSettings: linker)
}

func suite(_ name: String, _ tested: [Target.Dependency], resources: [Resource] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: tested, exclude: exclude, resources: resources)
}

let package = Package(
    name: "Valise",
    products: [
        .library(name: "Valise", targets: ["LinuxFiles", "PropertyLists", "KeyedArchives", "Documents", "Containers", "Coordination"]),
        .executable(name: "valise", targets: ["valise"]),
    ],
    targets: [
        .target(name: "CLinux", path: "Module/CLinux"),
        .target(name: "CFuse3", path: "Module/CFuse3", linkerSettings: [.linkedLibrary("fuse3")]),

        layer("LinuxFiles", ["CLinux"]),
        layer("PropertyLists", []),
        layer("KeyedArchives", ["PropertyLists"]),
        layer("Documents", ["KeyedArchives", "PropertyLists"]),
        layer("Containers", ["LinuxFiles", "Documents", "KeyedArchives", "PropertyLists"]),
        layer("Coordination", ["Containers", "LinuxFiles"]),
        layer("Drive", ["Coordination", "Containers", "Documents", "LinuxFiles"]),
        layer("FuseBridge", ["CFuse3", "Drive", "LinuxFiles"]),
        layer("Shell", ["Documents"]),
        .executableTarget(
            name: "valise",
            dependencies: ["Shell", "FuseBridge", "Drive", "Coordination", "Containers", "Documents", "LinuxFiles", "KeyedArchives", "PropertyLists"],
            swiftSettings: strict),

        suite("LinuxFilesTests", ["LinuxFiles"]),
        suite("PropertyListsTests", ["PropertyLists"]),
        suite("KeyedArchivesTests", ["KeyedArchives", "PropertyLists"]),
        suite("DocumentsTests", ["Documents", "KeyedArchives", "PropertyLists"]),
        suite("CoordinationTests", ["Coordination"]),
        suite("ShellTests", ["Shell"]),

        // Operations on a container whose calls go wrong, each in a process of its own. The suite runs the trial and does not
        // link it, or every call of every suite would go through there.
        .target(name: "CallFaults", path: "Tests/CallFaults"),
        .executableTarget(name: "ContainerTrial", dependencies: ["CallFaults", "Containers", "Documents", "LinuxFiles"], path: "Tests/ContainerTrial"),
        suite("CrashTests", ["Containers", "Documents", "LinuxFiles", "PropertyLists"]),
    ],
    swiftLanguageModes: [.v6])
