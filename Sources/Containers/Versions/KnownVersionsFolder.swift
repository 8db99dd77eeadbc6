import LinuxFiles

/// The folder of versions, for who asks of one document after the other whether it has some: to go there through Valise's own folder takes five
/// calls. It is the same one as long as Valise's folder does not change. Nothing that lies there is followed this way.
final class KnownVersionsFolder: Sendable {
    private struct Known: Sendable {
        let state: FileStatus
        let folder: OpenFile?
    }

    private let known = Latest<Known?>(nil)

    /// nil where there is none.
    func folder(of container: Container) throws(Errno) -> OpenFile? {
        let now: FileStatus
        do throws(Errno) { now = try container.base.descriptor.status(of: container.state.name) } catch {
            if error == .noSuchEntry { return nil }
            throw error
        }
        if let known = known.value, known.state.isAsIt(was: now) { return known.folder }
        let folder = try container.versionsFolder()
        // Another change may have the same time.
        if !now.isUnsettled { known.set(Known(state: now, folder: folder)) }
        return folder
    }
}
