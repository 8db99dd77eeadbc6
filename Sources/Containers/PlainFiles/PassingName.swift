import LinuxFiles

/// Names of files that are there for a moment only.
public enum PassingName {
    /// What editors call their backups, locks and new files, and file managers what they note of a file in the trash.
    public static func isOne(_ name: Name) -> Bool {
        let text = String(decoding: name.bytes, as: UTF8.self)
        if text.hasSuffix("~") || text.hasPrefix("~$") || text.hasPrefix(".#") || text.hasPrefix(".~") || text == "4913" { return true }
        if text.hasPrefix("#"), text.hasSuffix("#") { return true }
        if [".tmp", ".part", ".crdownload", ".lock", ".trashinfo"].contains(where: text.hasSuffix) { return true }
        if [".goutputstream-", ".fuse_hidden", ".nfs"].contains(where: text.hasPrefix) { return true }
        // Those of vim: ".Notes.txt.swp", ".Notes.txt.swx".
        if text.hasPrefix("."), let end = text.split(separator: ".").last, end.count == 3, end.hasPrefix("sw") { return true }
        return false
    }
}
