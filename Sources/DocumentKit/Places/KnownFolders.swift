import LinuxFiles

/// In which container a folder lies, as long as that is certain, for who opens the documents of a folder one after the other: to look for it
/// by all the names on the way took as long as reading a document.
///
/// It is the same one while the folders from this one up to the container are those that they were, unchanged: whatever makes another one
/// the nearest, or has the same names lead through a link, adds a name to one of them. Above the container nothing counts.
enum KnownFolders {
    private struct Known {
        /// Of one of its items.
        let container: NearestContainer
        let named: Set<FileIdentity>
        let folders: [FileStatus]
    }

    private static let known = RecentTable<[UInt8], Known>(most: 16)

    /// nil where that is to be found out.
    static func container(of name: Name, in folder: [UInt8]) -> NearestContainer? {
        guard let known = known[folder], known.named == ContainerNames().identities else { return nil }
        var path = folder[...]
        for was in known.folders {
            guard let now = try? Descriptor.status(atPath: Array(path)), now.isAsIt(was: was) else { return nil }
            path = path.prefix(upTo: path.lastIndex(of: UInt8(ascii: "/")) ?? 0)
        }
        let item = folder + [UInt8(ascii: "/")] + name.bytes
        // A folder that is a document could be a container by now.
        guard !NearestContainer.isContainer(item, try? Descriptor.status(atPath: item), known.named) else { return nil }
        return known.container.beside(name)
    }

    /// `folder` as it was written, and its real names; `found` of an item in it.
    static func keep(_ found: NearestContainer, of folder: [UInt8], _ names: some Sequence<Name>) {
        let folders = found.passed.dropFirst().compactMap(\.self)
        guard !found.inside.isEmpty, folder == NearestContainer.path(of: names), folders.count == found.passed.count - 1, !folders.contains(where: \.isUnsettled) else { return }
        known[folder] = Known(container: found, named: ContainerNames().identities, folders: folders)
    }
}
