import Containers
import Coordination
import LinuxFiles

/// The last import is taken back: what it made and nobody has touched since goes among the deleted; the rest stays.
public struct ImportUndo: Sendable {
    /// So many are gone, and these stay because they are not what they were.
    public private(set) var taken = 0
    /// As they are shown.
    public private(set) var changed: [[Name]] = []
    /// Gone or elsewhere already.
    public private(set) var missing = 0

    private static let most = 2000

    private static func shown(_ path: [Name], in container: Container) -> [Name] {
        guard let stored = path.last, let folder = try? container.documents.folder(at: path.dropLast()),
            let document = try? container.reader.read(stored, in: folder.descriptor).document else { return path }
        return path.dropLast() + [(try? container.name(of: document, stored: stored, in: Array(path.dropLast()))) ?? document.naturalName]
    }

    /// Of what was brought into a folder or further in; nil where there is none.
    public static func ofLast(in container: Container, at path: [Name], isTrial: Bool, progress: (Int) -> Void) throws(Failure) -> ImportUndo? {
        guard let (folder, name, items) = try ImportList.last(in: container, at: path) else { return nil }
        var undo = ImportUndo(), goes: [MadeItem] = [], folders: [MadeItem] = []
        for item in items {
            guard let stamp = item.stamp else {
                folders.append(item)
                continue
            }
            switch try? container.stampOfMade(at: item.path) {
            case stamp: goes.append(item)
            case .some: undo.changed.append(shown(item.path, in: container))
            case nil: undo.missing += 1
            }
        }
        undo.taken = goes.count
        guard !isTrial else { return undo }
        let coordinator = try FileCoordinator(container.path)
        defer { coordinator.close() }
        do {
            // Folders last, and the innermost first.
            let lists = stride(from: 0, to: goes.count, by: most).map { Array(goes[$0..<min($0 + most, goes.count)]) } + (folders.isEmpty ? [] : [Array(folders.reversed())])
            var done = 0
            for list in lists {
                try coordinator.coordinate(writing: "", timeout: .seconds(60)) { item in
                    let staged = try item.staged()
                    do throws(Errno) { try staged.write(Array(list.map { $0.line + "\n" }.joined().utf8)) } catch { throw Failure(error, "the list of what is to go cannot be written: \(error)", cause: error) }
                    try item.takeBack(staged)
                }
                done += list.count
                progress(done)
            }
        } catch let failure as Failure { throw failure } catch { throw Failure(.inputOutput, "\(error)") }
        try? folder.descriptor.unlink(name)
        return undo
    }
}
