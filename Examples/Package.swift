// swift-tools-version: 6.2
// Apps on the product DocumentKit, as their published walk-throughs have them. One app is one folder: its model, which knows nothing of a
// window, and every action of it as a command. The main package's tests use the same models.

import Foundation
import PackageDescription

let kit = Target.Dependency.product(name: "DocumentKit", package: "Valise")

// PhotoKeeper makes thumbnails with gdk-pixbuf, where that is installed with its headers; where it is not, photos are kept without them.
let headers = ["/usr/include/gdk-pixbuf-2.0", "/usr/include/glib-2.0"]
let settings = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"].map { $0 + "/glib-2.0/include" }
let hasPixbuf = (headers.map { $0 + "/." } + ["/usr/include/gdk-pixbuf-2.0/gdk-pixbuf/gdk-pixbuf.h"]).allSatisfy { FileManager.default.fileExists(atPath: $0) }
let thumbnail: [Target] = hasPixbuf ? [
    .target(
        name: "CThumbnail", path: "PhotoKeeper/CThumbnail", cSettings: [.unsafeFlags((headers + settings).map { "-I" + $0 })],
        linkerSettings: ["gdk_pixbuf-2.0", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }),
] : []

let package = Package(
    name: "Examples",
    // For the windows, which are in Examples/Windows: what needs GTK is a package of its own.
    products: ["AppSupport", "CloudyKeyValueModel", "CloudyModel", "PhotoKeeperModel", "PhotoKeeperThumbnail", "TextEditorModel"].map { .library(name: $0, targets: [$0]) },
    dependencies: [.package(name: "Valise", path: "..")],
    targets: [
        .target(name: "AppSupport", dependencies: [kit], path: "AppSupport"),
        .target(name: "CloudyKeyValueModel", dependencies: [kit], path: "CloudyKeyValue/Model"),
        .executableTarget(name: "cloudy-keyvalue", dependencies: ["AppSupport", "CloudyKeyValueModel"], path: "CloudyKeyValue/Command"),
        .target(name: "CloudyModel", dependencies: ["AppSupport", kit], path: "Cloudy/Model"),
        .executableTarget(name: "cloudy", dependencies: ["AppSupport", "CloudyModel"], path: "Cloudy/Command"),
        .target(name: "TextEditorModel", dependencies: ["AppSupport", kit], path: "TextEditor/Model"),
        .executableTarget(name: "texteditor", dependencies: ["AppSupport", "TextEditorModel"], path: "TextEditor/Command"),
        .target(name: "PhotoKeeperModel", dependencies: ["AppSupport", kit], path: "PhotoKeeper/Model"),
        .executableTarget(
            name: "photokeeper", dependencies: ["AppSupport", "CloudyKeyValueModel", "CloudyModel", "PhotoKeeperModel", "PhotoKeeperThumbnail"], path: "PhotoKeeper/Command"),
        .target(name: "PhotoKeeperThumbnail", dependencies: thumbnail.map { .target(name: $0.name) }, path: "PhotoKeeper/Thumbnail"),
    ] + thumbnail,
    swiftLanguageModes: [.v6])
