// swift-tools-version: 6.2
// The windows of the apps: what needs GTK 4 and libadwaita. The models are those of the package above, and so is each command, which starts
// its window by `texteditor window` and the like.

import PackageDescription

func window(_ name: String, _ folder: String, _ models: String...) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "Widgets", package: "Window"), .product(name: "AppSupport", package: "Examples")]
            + models.map { .product(name: $0, package: "Examples") },
        path: folder, resources: [.embedInCode("window.ui"), .embedInCode("keys.ui")],
        // All pointers are in Widgets: here is none.
        swiftSettings: [.strictMemorySafety()])
}

let package = Package(
    name: "ExampleWindows",
    dependencies: [.package(name: "Examples", path: ".."), .package(name: "Window", path: "../../Window")],
    targets: [
        window("texteditor-window", "TextEditor", "TextEditorModel"),
    ],
    swiftLanguageModes: [.v6])
