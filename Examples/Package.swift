// swift-tools-version: 6.2
// Apps on the product DocumentKit, as their published walk-throughs have them. One app is one folder: its model, which knows nothing of a
// window, and every action of it as a command. The main package's tests use the same models.

import PackageDescription

let kit = Target.Dependency.product(name: "DocumentKit", package: "Valise")

let package = Package(
    name: "Examples",
    dependencies: [.package(name: "Valise", path: "..")],
    targets: [
        .target(name: "AppSupport", dependencies: [kit], path: "AppSupport"),
        .target(name: "CloudyKeyValueModel", dependencies: [kit], path: "CloudyKeyValue/Model"),
        .executableTarget(name: "cloudy-keyvalue", dependencies: ["AppSupport", "CloudyKeyValueModel"], path: "CloudyKeyValue/Command"),
        .target(name: "CloudyModel", dependencies: ["AppSupport", kit], path: "Cloudy/Model"),
        .executableTarget(name: "cloudy", dependencies: ["AppSupport", "CloudyModel"], path: "Cloudy/Command"),
        .target(name: "TextEditorModel", dependencies: ["AppSupport", kit], path: "TextEditor/Model"),
        .executableTarget(name: "texteditor", dependencies: ["AppSupport", "TextEditorModel"], path: "TextEditor/Command"),
    ],
    swiftLanguageModes: [.v6])
