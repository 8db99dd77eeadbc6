import Containers
import Coordination
import Documents
import Glibc
import LinuxFiles
import Shell

/// A document that somebody named, on a drive or in the folder of a container: where it lies, and how it is changed.
struct NamedDocument {
    /// As it was named.
    let path: String
    let container: Container
    let place: DocumentPlace
    let item: ClaimableItem

    init(_ path: String) throws(Stop) {
        self.path = path
        do throws(Stop) { item = try ClaimableItem(path) } catch { throw Stop(1, error.sentence) }
        if let outdated = item.outdated { throw Stop(1, "what \(quoted(path)) is in its container cannot be told: \(outdated)") }
        container = try Self.opened(item.container, item.options)
        let names = item.path.split(separator: "/").compactMap { Name(String($0)) }
        do throws(Errno) { place = try container.versioned(at: names).place } catch {
            // The drive may let in who may not look into the container.
            if [.accessDenied, .notPermitted].contains(error), let owner = StateOwner(of: item.container) {
                throw Stop(1, owner.sentence("the earlier versions", on: StateOwner.drive(of: path), in: "versions"))
            }
            // A draft whose item is gone.
            if error == .noSuchEntry, item.isOnDrive, isPermitted(F_OK, path) {
                throw Stop(1, "\(quoted(path)) is not saved, and nothing is there that it could go back to; to give it up: rm \(shellWord(path))")
            }
            if error == .noSuchEntry {
                let kept = Self.keptVersions(path, item, names, container).map { "; its earlier versions are in \(quoted($0)), and one that is copied from there has them again" } ?? ""
                throw Stop(1, "\(missing(path))\(kept.isEmpty ? "" : " any more")\(kept)")
            }
            if case .failed(.accessDenied) = Child.ask({ () throws(Errno) in
                _ = try Descriptor.atPath(path, [.read, .nonBlocking])
                return []
            }) { throw Stop(1, "you may not read \(quoted(path))") }
            throw Stop(1, [.invalid, .isDirectory].contains(error) ? "\(quoted(path)) is \(item.isFolder ? "a folder and " : "")no document" : "cannot read \(quoted(path)): \(error)")
        }
    }

    /// Where the versions are of a document that is gone, as an app may delete it; nil where none are kept. On a drive they are under the
    /// name that it had there.
    private static func keptVersions(_ path: String, _ item: ClaimableItem, _ names: [Name], _ container: Container) -> String? {
        if item.isOnDrive, let mount = (try? MountTable.now())?.drivesAndApps.last(where: { isInside(item.shown, $0.mountpoint) }) {
            let place = "\(mount.mountpoint)/.valise/versions\(item.shown.dropFirst(mount.mountpoint.count))"
            return isThere(place) ? place : nil
        }
        guard (try? container.versionFolder(names)) ?? nil != nil else { return nil }
        return "\(container.state.fullPath)/versions/\(item.path)"
    }

    /// A folder that is a document in the container.
    static func isPackage(_ item: ClaimableItem) -> Bool {
        guard !item.isOnDrive, let name = item.path.split(separator: "/").last.flatMap({ Name(String($0)) }) else { return false }
        return ItemReader(options: ShowingOptions(), kinds: PersonsKinds.own.registry).candidate(for: name, isFolder: true) != nil
    }

    /// `options`: as a drive shows what is in it, where it was named on one.
    static func opened(_ path: String, _ options: ShowingOptions = ShowingOptions()) throws(Stop) -> Container {
        let kinds = PersonsKinds.own.registry
        do throws(Failure) {
            return try Container.open(path, access: .read, options: options, creating: [], kinds: kinds)
        } catch { throw Stop(1, error.sentence) }
    }

    /// The container that a drive shows, as it is shown there.
    static func opened(on mount: MountTable.Mount) throws(Stop) -> Container {
        let page = try StatusSource.page(of: mount)
        return try opened(StatusSource.container(page, of: mount), StatusSource.showing(page))
    }

    /// Whether an app keeps its documents in a folder, as far as that shows.
    static func hasDocuments(_ path: String) throws(Stop) -> Bool {
        do throws(Failure) {
            let container = try Container.open(path, access: .read, kinds: PersonsKinds.own.registry)
            return container.hasDocumentsFolder || !container.creating.isEmpty
        } catch { throw Stop(1, error.sentence) }
    }

    /// Runs `body` while nobody else reads or writes the document. The process that writes in the container does what it asks for.
    func change(_ body: (CoordinatedItem) throws(Failure) -> Void) throws(Stop) {
        do {
            try ContainerWriting(container.path, by: path).change(item.path, body)
        } catch let stop as Stop { throw stop } catch let failure as Failure {
            switch failure.errno {
            case .notPermitted: throw Stop(1, StateOwner(of: container.path)?.sentence("versions and drafts") ?? failure.sentence)
            case .notSupported: throw Stop(1, "the drive of \(quoted(path)) keeps no versions: mount it without -o versions=off")
            case .busy: throw Stop(1, "what was written to \(quoted(path)) is not saved yet: close what writes it; or, to give that up: valise restore --saved \(shellWord(path))")
            // The one who writes in the container does not know how it was named.
            default: throw Stop(1, failure.sentence.hasPrefix("it ") ? "\(quoted(path)): \(failure.sentence)" : failure.sentence)
            }
        } catch { throw Stop(1, "\(error)") }
    }
}
