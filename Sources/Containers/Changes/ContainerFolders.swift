import LinuxFiles
import Transactions

/// A container's folders, as plans know them.
final class ContainerFolders: PlanFolders {
    private let container: Container
    private let staging: Staging
    private let versionFolder: OpenFile?
    private let deletedFolder: OpenFile?
    private let store: Store
    private let names: NameKeeping
    private let versions: VersionKeeping

    init(
        container: Container, staging: Staging, versionFolder: OpenFile?, deletedFolder: OpenFile?, store: Store, names: NameKeeping,
        versions: VersionKeeping
    ) {
        (self.container, self.staging, self.versionFolder, self.deletedFolder) = (container, staging, versionFolder, deletedFolder)
        (self.store, self.names, self.versions) = (store, names, versions)
    }

    func top(_ top: Place.Top) throws(Errno) -> OpenFile? {
        switch top {
        case .documents: container.documents
        case .staging: staging.folder
        case .versions: versionFolder
        case .deleted: deletedFolder
        case .names: try container.nameFolder([])
        }
    }

    /// Whatever comes to a place has no versions of what waits in case its name comes back.
    func prepare(_ plan: Plan) throws(Errno) {
        for place in plan.steps.compactMap(\.target) where place.top == .documents { try versions.letGo(from: place, before: plan) }
        try names.makeNameFolders(for: plan)
    }

    func bringHome(_ staged: Place, in place: OpenFile, to folder: OpenFile, as wanted: Name) throws(Errno) {
        try NewItemName.trying(nil, for: wanted) { (name) throws(Errno) in
            try store.add(staged.name, of: place.descriptor, to: folder.descriptor, as: name)
        }
    }
}
