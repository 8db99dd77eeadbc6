import LinuxFiles

/// Whether what a backup's list names is in it, file by file. No content is read but the ends of what is encrypted.
package struct BackupCheck: Sendable {
    /// A folder of the drive below which one thing's files are: an app, a group of apps, a domain.
    package struct Part: Sendable {
        package let path: String
        package let isApp: Bool
        package var files = 0
        package var size: Int64 = 0
        /// Files that an app shows its user.
        package var documents = 0
        package var faulty = 0
    }

    package struct Fault: Sendable {
        package let path: String
        package let fault: FileFault
    }

    package private(set) var files = 0, folders = 0, links = 0
    package private(set) var size: Int64 = 0
    /// Files that are longer or shorter than the list says. That is usual for databases, and no damage.
    package private(set) var otherLengths = 0
    package private(set) var parts: [Part] = []
    package private(set) var faults: [Fault] = []
    /// How many more there are than are listed.
    package private(set) var unlistedFaults = 0
    /// Apps that the device had, of which the backup has nothing.
    package private(set) var absentApps: [String] = []

    private static let mostFaults = 10_000

    package init(_ backup: Backup, _ tree: BackupTree, _ keys: BackupKeys?, progress: (Int) -> Void) {
        for top in tree.children(of: .top) {
            let name = tree.path(of: top), isSplit = TreePlace.isSplit(Array(tree.name(of: top)))
            folders += 1
            for part in isSplit ? Array(tree.children(of: top)) : [top] {
                if isSplit, tree.kind(of: part) == .folder { folders += 1 }
                look(part, isApp: name.utf8.elementsEqual(TreePlace.Top.apps), backup, tree, keys, progress)
            }
        }
        let shown = Set(parts.map(\.path))
        absentApps = tree.appFolders.filter { !shown.contains(TreePlace.appPath($0)) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private mutating func look(
        _ top: BackupTree.NodeNumber, isApp: Bool, _ backup: Backup, _ tree: BackupTree, _ keys: BackupKeys?,
        _ progress: (Int) -> Void
    ) {
        var part = Part(path: tree.path(of: top), isApp: isApp)
        let documents = tree.child(Array("Documents".utf8), of: top)
        var waiting = [(node: top, isDocument: false)]
        while let (node, isDocument) = waiting.popLast() {
            switch tree.kind(of: node) {
            case .folder:
                if node != top { folders += 1 }
                for child in tree.children(of: node) { waiting.append((child, isDocument || node == documents)) }
            case .link: links += 1
            case .file:
                files += 1
                if files % 256 == 0 { progress(files) }
                part.files += 1
                if isDocument { part.documents += 1 }
                let file = tree.file(node)
                let content = try? backup.open(file, keys)
                guard let content, content.fault == nil else {
                    part.faulty += 1
                    // It may be there by now: then it was not a moment ago.
                    let fault = content?.fault ?? backup.fault(of: file, keys) ?? .missing
                    add(Fault(path: tree.path(of: node), fault: fault))
                    continue
                }
                part.size += content.length
                if content.length != file.size { otherLengths += 1 }
            }
        }
        size += part.size
        parts.append(part)
    }

    private mutating func add(_ fault: Fault) {
        if faults.count < Self.mostFaults { faults.append(fault) } else { unlistedFaults += 1 }
    }

    package var faultCount: Int { faults.count + unlistedFaults }
}
