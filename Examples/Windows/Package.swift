// swift-tools-version: 6.2
// The windows of the apps: what needs GTK 4 and libadwaita. The models are those of the package above, and so is each command, which starts
// its window by `texteditor window` and the like.

import PackageDescription

func window(_ name: String, _ folder: String, _ models: String..., layouts: [String] = ["window.ui", "keys.ui"], also: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["WindowSupport", .product(name: "Widgets", package: "Window"), .product(name: "AppSupport", package: "Examples")]
            + also + models.map { .product(name: $0, package: "Examples") },
        path: folder, resources: layouts.map { .embedInCode($0) },
        // All pointers are in Widgets: here is none.
        swiftSettings: [.strictMemorySafety()])
}

let package = Package(
    name: "ExampleWindows",
    dependencies: [.package(name: "Examples", path: ".."), .package(name: "Window", path: "../../Window")],
    targets: [
        // What several windows do in the same way.
        .target(
            name: "WindowSupport", dependencies: [.product(name: "Widgets", package: "Window"), .product(name: "AppSupport", package: "Examples")], path: "Support",
            swiftSettings: [.strictMemorySafety()]),
        // The screen of bookmarks, which both Cloudies have.
        .target(
            name: "BookmarkScreen", dependencies: ["WindowSupport", .product(name: "Widgets", package: "Window"), .product(name: "AppSupport", package: "Examples")],
            path: "Bookmarks", resources: ["window.ui", "keys.ui", "edit.ui"].map { .embedInCode($0) }, swiftSettings: [.strictMemorySafety()]),
        window("cloudy-window", "Cloudy", "CloudyModel", layouts: [], also: ["BookmarkScreen"]),
        window("cloudy-keyvalue-window", "CloudyKeyValue", "CloudyKeyValueModel", "CloudyModel", layouts: [], also: ["BookmarkScreen"]),
        window("photokeeper-window", "PhotoKeeper", "PhotoKeeperModel", "PhotoKeeperThumbnail", layouts: ["window.ui", "keys.ui", "choose.ui"]),
        window("texteditor-window", "TextEditor", "TextEditorModel"),
    ],
    swiftLanguageModes: [.v6])
