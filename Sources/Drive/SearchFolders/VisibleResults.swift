import Containers
import Documents
import LinuxFiles

/// Somebody who sees less than all, and whose search finds no more than that: with the rights of the program of theirs that looked last.
final class SearchViewer: Sendable {
    private let last: Latest<Caller>

    init(_ caller: Caller) { last = Latest(caller) }

    func looks(_ caller: Caller) { last.set(caller) }
    var caller: Caller { last.value }
}

/// Which results somebody may see: those that lie where they may look, and that they may read. A search tells of what is in a
/// document by finding it.
final class VisibleResults: Sendable {
    private let container: Container
    private let rights: CallerRights

    init(container: Container, rights: CallerRights) { (self.container, self.rights) = (container, rights) }

    var areAllForEverybody: Bool { !rights.areChecked }

    func areAll(for caller: Caller) -> Bool { !rights.areChecked || rights.mayDoAll(caller) }

    func mayBeSeen(_ result: SearchResult, by caller: Caller) -> Bool { newLook(by: caller).mayBeSeen(result.folder, result.stored, result.kind) }

    func newLook(by caller: Caller) -> Look { Look(self, caller) }

    /// A look at many items, one after the other: folders on the way that were looked at are not looked at again, so that deep ones cost no more than others.
    final class Look {
        private let visible: VisibleResults
        private let caller: Caller
        private let chain: FolderChain
        private var isTopVisible: Bool?

        fileprivate init(_ visible: VisibleResults, _ caller: Caller) {
            (self.visible, self.caller) = (visible, caller)
            chain = FolderChain(from: visible.container.documents)
        }

        func mayBeSeen(_ path: [Name], _ stored: Name, _ kind: KindID?) -> Bool {
            if visible.areAll(for: caller) { return true }
            do throws(Errno) {
                if isTopVisible == nil {
                    try visible.check([.read, .enter], on: visible.container.documents, caller)
                    isTopVisible = true
                }
                let folder = try chain.folder(at: path) { (inner) throws(Errno) in try visible.check([.read, .enter], on: inner, caller) }
                return try visible.mayBeRead(stored, in: folder, kind, caller)
            } catch { return false }
        }
    }

    private func mayBeRead(_ stored: Name, in folder: OpenFile, _ kind: KindID?, _ caller: Caller) throws(Errno) -> Bool {
        let item = OpenFile(try folder.descriptor.open(stored, .path))
        guard let kind, kind.isPackage else {
            try check(.read, on: item, caller)
            return true
        }
        try check([.read, .enter], on: item, caller)
        let home = try kind.home(in: item)
        if kind.hasDeepContent { try check([.read, .enter], on: home, caller) }
        for part in try kind.partNames(in: home.descriptor) {
            do throws(Errno) { try check(.read, on: OpenFile(home.descriptor.open(part, .path)), caller) } catch { if error != .noSuchEntry { throw error } }
        }
        return true
    }

    private func check(_ wanted: FileRights, on file: OpenFile, _ caller: Caller) throws(Errno) {
        try rights.require(wanted, of: caller, on: file, file.descriptor.status())
    }
}
