import Databases
import LinuxFiles

/// Goes again and again through what cannot be watched, because the kernel has too few watches for it: folders that may have other names in them, and then
/// items. A few at a time, so that what is noticed meanwhile keeps nobody waiting; and it rests at least as long as it goes.
struct RepeatedWalk {
    enum Step {
        case folder(Int64)
        /// Behind that one, by their numbers.
        case items(behind: Int64)
    }

    /// So many items are looked at in a step.
    static let most = 500
    private static let shortestRest: Int64 = 1000
    private var pending: [Step] = []
    private var began = Monotonic.milliseconds
    private var next = Monotonic.milliseconds + Self.shortestRest

    /// So long there is nothing to do.
    var rest: Int64 { pending.isEmpty ? max(0, next - Monotonic.milliseconds) : 0 }

    /// What is to be looked at now, of all or of what is left.
    mutating func step(_ unwatched: Set<Int64>) -> Step? {
        if pending.isEmpty {
            guard rest == 0 else { return nil }
            began = Monotonic.milliseconds
            pending = [.items(behind: 0)] + unwatched.sorted().reversed().map { .folder($0) }
        }
        return pending.popLast()
    }

    /// The last step has brought it there.
    mutating func goOn(behind item: Int64) { pending.append(.items(behind: item)) }

    mutating func end() {
        let now = Monotonic.milliseconds
        next = now + max(Self.shortestRest, now - began)
    }
}

extension Catalog {
    /// One step; what is other than it was.
    func goOn(_ walk: inout RepeatedWalk, _ watch: ContainerWatch) throws(DatabaseFault) -> [FolderChange] {
        forgetPlaces()
        defer { forgetPlaces() }
        switch walk.step(watch.unwatched) {
        case nil: return []
        case .folder(let folder): return try lookAtOther(folder)
        case .items(let number):
            let known = try items.known(behind: number, most: RepeatedWalk.most)
            if let last = known.last { walk.goOn(behind: last.id) } else { walk.end() }
            var names: [Int64: [Name]] = [:], changes: [FolderChange] = []
            for item in known where watch.unwatched.contains(item.folder) || container.reader.candidate(for: item.stored, isFolder: true) != nil {
                names[item.folder, default: []].append(item.stored)
            }
            for (folder, names) in names.sorted(by: { $0.key < $1.key }) { changes += try look(again: names, in: folder).filter { !$0.isEmpty } }
            return changes
        }
    }

    /// A folder, where it is another one than it was.
    private func lookAtOther(_ folder: Int64) throws(DatabaseFault) -> [FolderChange] {
        guard let known = folders[folder], let path = folders.path(of: folder), let place = place(of: known, path), let status = try? place.descriptor.status(),
            ItemStamp.of(folder: status).compared != known.stamp
        else { return [] }
        return try lookAtAllAndInto(folder).filter { !$0.isEmpty }
    }
}
