import Foundation

/// What somebody means who opens the window at a path.
public enum Destination: Equatable, Sendable {
    case drive(DriveRow)
    case document(String, DriveRow)
    /// As the container keeps it: on the drive it is called otherwise.
    case stored(String, DriveRow)
    case resting(container: String, mountpoint: String)
    case nothing(String)
}

extension DriveList {
    public func destination(of path: String) -> Destination {
        let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        for place in [path, real] {
            guard let drive = drive(of: place), let row = rows.first(where: { $0.drive == drive }) else { continue }
            // One that does not answer is not asked what is there.
            if place == drive.mountpoint || !drive.isAnswering { return .drive(row) }
            let isDocument = Self.isFolder(place) == false || Self.hasVersions(place, on: drive)
            return isDocument ? .document(place, row) : .drive(row)
        }
        if let row = row(containing: real), let container = row.container {
            guard row.drive != nil else { return .resting(container: container, mountpoint: row.mountpoint) }
            return real == container || Self.isFolder(real) != false ? .drive(row) : .stored(real, row)
        }
        guard let isFolder = Self.isFolder(real) else { return .nothing("“\(path)” is not there.") }
        // A folder that somebody names may become a drive; of a file it is the folder that Valise has used.
        var folder = real
        while folder.count > 1 {
            if FileManager.default.fileExists(atPath: folder + "/.valise") { return .resting(container: folder, mountpoint: place(for: folder)) }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return isFolder ? .resting(container: real, mountpoint: place(for: real)) : .nothing("“\(path)” is on no drive, and in no container.")
    }

    /// Whether a folder is one item that has versions: the drive shows these as files. Of other folders it shows folders.
    private static func hasVersions(_ folder: String, on drive: Drive) -> Bool {
        let versions = drive.mountpoint + "/.valise/versions" + folder.dropFirst(drive.mountpoint.count)
        let names = try? FileManager.default.contentsOfDirectory(atPath: versions)
        return names?.contains { isFolder(versions + "/" + $0) == false } == true
    }

    /// Nil where there is nothing.
    private static func isFolder(_ path: String) -> Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }
}
