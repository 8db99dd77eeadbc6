// swift-tools-version: 6.2
// The targets are the architecture: each names the ones below it, and none imports one above it. docs/ARCHITECTURE.md has them
// in a table, and Tests/ArchitectureTests holds this file and every import against it.

import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety()]

/// Of what tests compute very much with: also in a debug build.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
/// Of what the crash trials compute with, where all of them are tried (`.ci/run` says so), and with the checks of a debug build.
/// Not otherwise: a package that depends on this one may have no such flags, and who works on it wants to build soon.
let forTrials: [SwiftSetting] =
    Context.environment["VALISE_TEST_RUN"] == nil
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

func layer(_ name: String, _ below: [Target.Dependency], also settings: [SwiftSetting] = [], linker: [LinkerSetting] = []) -> Target {
    .target(name: name, dependencies: below, swiftSettings: strict + settings, linkerSettings: linker)
}

func suite(
    _ name: String, _ tested: [Target.Dependency], resources: [Resource] = [], exclude: [String] = [], also settings: [SwiftSetting] = []
) -> Target {
    .testTarget(name: name, dependencies: tested, exclude: exclude, resources: resources, swiftSettings: settings)
}

// Where distributions keep them. Not by pkg-config: the package manager warns of flags in glib's that it does not take.
let pixbufHeaders = [
    "/usr/include/gdk-pixbuf-2.0", "/usr/include/glib-2.0", "/usr/lib/x86_64-linux-gnu/glib-2.0/include",
    "/usr/lib/aarch64-linux-gnu/glib-2.0/include", "/usr/lib64/glib-2.0/include", "/usr/lib/glib-2.0/include",
]

