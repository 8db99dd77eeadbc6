import Foundation

/// The trash that file managers have on a drive, in a folder at its top whose name begins with a dot: what is deleted with them lies there, and is not
/// deleted for the drive. Its form is that of freedesktop.org's trash specification.
struct DriveTrash: Sendable {
    private let mountpoint: String
    private let folders: [String]

    init(on drive: Drive, user: UInt32 = getuid()) {
        mountpoint = drive.mountpoint
        folders = ["\(drive.mountpoint)/.Trash-\(user)", "\(drive.mountpoint)/.Trash/\(user)"]
    }

    /// The last one first. Beside the main thread: a drive may take its time.
    func items() async -> [DeletedItem] { await Task.detached { folders.flatMap(items).sorted { $0.deleted > $1.deleted } }.value }

    private func items(in folder: String) -> [DeletedItem] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/files")) ?? []
        return names.compactMap { name in
            let file = "\(folder)/files/\(name)", values = try? FileManager.default.attributesOfItem(atPath: file)
            let note = Self.note(try? String(contentsOfFile: Self.note(of: file), encoding: .utf8))
            return DeletedItem(
                path: mountpoint + "/" + (note.place ?? name), deleted: note.date ?? values?[.modificationDate] as? Date ?? .distantPast,
                size: values?[.type] as? FileAttributeType == .typeRegular ? (values?[.size] as? NSNumber)?.int64Value : nil, inTrash: file)
        }
    }

    /// What the drive keeps: without what the trash noted of its own, and what was in a trash that is emptied as if it were in it still. Nothing says
    /// any more where that was, so it comes to the top.
    func shown(_ kept: [DeletedItem]) -> [DeletedItem] {
        kept.compactMap { item in
            if folders.contains(where: { item.path.hasPrefix($0 + "/info/") || item.path == $0 + "/directorysizes" }) { return nil }
            return folders.contains { item.path.hasPrefix($0 + "/files/") } ? item.inEmptiedTrash(mountpoint + "/" + item.name) : item
        }
    }

    /// From the trash to where it was. One whose place is taken stays.
    func bringBack(_ item: DeletedItem) throws {
        guard let file = item.inTrash else { return }
        let files = FileManager.default
        guard !files.fileExists(atPath: item.path) else { throw ValiseFault("“\(item.name)” is there already, so the one in the trash stays there; rename the other one first") }
        do {
            try files.createDirectory(atPath: (item.path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try files.moveItem(atPath: file, toPath: item.path)
        } catch { throw ValiseFault("“\(item.name)” stays in the trash: \(error.localizedDescription)") }
        try? files.removeItem(atPath: Self.note(of: file))
    }

    /// What says of a file in the trash where it was.
    private static func note(of file: String) -> String {
        let trash = ((file as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
        return "\(trash)/info/\((file as NSString).lastPathComponent).trashinfo"
    }

    /// A place on the drive, and when it was; nil of what is not said, or leads elsewhere.
    static func note(_ text: String?) -> (place: String?, date: Date?) {
        var place: String?, date: Date?
        for line in (text ?? "").split(whereSeparator: \.isNewline) {
            if line.hasPrefix("Path="), let said = String(line.dropFirst(5)).removingPercentEncoding {
                let isPlain = !said.isEmpty && !said.hasPrefix("/") && !said.split(separator: "/").contains { $0 == ".." || $0 == "." }
                place = isPlain ? said : nil
            } else if line.hasPrefix("DeletionDate=") {
                // Of this machine's clock, without a zone.
                let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().time(includingFractionalSeconds: false)
                date = try? Date(String(line.dropFirst(13)), strategy: style)
            }
        }
        return (place, date)
    }
}
