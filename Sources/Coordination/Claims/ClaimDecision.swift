import Containers
import LinuxFiles

/// What somebody decides who has claimed an item for writing.
public enum ClaimDecision: Hashable, Sendable {
    /// About the document that is claimed.
    case version(VersionDecision)
    /// What is being written to it is given up: the document is what was saved last. Only a drive has what is not saved.
    case dropDraft
    /// About all in the claimed folder, or in the container.
    case container(ContainerDecision)
}

extension ClaimDecision {
    /// What those hear who present the document.
    var event: PresenterEvent.Kind {
        switch self {
        case .version(.restore): .gainedVersion
        case .version(.resolve), .version(.settle), .version(.remove), .version(.removeOthers), .container(.purgeVersions): .resolvedConflict
        case .dropDraft, .container(.undelete), .container(.purge), .container(.place), .container(.takeBack): .changed
        }
    }
}

// As message 5 says it: "restore 2026-11-21T23-27-33.123456Z".
extension ClaimDecision {
    var text: String {
        switch self {
        case .version(.restore(let id)): "restore \(id)"
        case .version(.resolve(.version(let id))): "resolve \(id)"
        case .version(.resolve(.current)): "resolve current"
        case .version(.resolve(.both)): "resolve both"
        case .version(.settle(let id)): "settle \(id)"
        case .version(.remove(let id)): "remove \(id)"
        case .version(.removeOthers): "remove others"
        case .dropDraft: "drop draft"
        case .container(.purgeVersions(let moment)): "purge-versions \(moment.map { "\($0)" } ?? "all")"
        case .container(.undelete(let numbers)): "undelete \(Self.text(numbers))"
        case .container(.purge(let numbers)): "purge \(Self.text(numbers))"
        case .container(.place(let name)): "place \(name)"
        case .container(.takeBack(let name)): "take-back \(name)"
        }
    }

    init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        let id = VersionID(words[1])
        switch (words[0], words[1], id) {
        case ("restore", _, let id?): self = .version(.restore(id))
        case ("resolve", "current", _): self = .version(.resolve(.current))
        case ("resolve", "both", _): self = .version(.resolve(.both))
        case ("resolve", _, let id?): self = .version(.resolve(.version(id)))
        case ("settle", _, let id?): self = .version(.settle(id))
        case ("remove", "others", _): self = .version(.removeOthers)
        case ("remove", _, let id?): self = .version(.remove(id))
        case ("drop", "draft", _): self = .dropDraft
        default:
            guard let decision = Self.aboutContainer(words[0], words[1]) else { return nil }
            self = .container(decision)
        }
    }

    private static func aboutContainer(_ word: Substring, _ what: Substring) -> ContainerDecision? {
        switch (word, what) {
        case ("purge-versions", "all"): .purgeVersions(before: nil)
        case ("purge-versions", let moment): Int64(moment).map { .purgeVersions(before: $0) }
        case ("undelete", let text): numbers(text).map { .undelete($0) }
        case ("purge", let text): numbers(text).map { .purge($0) }
        case ("place", let name): Name(String(name)).map { .place($0) }
        case ("take-back", let name): Name(String(name)).map { .takeBack($0) }
        default: nil
        }
    }

    /// So many items fit into one message.
    static let mostNumbers = 400

    private static func text(_ numbers: [UInt64]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }

    private static func numbers(_ text: Substring) -> [UInt64]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt64($0) }
        guard numbers.count <= mostNumbers, !numbers.contains(nil) else { return nil }
        return numbers.compactMap(\.self)
    }
}
