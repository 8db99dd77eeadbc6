// swift-tools-version: 6.2
// valise-window, and what windows need, GTK 4 and libadwaita, in a package of its own: neither the drive nor an app's model and commands need it.

import Foundation
import PackageDescription

/// Where the headers are. The flags of pkg-config have more in them than the package manager takes, so only folders are asked for; without
/// GTK's files for developers there are none, and the compiler says which header it does not find.
func folders(_ libraries: String...) -> [String] {
    let asked = Process(), answer = Pipe()
    asked.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    asked.arguments = ["pkg-config", "--cflags-only-I"] + libraries
    (asked.standardOutput, asked.standardError) = (answer, FileHandle.nullDevice)
    guard (try? asked.run()) != nil else { return [] }
    let data = answer.fileHandleForReading.readDataToEndOfFile()
    asked.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
}

let package = Package(
    name: "Window",
    products: [.library(name: "Widgets", targets: ["Widgets"]), .executable(name: "valise-window", targets: ["valise-window"])],
    targets: [
        // Its header names nothing of GTK's: what is in Swift is compiled without these folders.
        .target(
            name: "CWindow", path: "CWindow", cSettings: [.unsafeFlags(folders("libadwaita-1", "gtksourceview-5"))],
            linkerSettings: ["adwaita-1", "gtksourceview-5", "gtk-4", "gdk_pixbuf-2.0", "gio-2.0", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }),
        .target(name: "Widgets", dependencies: ["CWindow"], path: "Widgets"),
        // What the window knows of drives. It asks `valise` as any program does; its tests, which need no GTK, are those of the package above.
        .target(name: "WindowModel", path: "Model"),
        .executableTarget(
            name: "valise-window", dependencies: ["Widgets", "WindowModel"], path: "App",
            resources: ["window", "overview", "search", "deleted", "conflicts", "document", "sides", "choose", "keys"].map { .embedInCode($0 + ".ui") },
            // All pointers are in Widgets: here is none.
            swiftSettings: [.strictMemorySafety()]),
        .testTarget(name: "WidgetsTests", dependencies: ["Widgets"], path: "Tests"),
    ],
    swiftLanguageModes: [.v6])
