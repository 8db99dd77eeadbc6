import Coordination
import Foundation
import LinuxFiles

/// A document's file that is not at its place any more, and was moved perhaps by somebody who said nothing: a file manager, or the app itself with
/// `FileManager.moveItem`. It is the same one by its number, and has what it had.
struct MovedFile {
    private let mark: DocumentFile.Mark
    private let item: FileIdentity
    private let url: URL

    private static let deepest = 64, mostEntries = 200_000

    /// nil where nobody knows which file it was.
    init?(_ mark: DocumentFile.Mark, from url: URL) {
        guard let item = mark.item else { return nil }
        (self.mark, self.item, self.url) = (mark, item, url)
    }

    /// Looked for beside its old place, and then in all of the container or drive. nil where it is gone, or still there.
    func place() -> URL? {
        guard !DocumentFile.isThere(url) else { return nil }
        let place = try? ItemPlace(url), beside = url.deletingLastPathComponent().path
        var left = Self.mostEntries
        guard let place, case .container(let coordinator) = place.home else { return find(in: beside, deep: false, &left) }
        let container = coordinator.reading.path + (coordinator.reading.hasDocumentsFolder ? "/Documents" : "")
        guard let drive = place.drive else { return find(in: beside, deep: false, &left) ?? find(in: container, deep: true, &left) }
        // In the container first: what others did there a drive shows a moment later.
        if let found = find(in: container, deep: true, &left) { return shown(found, on: drive, of: container) }
        return find(in: beside, deep: false, &left) ?? find(in: drive.mountpoint, deep: true, &left)
    }

    private static let mostLooks = 50, pause: UInt32 = 20_000

    /// As the drive shows it, once it does.
    private func shown(_ found: URL, on drive: MountedDrives.Drive, of container: String) -> URL {
        let names = found.path.dropFirst(container.count).split(separator: "/").compactMap { Name(String($0)) }
        for _ in 0..<Self.mostLooks {
            if let shown = drive.shownPath(of: names) { return URL(fileURLWithPath: shown) }
            usleep(Self.pause)
        }
        return found
    }

    private func find(in top: String, deep: Bool, _ left: inout Int) -> URL? {
        var folders = [(path: top, depth: 0)], next = 0
        while next < folders.count {
            let (path, depth) = folders[next]
            next += 1
            guard let folder = try? Descriptor.atPath(path, [.path, .folder]), var entries = try? FolderReader(folder) else { continue }
            while let entry = try? entries.next() {
                left -= 1
                // What is hidden is thrown away, or kept by somebody.
                guard left > 0 else { return nil }
                guard entry.name.bytes.first != UInt8(ascii: "."), let text = String(validating: entry.name.bytes, as: UTF8.self) else { continue }
                let found = path + "/" + text
                if entry.number == item.number, isSame(found) { return URL(fileURLWithPath: found) }
                if deep, entry.type == .folder, depth < Self.deepest { folders.append((found, depth + 1)) }
            }
        }
        return nil
    }

    /// Numbers are given again: what it had says whether it is that file.
    private func isSame(_ path: String) -> Bool {
        let now = DocumentFile.Look(URL(fileURLWithPath: path)).mark
        return now.item == item && now.isSame(as: mark)
    }
}
