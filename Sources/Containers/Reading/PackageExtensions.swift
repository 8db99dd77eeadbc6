import LinuxFiles
import Synchronization

/// The extensions of packages that this process knows beside those of the shipped kinds: of kinds that a person wrote down, of those of each container that
/// it has opened, and of packages that its app has declared. Who has to know of a bare path whether it leads into a package asks here.
///
/// Claims ask with their tables in hand, in which no lock may be taken: so there is none.
package enum PackageExtensions {
    private final class Known: Sendable {
        let extensions: Set<String>

        init(_ extensions: Set<String>) { self.extensions = extensions }
    }

    /// What was known before is never freed: another thread may read it, and kinds are few.
    private static let known = Atomic<Unmanaged<Known>?>(nil)

    package static func add(_ extensions: some Sequence<String>) {
        while true {
            let old = unsafe Self.known.load(ordering: .acquiring), before = Self.extensions(old), all = before.union(extensions)
            guard all.count > before.count else { return }
            let new = unsafe Unmanaged.passRetained(Known(all))
            if unsafe known.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged { return }
            unsafe new.release()
        }
    }

    static func add(_ kinds: KindRegistry) {
        let shipped = KindRegistry.shipped
        guard kinds.all.count > shipped.all.count || kinds.folders.count > shipped.folders.count else { return }
        let documents = kinds.all.filter { $0.isPackage && shipped.named($0.name) == nil }
        add(documents.map(\.kind.contentType.itemExtension) + kinds.folders.filter { !shipped.folders.contains($0) }.map(\.itemExtension))
    }

    /// Whether a folder of this name is one item to somebody.
    package static func isPackage(_ name: Name) -> Bool {
        let shipped = KindRegistry.shipped
        if shipped.candidate(for: name, isFolder: true) != nil || shipped.isOwnPackage(name) { return true }
        let known = unsafe Self.extensions(Self.known.load(ordering: .acquiring))
        return !known.isEmpty && KindRegistry.fileExtension(of: name.bytes).map(known.contains) == true
    }

    private static func extensions(_ known: Unmanaged<Known>?) -> Set<String> {
        // SAFETY: it is retained for as long as the process lives.
        unsafe known?.takeUnretainedValue().extensions ?? []
    }
}
