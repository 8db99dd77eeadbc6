import Documents
import LinuxFiles

/// Which names a drive does not list: what file managers and sync tools leave behind for themselves. A package that grows is listed under its own name.
///
/// Hidden is not forbidden: such a file is found by its name and can be made, so that `cp -r` from a Mac works.
public enum Hidden {
    /// Valise's own state, at the top of a container.
    public static let state = Name(constant: ".valise")
    /// The state folder of root, in a container that belongs to somebody else.
    public static let rootState = Name(constant: ".valise-root")

    /// Neither is of the documents: at the top of a container, no drive lets anybody at them.
    public static func isState(_ name: Name) -> Bool { name == state || name == rootState }

    private static let names: Set<[UInt8]> = Set([
        ".DS_Store", ".localized", ".Spotlight-V100", ".fseventsd", ".TemporaryItems", ".DocumentRevisions-V100", "Icon\r",
        ".stfolder", ".stversions", ".stignore",
        ".dropbox", ".dropbox.attr", ".dropbox.cache",
        ".nextcloudsync.log", ".owncloudsync.log", ".sync-exclude.lst",
        ".sync", ".resilio",
    ].map { Array($0.utf8) })

    public static func hides(_ name: Name) -> Bool {
        let bytes = name.bytes
        // Almost every name is decided by its first byte.
        guard bytes[0] == UInt8(ascii: ".") || bytes[0] == UInt8(ascii: "I") else { return false }
        if isBesideFile(name) { return true }
        if isState(name) || names.contains(bytes) { return true }
        return isSyncDatabase(bytes) || isPlaceholder(name) || GrowingName.package(in: name) != nil
    }

    /// `._Notes.stedoc`: what a Mac keeps of `Notes.stedoc` where the store has no place for it. By its name it may be a document.
    public static func isBesideFile(_ name: Name) -> Bool { name.bytes.starts(with: [0x2E, 0x5F]) }

    /// `._sync_1234.db`, `.sync_1234.db-wal` of ownCloud and Nextcloud, `.syncthing.name.tmp` of Syncthing.
    private static func isSyncDatabase(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array(".sync_".utf8)) || bytes.starts(with: Array(".syncthing.".utf8))
    }

    /// `.name.icloud`: what iCloud leaves for a document that was not downloaded.
    package static func isPlaceholder(_ name: Name) -> Bool { CloudStub.mayBe(name.bytes) }
}
