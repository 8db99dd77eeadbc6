import Containers
import Documents
import LinuxFiles

/// What a look at a whole container finds. Changes nothing in it, not even when something was last read.
///
/// The container may be anybody's: what is looked at, how deep and how much is remembered of it has its limits.
public struct ContainerCheck: Sendable {
    public internal(set) var findings: [CheckFinding] = []
    /// How many findings there were beyond those that are listed.
    public internal(set) var omitted = 0
    /// How many of those are damage.
    public internal(set) var omittedDamages = 0
    /// How many documents of each kind there are.
    public internal(set) var documents: [KindID: Int] = [:]
    public internal(set) var folders = 0
    public internal(set) var files = 0
    /// Who writes in the container now, in words. What is under way there was left out then.
    public let holder: String?

    /// Valise has written in it, or made it: it is a container, though it may be empty.
    public var hasState: Bool { (try? container.base.descriptor.exists(container.state.name)) == true }

    /// The container's absolute path.
    public var path: String { container.path }

    let container: Container
    let reader: ItemReader
    /// What is named already as a document that this user may not read.
    var refused: Set<[Name]> = []
    /// Packages that were named as damaged documents: what is in them is no document by itself.
    var damagedPackages: Set<[Name]> = []
    /// The documents with drafts, while somebody works on them: path and stored name.
    var busy: Set<[Name]> = []

    static let mostFindings = 1_000_000
    /// Far deeper than any path that a program can name.
    static let deepest = 256
    /// So many names are read between two words to `progress`.
    private static let stride = 256

    private init(_ container: Container) {
        self.container = container
        holder = ContainerLock.holder(of: container)
        reader = ItemReader(options: ShowingOptions(), kinds: container.kinds)
    }

    /// Looks at Valise's own state and at every item. `progress` is told now and then how many entries were seen.
    public static func whole(_ container: Container, progress: (Int) -> Void = { _ in }) -> ContainerCheck {
        var check = ContainerCheck(container)
        check.lookAtState()
        check.lookAtVersions()
        check.lookAtNeighbours()
        check.lookAtItems(progress)
        return check
    }

    /// Looks at Valise's own state only, which takes no time.
    public static func quick(_ container: Container) -> ContainerCheck {
        var check = ContainerCheck(container)
        check.lookAtState()
        return check
    }

    public var damages: Int { findings.count(where: \.isDamage) + omittedDamages }

    /// Of the key-value store, which another layer reads.
    public mutating func addDamagedSettings(_ reason: String, cause: Errno? = nil) { add(.damagedSettings, container.keyValuePath, reason, cause: cause) }

    mutating func add(_ kind: CheckFinding.Kind, _ path: [Name], _ reason: String, needsSomebody: Bool = false, cause: Errno? = nil) {
        let isDenied = cause == .accessDenied || cause == .notPermitted
        guard findings.count < Self.mostFindings else {
            omitted += 1
            if kind.isDamage, !isDenied { omittedDamages += 1 }
            return
        }
        findings.append(CheckFinding(kind: kind, path: path, reason: reason, needsSomebody: needsSomebody, isDenied: isDenied))
    }

    // MARK: Items

    /// Where the documents are, from the container's folder on.
    var documentsPath: [Name] { container.hasDocumentsFolder ? [Container.documentsName] : [] }

    private mutating func lookAtItems(_ progress: (Int) -> Void) {
        walk(container.documents.descriptor, documentsPath, isPackage: false, depth: 0, progress)
        progress(seen)
    }

    private var seen: Int { files + folders + documents.values.reduce(0, +) }

    private mutating func walk(_ folder: borrowing Descriptor, _ path: [Name], isPackage: Bool, depth: Int, _ progress: (Int) -> Void) {
        guard depth < Self.deepest else { return add(.unreadable, path, "it lies too deep to be looked at") }
        var inner: [Name] = [], copied = CopiedFolder()
        defer { look(at: copied, in: folder, path) }
        do throws(Errno) {
            var entries = try FolderReader(untraced: folder)
            while let entry = try entries.next() {
                // What is in a package is its app's.
                if !isPackage { copied.add(entry.name, isFolder: entry.type == .folder) }
                if Hidden.hides(entry.name) { continue }
                if try look(at: entry, in: folder, path, isPackage: isPackage) { inner.append(entry.name) }
                if seen.isMultiple(of: Self.stride) { progress(seen) }
            }
        } catch { if !refused.contains(path) { add(.unreadable, path, "it cannot be read: \(error)", cause: error) } }
        // After the reader was let go of: a deep tree takes one descriptor a level.
        for name in inner {
            let isPackage = isPackage || reader.kinds.isPackage(name)
            do throws(Errno) { walk(try folder.open(name, [.path, .folder]), path + [name], isPackage: isPackage, depth: depth + 1, progress) } catch {
                // Removed meanwhile, which is no fault.
                if error != .noSuchEntry, !refused.contains(path + [name]) { add(.unreadable, path + [name], "it cannot be entered: \(error)", cause: error) }
            }
        }
    }

    /// Whether it is a folder that has to be walked through.
    private mutating func look(at entry: FolderReader.Entry, in folder: borrowing Descriptor, _ path: [Name], isPackage: Bool) throws(Errno) -> Bool {
        var type = entry.type
        if type == .unknown {
            do throws(Errno) { type = try folder.status(of: entry.name).type } catch {
                if error == .noSuchEntry { return false }
                throw error
            }
        }
        let place = path + [entry.name]
        if type == .regular, lookAtContent(of: entry.name, in: folder, place) {
            files += 1
            return false
        }
        if !isPackage, type == .regular || type == .folder, !damagedPackages.contains(path),
            let kind = reader.candidate(for: entry.name, isFolder: type == .folder)
        {
            if busy.contains(place) || lookAtDocument(entry.name, kind, in: folder, place) {
                documents[kind, default: 0] += 1
                return false
            }
        }
        if String(validating: entry.name.bytes, as: UTF8.self) == nil {
            add(.changedName, place, "its name is no text, which many programs cannot show")
        }
        guard type == .folder else {
            files += 1
            return false
        }
        folders += 1
        return true
    }
}
