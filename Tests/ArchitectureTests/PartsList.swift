import MountTesting
import Testing

/// A front, and the parts behind it, as one file lists them.
struct PartsList: CustomTestStringConvertible, Sendable {
    let target: String
    /// The front's type, and its files.
    let front: String
    let frontFiles: [String]
    let list: String
    /// What comes before it needs the container and options alone.
    let firstMade: String
    /// They know parts, and no part knows them.
    let around: [String]
    /// Given from outside, and known to everybody.
    let given: Set<String>
    let leastParts: Int, leastGiven: Int
    /// The section of docs/ARCHITECTURE.md that draws them.
    let section: String

    static let all = [
        PartsList(
            target: "Drive", front: "Drive", frontFiles: ["Sources/Drive/Drive.swift", "Sources/Drive/Drive+Requests.swift", "Sources/Drive/Drive+ByName.swift"],
            list: "Sources/Drive/DriveParts.swift", firstMade: "watching",
            around: ["Sources/Drive/Claims/OpenDocumentPresenter.swift", "Sources/Drive/Apps/AppsDrive.swift", "Sources/Drive/Apps/AppsDrive+Requests.swift", "Sources/Drive/Apps/AppsDrive+Top.swift"], given: ["DriveOptions"],
            leastParts: 30, leastGiven: 100, section: "The picture"),
        PartsList(
            target: "Containers", front: "Workshop", frontFiles: ["Sources/Containers/Workshop.swift"],
            list: "Sources/Containers/WorkshopParts.swift", firstMade: "staging", around: [],
            given: ["Container", "VersionPolicy", "Store", "Journal"], leastParts: 12, leastGiven: 50, section: "The workshop"),
    ]

    var testDescription: String { front }
    var folder: String { "Sources/" + target }

    struct Part {
        let name: String
        let type: String
        /// Nil for what another target has.
        let file: String?
    }

    func code() throws -> String { try Repository.code(list) }

    func parts() throws -> [Part] {
        let type = try Pattern(#"^(?:public |package )?(?:final class|struct|enum) (\w+)"#)
        var files: [String: String] = [:]
        for path in Repository.swiftFiles(in: folder) { for found in try type.all(in: Repository.code(path)) { files[found[1]] = path } }
        return try Pattern(#"^    let (\w+)(?:: (\w+)|.* = (\w+)[(<])"#).all(in: code()).map { found in
            let type = found[2] + found[3]
            return Part(name: found[1], type: type, file: given.contains(type) ? nil : files[type])
        }
    }

    /// The files of a part that has several.
    func topics(of file: String) -> [String] { Repository.swiftFiles(in: folder).filter { $0.hasPrefix(file.dropLast(".swift".count) + "+") } }
}