let package = Package(
    name: "Valise",
    products: [
        .library(name: "Valise", targets: ["LinuxFiles", "PropertyLists", "KeyedArchives", "Documents", "Transactions", "Containers", "Checking", "Coordination"]),
        .library(name: "DocumentKit", targets: ["DocumentKit"]),
        .executable(name: "valise", targets: ["valise"]),
        .executable(name: "valise-thumbnailer", targets: ["valise-thumbnailer"]),
        .executable(name: "valise-pages", targets: ["valise-pages"]),
    ],
    targets: [
        .target(name: "CLinux", path: "Module/CLinux"),
        .target(name: "CFuse3", path: "Module/CFuse3", linkerSettings: [.linkedLibrary("fuse3")]),
        .target(
            name: "CPixbuf", path: "Module/CPixbuf", cSettings: [.unsafeFlags(pixbufHeaders.map { "-I" + $0 })],
            linkerSettings: ["gdk_pixbuf-2.0", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }),
        // By the name under which it is there without anything for developers.
        .target(name: "CSQLite", path: "Module/CSQLite", linkerSettings: [.linkedLibrary(":libsqlite3.so.0")]),

        .target(name: "CHash", path: "Module/CHash"),

        layer("LinuxFiles", ["CLinux"], also: forTrials),
        layer("Thumbnails", ["LinuxFiles"]),
        layer("CalendarDays", []),
        layer("JSONValues", []),
        layer("PropertyLists", ["CalendarDays"], also: forTrials),
        layer("ZipFiles", ["CalendarDays", "PropertyLists"], also: forTrials),
        layer("KeyedArchives", ["PropertyLists"], also: forTrials),
        layer("Documents", ["KeyedArchives", "PropertyLists", "ZipFiles"], also: forTrials),
        layer("BookmarkFiles", ["CalendarDays", "PropertyLists"], also: forTrials),
        layer("Transactions", ["LinuxFiles"], also: forTrials),
        layer("Containers", ["LinuxFiles", "Documents", "PropertyLists", "Transactions", "ZipFiles"], also: forTrials),
        layer("Checking", ["LinuxFiles", "Documents", "PropertyLists", "Transactions", "Containers"], also: forTrials),
        layer("Predicates", ["CalendarDays"]),
        layer("Hashes", ["CHash"], also: optimized),
        layer("Replication", ["Hashes"], also: optimized),
        layer("Databases", ["CSQLite", "LinuxFiles"]),
        layer("Backups", ["CalendarDays", "Databases", "KeyedArchives", "LinuxFiles", "PropertyLists"]),
        layer("Shares", ["Databases", "Hashes", "LinuxFiles", "Replication"]),
        layer("Catalog", ["Containers", "Databases", "Documents", "LinuxFiles", "Predicates"]),
        layer("Coordination", ["Containers", "Documents", "LinuxFiles"]),
        layer("Imports", ["BookmarkFiles", "Containers", "Coordination", "Databases", "Documents", "Hashes", "LinuxFiles", "PropertyLists"]),
        layer("KeyValueStore", ["CalendarDays", "Containers", "JSONValues", "LinuxFiles", "PropertyLists"], also: forTrials),
        layer("Drive", ["Catalog", "Coordination", "Containers", "Documents", "KeyValueStore", "LinuxFiles", "Predicates", "PropertyLists", "Thumbnails"]),
        layer("BackupDrive", ["Backups", "Drive", "JSONValues", "LinuxFiles"]),
        layer("FuseBridge", ["CFuse3", "Drive", "LinuxFiles"]),
        layer("Shell", ["CalendarDays", "Documents", "JSONValues"]),
        layer("DocumentKit", ["Catalog", "KeyValueStore", "Coordination", "Containers", "KeyedArchives", "PropertyLists", "LinuxFiles", "Predicates"]),
        .executableTarget(
            name: "valise",
            dependencies: ["Shell", "FuseBridge", "BackupDrive", "Backups", "Drive", "Catalog", "Checking", "Coordination", "Containers", "Documents", "Imports", "BookmarkFiles", "KeyValueStore", "LinuxFiles", "Predicates", "PropertyLists", "Thumbnails"],
            swiftSettings: strict),
        // Manual pages and completions, written when Valise is installed.
        .executableTarget(name: "valise-pages", dependencies: ["Shell", "Documents"], swiftSettings: strict),
        .executableTarget(name: "valise-thumbnailer", dependencies: ["CPixbuf", "Documents", "LinuxFiles", "Thumbnails"], swiftSettings: strict),

        // Numbers at random that are the same on every run.
        .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: optimized),

        // A process that gives up its rights and tries what is left to it.
        .executableTarget(name: "SandboxTrial", dependencies: ["CLinux", "LinuxFiles"], path: "Tests/SandboxTrial"),
        suite("LinuxFilesTests", ["LinuxFiles", "MountTesting", "SandboxTrial"]),
        .target(name: "PlistSupport", dependencies: ["PropertyLists"], path: "Tests/Support/PlistSupport"),
        suite("CalendarDaysTests", ["CalendarDays"]),
        suite("PropertyListsTests", ["PropertyLists", "SeededNumbers"]),
        suite("ZipFilesTests", ["MountTesting", "PropertyLists", "SeededNumbers", "ZipFiles"], exclude: ["foreign.py", "hostile.py"]),
        suite("KeyedArchivesTests", ["KeyedArchives", "PropertyLists", "PlistSupport"]),
        suite("DocumentsTests", ["Documents", "KeyedArchives", "MountTesting", "PropertyLists", "PlistSupport", "SeededNumbers"]),
        suite("BookmarkFilesTests", ["BookmarkFiles", "MountTesting", "PropertyLists", "SeededNumbers"]),
        suite("HashesTests", ["Hashes", "SeededNumbers"]),
        // How long facts take, for Benchmarks/devices.py.
        .executableTarget(name: "ReplicationSpeed", dependencies: ["Hashes", "Replication", "SeededNumbers"], path: "Tests/ReplicationSpeed"),
        .executableTarget(name: "ShareSpeed", dependencies: ["Hashes", "LinuxFiles", "Replication", "SeededNumbers", "Shares"], path: "Tests/ShareSpeed"),
        // Worlds of devices in which all goes wrong, for the suite and for Tests/Worlds/run.
        .target(name: "DeviceWorlds", dependencies: ["Hashes", "Replication", "SeededNumbers"], path: "Tests/DeviceWorlds", swiftSettings: optimized),
        .executableTarget(name: "WorldTrial", dependencies: ["DeviceWorlds"], path: "Tests/WorldTrial"),
        suite("ReplicationTests", ["DeviceWorlds", "Hashes", "MountTesting", "Replication", "SeededNumbers"], exclude: ["views.txt"]),
        // A computer that takes part in a share, for its tests and for ContainerTrial.
        .target(name: "ShareComputers", dependencies: ["Databases", "Hashes", "LinuxFiles", "Replication", "SeededNumbers", "Shares"], path: "Tests/ShareComputers"),
        suite("SharesTests", ["Databases", "DeviceWorlds", "Hashes", "LinuxFiles", "MountTesting", "Replication", "SeededNumbers", "ShareComputers", "Shares"]),
        .target(name: "RandomPredicates", dependencies: ["SeededNumbers"], path: "Tests/RandomPredicates"),
        suite("PredicatesTests", ["Predicates", "RandomPredicates"], exclude: ["evaluate.py", "items.json", "predicates.txt"]),
        suite("CatalogTests", ["Catalog", "Containers", "Databases", "Documents", "LinuxFiles", "MountTesting", "Predicates", "RandomPredicates", "SeededNumbers", "valise"]),
        // A kind of documents that is not shipped.
        .target(name: "TextBundles", dependencies: ["Containers", "Documents", "PropertyLists", "ZipFiles"], path: "Tests/TextBundles"),
        suite("ContainersTests", ["Catalog", "Checking", "Containers", "Documents", "LinuxFiles", "MountTesting", "Predicates", "SeededNumbers", "TextBundles", "Transactions"]),
        suite("BackupsTests", ["Backups", "LinuxFiles", "MountTesting", "PropertyLists", "SeededNumbers", "valise"]),
        suite("CoordinationTests", ["Coordination", "Containers", "LinuxFiles", "MountTesting", "ClaimTrial", "SeededNumbers", "valise"]),
        // A process that claims items, to be started many times.
        .executableTarget(name: "ClaimTrial", dependencies: ["Coordination", "Containers", "LinuxFiles", "SeededNumbers"], path: "Tests/ClaimTrial"),
        suite("DriveTests", ["Catalog", "Drive", "Containers", "Coordination", "Databases", "KeyValueStore", "LinuxFiles", "MountTesting", "Predicates", "PropertyLists", "SeededNumbers", "TextBundles"]),
        // A drive whose kernel is played by the test.
        suite("FuseBridgeTests", ["CFuse3", "FuseBridge", "Drive", "Containers", "LinuxFiles", "MountTesting"]),
        suite("ShellTests", ["Shell"]),
        // A process that takes locks and lanes in a wrong order, which a debug build does not survive.
        .executableTarget(name: "WrongOrderTrial", dependencies: ["Coordination", "LinuxFiles"], path: "Tests/WrongOrderTrial"),
        // What docs/ARCHITECTURE.md and CONTRIBUTING.md say of the sources, held against them.
        suite("ArchitectureTests", ["LinuxFiles", "MountTesting", "WrongOrderTrial"]),

        suite("KeyValueStoreTests", ["KeyValueStore", "Containers", "LinuxFiles", "MountTesting", "PropertyLists", "SeededNumbers", "valise"]),
        // A process that drives a document through its life.
        .executableTarget(name: "DocumentTrial", dependencies: ["Coordination", "DocumentKit"], path: "Tests/DocumentTrial"),
        // What is in an archive, as ours and Foundation's unarchiver have it.
        .executableTarget(name: "ArchiveTrial", dependencies: ["DocumentKit"], path: "Tests/ArchiveTrial"),
        // An app with one text open, for Tests/Apps/run.
        .executableTarget(name: "EditingTrial", dependencies: ["DocumentKit"], path: "Tests/EditingTrial"),
        // A small app that none of the stories is about, ported by the words of docs/PORTING.md, for Tests/Apps/notebook.
        .executableTarget(name: "NotebookTrial", dependencies: ["DocumentKit"], path: "Tests/NotebookTrial"),
        // The first program of docs/PORTING.md, word for word.
        .executableTarget(name: "FirstProgram", dependencies: ["DocumentKit"], path: "Tests/FirstProgram"),
        // How long that takes, for Benchmarks/documentkit.py.
        .executableTarget(name: "DocumentSpeed", dependencies: ["DocumentKit"], path: "Tests/DocumentSpeed"),
        // The models of the apps in Examples, which is a package of its own: there is one copy of them.
        .target(name: "AppSupport", dependencies: ["DocumentKit"], path: "Examples/AppSupport"),
        .target(name: "CloudyKeyValueModel", dependencies: ["DocumentKit"], path: "Examples/CloudyKeyValue/Model"),
        .target(name: "CloudyModel", dependencies: ["AppSupport", "DocumentKit"], path: "Examples/Cloudy/Model"),
        .target(name: "TextEditorModel", dependencies: ["AppSupport", "DocumentKit"], path: "Examples/TextEditor/Model"),
        .target(name: "PhotoKeeperModel", dependencies: ["AppSupport", "DocumentKit"], path: "Examples/PhotoKeeper/Model"),
        // What valise-window knows of drives. It is in Window, which is a package of its own; this is that copy, so that its tests need no GTK.
        .target(name: "WindowModel", path: "Window/Model"),
        suite("WindowModelTests", ["WindowModel", "MountTesting", "valise"]),
        suite("DocumentKitTests", ["DocumentKit", "CloudyKeyValueModel", "CloudyModel", "PhotoKeeperModel", "ArchiveTrial", "DocumentSpeed", "DocumentTrial", "EditingTrial", "FirstProgram", "KeyValueStore", "MountTesting", "NotebookTrial", "SeededNumbers", "TextEditorModel", "valise"]),

        // Operations on a container whose calls go wrong, each in a process of its own. The suite runs the trial and does not
        // link it, or every call of every suite would go through there.
        .target(name: "CallFaults", path: "Tests/CallFaults"),
        .executableTarget(name: "ContainerTrial", dependencies: ["CallFaults", "Containers", "Documents", "KeyValueStore", "LinuxFiles", "PropertyLists", "ShareComputers", "Shares", "TextBundles"], path: "Tests/ContainerTrial", swiftSettings: forTrials),
        suite("CrashTests", ["Containers", "Documents", "KeyValueStore", "LinuxFiles", "MountTesting", "PropertyLists", "ShareComputers", "Shares", "TextBundles", "Transactions"], exclude: ["decode_container.py"], also: forTrials),
        suite("ThumbnailTests", ["Thumbnails", "LinuxFiles", "MountTesting", "SeededNumbers", "valise", "valise-thumbnailer"]),

        // What tests on real mounts have in common. They depend on `valise` so that it is there to be run.
        .target(name: "MountTesting", path: "Tests/MountTesting"),
        // What reads from outside, given bytes that nobody meant. Needed by its tests and by Tests/Support/fuzz.sh.
        .executableTarget(
            name: "Fuzzing",
            dependencies: ["Backups", "BookmarkFiles", "CFuse3", "Databases", "FuseBridge", "Drive", "Coordination", "Containers", "Documents", "KeyValueStore", "KeyedArchives", "PropertyLists", "Hashes", "LinuxFiles", "Replication", "Shares", "Shell", "Thumbnails", "Transactions", "SeededNumbers", "ZipFiles"],
            path: "Tests/Fuzzing"),
        suite("MountTests", ["MountTesting", "valise", "valise-thumbnailer", "Fuzzing"]),
        suite("SystemTests", ["DocumentTrial", "MountTesting", "valise", "valise-pages", "Shell"]),
        suite("SavingTests", ["MountTesting", "valise"]),
        // Random calls against a model. Optimized, for there are very many.
        .executableTarget(name: "RandomCalls", dependencies: ["CLinux", "SeededNumbers"], path: "Tests/RandomCalls", swiftSettings: [.unsafeFlags(["-O"])]),
        suite("PlainFileTests", ["MountTesting", "valise", "RandomCalls"]),
    ],
    swiftLanguageModes: [.v6])
