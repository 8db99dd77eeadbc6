import LinuxFiles

/// Drafts in a container, as one sees who only reads there: nothing is done about them, and nothing of the container is changed by looking.
public struct LeftDrafts: Sendable {
    /// Where each is shown by a drive that may write.
    public let files: [File]
    /// Who writes in the container now, in words: then they are under way, and not left.
    public let holder: String?

    public struct File: Sendable {
        public let folder: [Name]
        public let shown: Name
    }

    /// A journal that cannot be read tells of nothing, which `ContainerCheck` says.
    public init(in container: Container) {
        let own = ((try? container.state.opened()) ?? nil).map { JournalLook(in: $0, of: container).unfinished }
        files = [own, OwnersState(of: container.state)?.unfinished()].compactMap(\.self).flatMap { unfinished in
            unfinished.drafts.values.sorted { $0.number < $1.number }.map { File(folder: $0.path, shown: $0.shown) }
        }
        holder = files.isEmpty ? nil : ContainerLock.holder(of: container)
    }

    /// What whoever mounts is to be told; nil where nothing was left.
    public var sentence: String? {
        guard holder == nil, !files.isEmpty else { return nil }
        return "\(Name.quoted(files.map { $0.folder + [$0.shown] })) \(files.count == 1 ? "was" : "were") written and not saved before the last drive ended, and "
            + "this one, which is read-only, does not show that: to have it saved, mount it for writing"
    }

    public var reason: String {
        holder.map { "it is being written: \($0)" } ?? "it was written and not saved before the last drive ended, and is not shown here"
    }
}

extension Name {
    private static let mostQuoted = 3

    /// Paths in a sentence: the first ones, and how many more there are.
    static func quoted(_ paths: [[Name]]) -> String {
        paths.prefix(mostQuoted).map { "“\($0.map(\.description).joined(separator: "/"))”" }.joined(separator: ", ") + (paths.count > mostQuoted ? " and \(paths.count - mostQuoted) more" : "")
    }
}
