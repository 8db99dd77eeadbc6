import KeyValueStore
import LinuxFiles
import Synchronization

/// Lets those hear who watch `/.valise/kvs` when an app or another program changes its values.
final class KeyValueEcho: Sendable {
    private let files: KeyValueFiles
    private let folder: SmallFileFolder
    private let kernel: KernelMemory
    private let options: DriveOptions
    private let noticed: NoticedChanges
    private let watch = SetOnce<KeyValueWatch>()
    private let isBegun = Atomic(false), isEnding = Atomic(false)

    init(files: KeyValueFiles, folder: SmallFileFolder, kernel: KernelMemory, options: DriveOptions, noticed: NoticedChanges) {
        (self.files, self.folder, self.kernel, self.options, self.noticed) = (files, folder, kernel, options, noticed)
    }

    /// Somebody looks for the folder: before that nobody can watch it.
    func begin() {
        guard !options.readOnly, noticed.means == .watch, !isBegun.exchange(true, ordering: .relaxed) else { return }
        do throws(Failure) {
            let watch = try files.watch()
            try files.beginTelling()
            self.watch.set(watch)
            BackgroundThread.start { [self] in follow(watch) }
        } catch { SystemLog.write("those who watch the key-value store on the drive hear of no changes by others: \(error.sentence)", .warning) }
    }

    private func follow(_ watch: KeyValueWatch) {
        while !isEnding.load(ordering: .relaxed) {
            guard watch.wait(milliseconds: nil), let changes = try? files.takeOthersChanges() else { continue }
            kernel.echo(changes.map(echo))
        }
    }

    private func echo(_ change: KeyValueChange) -> Echo {
        let what: Echo.What = switch change.what {
        case .came: .came(.regular)
        case .went: .went(isFolder: false)
        case .changed: .content(of: folder.node(called: change.name) ?? NodeID(NodeNumber.keyValues))
        }
        // Two keys are never one that has moved.
        return Echo(folder: NodeID(NodeNumber.keyValues), name: change.name, number: UInt64(bitPattern: Int64(nameHash(change.name.bytes))), what: what)
    }

    func end() {
        isEnding.store(true, ordering: .relaxed)
        watch.value?.wake()
    }
}
