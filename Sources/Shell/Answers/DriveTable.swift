/// Several drives, a line each.
public struct DriveTable: Sendable {
    public typealias Drive = (mountpoint: String, source: String, isReadOnly: Bool, page: StatusReport?)
    private let drives: [Drive]

    /// A drive that did not answer has no page.
    public init(_ drives: [Drive]) { self.drives = drives }

    private static let heading = ["drive", "container", "mode", "documents", "open", "drafts", "conflicts", "errors"]

    public func text(paint: Paint = .none) -> String {
        let lines = [Self.heading] + drives.map(Self.cells)
        let columns = Self.heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.enumerated().map { place, line in
            let cells = line.enumerated().map { column, cell in
                // Numbers stand under each other.
                let shown = column < 3 ? padded(cell, columns[column]) : String(repeating: " ", count: columns[column] - cell.count) + cell
                if place == 0 { return paint.heading(shown) }
                return column > 4 && !["0", "?"].contains(cell) ? paint.warning(shown) : shown
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func cells(_ drive: Drive) -> [String] {
        let mode = (drive.page?.isReadOnly ?? drive.isReadOnly) ? "ro" : "rw"
        guard let page = drive.page else { return [shellWord(drive.mountpoint), shellWord(drive.source), mode] + Array(repeating: "?", count: 5) }
        // Nobody has looked into a folder yet, so there may be more than none.
        let isKnown = !page.documents.isEmpty || page.catalog?.stage == "whole" || page.requests.contains { $0.kind.hasPrefix("READDIR") && $0.count > 0 }
        let documents = isKnown ? "\(page.documents.reduce(0) { $0 &+ $1.count })" : "?"
        func number(_ items: StatusReport.Items) -> String { page.isCounted ? "\(items.count)" : "?" }
        return [
            shellWord(printable(drive.mountpoint)), shellWord(printable(page.container ?? drive.source)), mode, documents, number(page.open),
            number(page.drafts), page.conflicts.map { "\($0.count)" } ?? "?", number(page.errors),
        ]
    }
}

extension StatusReport {
    /// As `--json` tells it: what the drive says, with times that have a zone and whole paths.
    public func json(page: JSON, mountpoint: String) -> JSON {
        var members: [JSON.Member] = [], isPlaced = false
        for member in page.members {
            switch member.key {
            case "since": members.append(JSON.Member("since", since.map { JSONAnswer.time($0) } ?? .null))
            case "mountpoint":
                isPlaced = true
                members.append(JSON.Member("mountpoint", .string(mountpoint)))
            case "drafts", "errors": continue
            default: members.append(member)
            }
        }
        if !isPlaced { members.insert(JSON.Member("mountpoint", .string(mountpoint)), at: 0) }
        for (key, items) in [("drafts", drafts), ("errors", errors)] {
            members.append(JSON.Member(key, .array(items.named.map { item in
                .object([
                    JSON.Member("path", .string("\(mountpoint)/\(item.file)")), JSON.Member("reason", item.reason.map(JSON.string) ?? .null),
                ])
            })))
        }
        members += [
            JSON.Member("conflicts", .array((conflicts ?? []).map { .object([JSON.Member("path", .string($0))]) })),
            // They are withheld from some who ask, and a container may be too large to be searched.
            JSON.Member("draftCount", isCounted ? .integer(drafts.count) : .null), JSON.Member("errorCount", isCounted ? .integer(errors.count) : .null),
            JSON.Member("conflictCount", conflicts.map { .integer(Int64($0.count)) } ?? .null),
            JSON.Member("versions", versions?.json ?? .null), JSON.Member("deleted", deleted?.json ?? .null),
        ]
        return .object(members)
    }
}
