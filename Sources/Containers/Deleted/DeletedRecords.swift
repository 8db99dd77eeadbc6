import Documents
import LinuxFiles
import Transactions

/// What is known of deleted items, in `.valise/deleted/records`: a line before each is taken away, and one when it is gone.
///
/// Only ever appended to, and written anew when the container is opened and much of it is of no account.
final class DeletedRecords: Sendable {
    private let container: Container
    private let policy: DeletedPolicy
    /// Where deleted items lie; nil where none was ever kept and none is to be.
    let folder: OpenFile?
    private let state = Locked(State(), .deletedRecords)

    private struct State {
        var list = DeletedList()
        var file: OpenFile?
        var numbers: [UInt64: UInt64] = [:]
        /// What was deleted of each place and is kept, the last one at the end.
        var deletedFrom: [Place: [UInt64]] = [:]
        /// The places of all that wait in staging, also of what is not to be kept, and what had each last.
        var vacated: [UInt64: Place] = [:]
        var vacatedLast: [Place: UInt64] = [:]
        var removal = Removal(at: Timestamp(seconds: 0))
        /// Folders that were looked at since this removal began.
        var looked: Set<[Name]> = []
        var edition: UInt64 = 0
        /// There is room on the store for lines up to here.
        var reserved: Int64 = 0
        /// What waits in staging and found no room for its line, by the number of that.
        var unnoted: [UInt64: Unnoted] = [:]
        var unkept = 0

        mutating func index() {
            (numbers, vacated, vacatedLast) = ([:], [:], [:])
            for item in list.all.filter({ $0.away != 0 }).sorted(by: { $0.away < $1.away }) {
                waits(item)
                vacates(item.former, item.away)
            }
            deletedFrom = [:]
            for item in list.items.values.sorted(by: { $0.number < $1.number }) { deletedFrom[item.former, default: []].append(item.number) }
            edition &+= 1
        }

        mutating func vacates(_ place: Place, _ away: UInt64) { (vacated[away], vacatedLast[place]) = (place, away) }

        mutating func vacatesNoMore(_ away: UInt64) {
            if let place = vacated.removeValue(forKey: away), vacatedLast[place] == away { vacatedLast[place] = nil }
        }

        func waiting(_ away: UInt64) -> DeletedItem? { numbers[away].flatMap { list.items[$0] ?? list.unknown[$0]?.item } }

        mutating func waits(_ item: DeletedItem) { numbers[item.away] = item.number }

        /// The same item, deleted from another place now.
        mutating func replace(_ item: DeletedItem, by other: DeletedItem) {
            list.items[item.number] = other
            forgetPlace(of: item)
            deletedFrom[other.former, default: []].append(other.number)
            edition &+= 1
        }

        mutating func forgetPlace(of item: DeletedItem) {
            if let index = deletedFrom[item.former]?.lastIndex(of: item.number) { deletedFrom[item.former]?.remove(at: index) }
            if deletedFrom[item.former]?.isEmpty == true { deletedFrom[item.former] = nil }
        }

        mutating func waitsNoMore(_ item: DeletedItem) {
            if numbers[item.away] == item.number { numbers[item.away] = nil }
            vacatesNoMore(item.away)
        }
    }

    private struct Unnoted {
        let stored: Name
        let kind: KindID?
        let address: Address
    }

    /// Items that are deleted one soon after another belong together.
    private struct Removal {
        let start: Timestamp
        private var end: Timestamp
        private var places: Set<Place> = []

        init(at now: Timestamp) { (start, end) = (now, now) }

        func continues(at now: Timestamp, with place: Place) -> Bool {
            now.seconds >= end.seconds && now.seconds - end.seconds <= DeletedRecords.pause && !places.contains(place)
        }

        mutating func take(_ place: Place, at now: Timestamp) {
            end = now
            places.insert(place)
        }
    }

    /// Not much longer than a program takes between two of many files.
    private static let pause: Int64 = 10

    init(container: Container, policy: DeletedPolicy, folder: OpenFile?) {
        (self.container, self.policy, self.folder) = (container, policy, folder)
    }

    // MARK: Reading

    /// What an earlier process left. Before anything is noted.
    func load() throws(Errno) {
        guard let folder else { return }
        guard let file = try file(in: folder, policy.keeps ? [.readWrite, .create] : .readWrite) else { return }
        let list = try DeletedList(file.descriptor, container.kinds)
        // Half a line must not become a whole one with the next.
        if try file.descriptor.status().size != list.whole { try file.descriptor.truncate(to: list.whole) }
        state.withLock { state in
            state.file = file
            state.list = list
            state.index()
            reserve(&state)
        }
    }

    /// Nil where there is none. A store that is full serves what is there.
    private func file(in folder: OpenFile, _ flags: OpenFlags) throws(Errno) -> OpenFile? {
        do throws(StateFault) { return try container.state.file(Container.deletedRecords, flags, in: folder, at: [Container.deletedName]) } catch {
            if error.errno.isFull, flags.contains(.create) { return try file(in: folder, .readWrite) }
            guard error.errno == .noSuchEntry || error.errno.isFull else { throw error.errno }
            return nil
        }
    }

    /// All that was under way is finished: what is not there now is gone. Written anew where records speak of that.
    func settle(staging: OpenFile) throws(Errno) {
        guard let folder, state.withLock({ $0.file != nil }) else { return }
        var list = state.withLock { $0.list }
        list.settle(kept: try Container.numbers(in: folder), away: try Container.awayNumbers(in: staging))
        letGoOfHeld(&list, in: folder)
        let written = list.isOutdated ? try? writeAnew(list, in: folder) : nil
        if let written { list.whole = try written.descriptor.status().size }
        list.isOutdated = list.isOutdated && written == nil
        state.withLock { state in
            if let written { (state.file, state.reserved) = (written, 0) }
            state.list = list
            state.index()
            reserve(&state)
        }
    }

    /// A plain file that was about to go when its drive ended, and did not: it has its name still, and one here.
    private func letGoOfHeld(_ list: inout DeletedList, in folder: OpenFile) {
        for item in list.sorted.prefix(Self.mostHeld) where item.kind == nil {
            guard let status = try? folder.descriptor.status(of: item.entry), status.links > 1 else { continue }
            try? folder.descriptor.unlink(item.entry)
            list.items[item.number] = nil
            list.isOutdated = true
        }
    }

    /// More than there are threads that take something away at once.
    private static let mostHeld = 64
    private static let newName = Name(constant: "records.new")

    private func writeAnew(_ list: DeletedList, in folder: OpenFile) throws(Errno) -> OpenFile {
        let paths = Set(list.all.flatMap { item in item.path.indices.map { Array(item.path[...$0]) } })
        var records: [DeletedItem.Record] = [.next(list.next)]
        records += list.folders.filter { paths.contains($0.key) }.map { .folder($0.key, $0.value) }
        records += list.items.values.sorted { $0.number < $1.number }.map { .kept($0) }
        // A program that understands them finds them as they were.
        let others = list.unknown.values.sorted { $0.item.number < $1.item.number }.map(\.line) + list.strange
        try folder.descriptor.removeTree(Self.newName)
        let file = OpenFile(try folder.descriptor.open(Self.newName, [.readWrite, .create, .exclusive], mode: 0o600))
        try file.descriptor.write(Array(records.map { $0.line + "\n" }.joined().utf8) + others.flatMap { $0 + [UInt8(ascii: "\n")] }, at: 0)
        try file.descriptor.synchronize()
        try folder.descriptor.rename(Self.newName, to: folder.descriptor, as: Container.deletedRecords)
        return file
    }

    var edition: UInt64 { state.withLock { $0.edition } }
    var items: [DeletedItem] { state.withLock { Array($0.list.items.values) } }
    /// Also those of kinds that this program does not know.
    var all: [DeletedItem] { state.withLock { $0.list.all } }
    /// What was deleted from this place and is kept, the last one first, and no more than a few.
    func items(from place: Place) -> [DeletedItem] {
        state.withLock { state in (state.deletedFrom[place] ?? []).suffix(Self.mostCompared).reversed().compactMap { state.list.items[$0] } }
    }

    private static let mostCompared = 8
    func item(_ number: UInt64) -> DeletedItem? { state.withLock { $0.list.items[number] } }
    /// The same, also of a part of a folder that is one item.
    func itemOrPart(_ number: UInt64) -> DeletedItem? {
        state.withLock { state in state.list.items[number] ?? state.list.unknown[number].flatMap { $0.isPart ? $0.item : nil } }
    }
    /// The parts that went out of a folder that is one item, and are in no deleted item.
    func parts(below folder: [Name]) -> [DeletedItem] {
        state.withLock { state in state.list.unknown.values.filter { $0.item.path.starts(with: folder) && $0.isPart }.map(\.item) }
    }
    /// What lay beside a deleted item and went with it: the next of that name.
    func part(_ name: Name, in path: [Name], since item: DeletedItem) -> DeletedItem? {
        state.withLock { state in
            let parts = state.list.unknown.values.filter { $0.item.stored == name && $0.item.path == path && $0.item.number > item.number && $0.isPart }
            return parts.map(\.item).min { $0.number < $1.number }
        }
    }
    /// What waits in staging under this number.
    func item(away number: UInt64) -> DeletedItem? { state.withLock { $0.waiting(number) } }
    /// Whether nothing has had a place since something left it, under this number, that waits in staging, too: what versions are there are that one's.
    func wasLast(in place: Place, away number: UInt64) -> Bool { state.withLock { $0.vacatedLast[place].map { $0 <= number } ?? true } }
    /// What left this place last, if that waits in case its name comes back.
    func waiting(from place: Place) -> DeletedItem? { state.withLock { $0.vacatedLast[place].flatMap($0.waiting) } }
    /// The same of all places below a folder.
    func waiting(below folder: [Name]) -> [DeletedItem] {
        state.withLock { state in
            state.vacatedLast.filter { $0.key.path.starts(with: folder) }.compactMap { state.waiting($0.value) }
        }
    }
    func folder(at path: [Name]) -> DeletedFolder? { state.withLock { $0.list.folders[path] } }

    // MARK: Writing

    /// Something is about to be taken away: what it is is written down before. Nil where it is not to be kept, or there is no room
    /// for that: then it goes for good, and that is told. What waits in staging is written down when it leaves that.
    /// `isLast`: it does, now.
    @discardableResult
    func note(_ stored: Name, _ kind: KindID?, from address: Address, away: UInt64 = 0, isLast: Bool = false) throws(Errno) -> DeletedItem? {
        guard policy.keeps else { return nil }
        do throws(Errno) { return try write(stored, kind, from: address, away: away) } catch {
            guard error.isFull else { throw error }
            let waits = away != 0 && !isLast && state.withLock { state in
                guard state.unnoted.count < Self.mostUnnoted else { return false }
                state.unnoted[away] = Unnoted(stored: stored, kind: kind, address: address)
                return true
            }
            if !waits { isNotKept(address.path + [address.shown]) }
            return nil
        }
    }

    /// The same for who leaves it where it is if there is no room for that. Nil where nothing is to be kept.
    func noteForSure(_ stored: Name, _ kind: KindID?, from address: Address) throws(Errno) -> DeletedItem? {
        policy.keeps ? try write(stored, kind, from: address, away: 0) : nil
    }

    /// The same of a part of a folder that is one item, of which nothing would be kept in any other folder.
    func notePart(_ stored: Name, from address: Address) throws(Errno) -> DeletedItem? {
        guard policy.keeps else { return nil }
        do throws(Errno) { return try write(stored, nil, from: address, away: 0, isPart: true) } catch {
            guard error.isFull else { throw error }
            return nil
        }
    }

    /// What waited in staging is about to leave it: what found no room for its line finds some perhaps now, when others have gone.
    func itemToKeep(away number: UInt64) throws(Errno) -> DeletedItem? {
        if let item = item(away: number) { return item }
        guard let unnoted = state.withLock({ $0.unnoted.removeValue(forKey: number) }) else { return nil }
        return try note(unnoted.stored, unnoted.kind, from: unnoted.address, away: number, isLast: true)
    }

    /// Each item that waits holds its folder open, so there may be only so many.
    private static let mostUnnoted = 1000

    /// Nobody finds it among the deleted, which somebody may count on.
    func isNotKept(_ path: [Name]) {
        guard policy.keeps else { return }
        state.withLock { $0.unkept += 1 }
        DocumentLog.warn(of: path) { file in "“\(file)” is not kept among the deleted: there is no room for it" }
    }

    /// How many items could not be kept.
    var unkept: Int { state.withLock { $0.unkept } }

    private func write(
        _ stored: Name, _ kind: KindID?, from address: Address, away: UInt64, isPart: Bool = false
    ) throws(Errno) -> DeletedItem? {
        guard folder != nil else { throw .noSpace }
        let now = Timestamp.now
        return try state.withLock { (state) throws(Errno) in
            let place = Place.item(stored, in: address.path)
            // Changed where it is: there may be tens of thousands of places in it.
            if !state.removal.continues(at: now, with: place) { (state.removal, state.looked) = (Removal(at: now), []) }
            let item = DeletedItem(
                number: state.list.next, when: now, removal: state.removal.start, kind: kind, path: address.path, stored: stored, shown: address.shown, away: away)
            var records = try foldersToNote(address, &state)
            records.append(isPart ? .unknown(UnknownDeletion(part: item)) : .kept(item))
            try append(records, &state)
            state.removal.take(place, at: now)
            state.list.next += 1
            guard !isPart else {
                state.list.unknown[item.number] = UnknownDeletion(part: item)
                return item
            }
            state.list.items[item.number] = item
            state.deletedFrom[place, default: []].append(item.number)
            state.edition &+= 1
            if away != 0 { state.waits(item) }
            return item
        }
    }

    @discardableResult
    func note(_ item: AwayItem, from address: Address) throws(Errno) -> DeletedItem? {
        let noted = try note(item.stored, item.kind, from: address, away: item.number)
        state.withLock { $0.vacates(item.former, item.number) }
        return noted
    }

    /// Does what takes away what was noted. If that fails, it was never deleted.
    func forgetting(_ noted: [AwayItem?], _ body: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) { try body() } catch {
            for case let item? in noted { forget(away: item.number) }
            throw error
        }
    }

    /// Does what has a deleted item wait in staging again: it is the same one, and where nothing comes of it, it was deleted from the new place. If that
    /// fails, it is what it was; a line that says otherwise is of no account, because the item is among the deleted.
    func recalling(_ item: DeletedItem, as away: AwayItem, at address: Address, _ body: () throws(Errno) -> Void) throws(Errno) {
        let waiting = DeletedItem(
            number: item.number, when: item.when, removal: item.removal, kind: item.kind, path: address.path, stored: away.stored, shown: address.shown,
            away: away.number)
        try state.withLock { (state) throws(Errno) in
            // Another thread may have brought it back or removed it meanwhile.
            guard state.list.items[item.number] == item else { throw .noSuchEntry }
            try append(foldersToNote(address, &state) + [.kept(waiting)], &state)
            state.list.recalled.insert(item.number)
            state.replace(item, by: waiting)
            state.waits(waiting)
            state.vacates(away.former, away.number)
        }
        do throws(Errno) { try body() } catch {
            state.withLock { state in
                state.waitsNoMore(waiting)
                state.replace(waiting, by: item)
                try? append([.kept(item)], &state)
            }
            throw error
        }
    }

    /// Whether an item that waits was among the deleted before.
    func isRecalled(_ item: DeletedItem) -> Bool { state.withLock { $0.list.recalled.contains(item.number) } }

    /// It is back, gone for good, or was never taken away.
    func forget(_ item: DeletedItem) {
        state.withLock { state in
            let known = state.list.items.removeValue(forKey: item.number), unknown = state.list.unknown.removeValue(forKey: item.number)
            guard known != nil || unknown != nil else { return }
            state.forgetPlace(of: item)
            state.edition &+= 1
            state.waitsNoMore(item)
            // What is not there is found to be gone without this, too.
            try? append([.gone(item.number)], &state)
        }
    }

    /// Counts and tells that an item could not be kept.
    func forget(_ item: DeletedItem, after error: Errno) {
        forget(item)
        if error.isFull { isNotKept(item.path + [item.shown]) }
    }

    func forget(away number: UInt64) {
        state.withLock { state in
            state.unnoted[number] = nil
            state.vacatesNoMore(number)
        }
        if let item = item(away: number) { forget(item) }
    }

    /// It left staging, and is among the deleted.
    func settle(_ item: DeletedItem) {
        state.withLock { state in
            state.list.items[item.number]?.away = 0
            state.list.unknown[item.number]?.item.away = 0
            state.waitsNoMore(item)
        }
    }

    /// What is in a folder may be seen by those who might see it when it was deleted: so those above are written down, once for
    /// all that is deleted at a time.
    private func foldersToNote(_ address: Address, _ state: inout State) throws(Errno) -> [DeletedItem.Record] {
        guard !address.path.isEmpty else { return [] }
        let now = DeletedFolder(try address.folder.descriptor.status())
        guard state.list.folders[address.path] != now || !state.looked.contains(address.path) else { return [] }
        var records: [DeletedItem.Record] = []
        func look(_ path: [Name], _ folder: DeletedFolder) {
            state.looked.insert(path)
            guard state.list.folders[path] != folder else { return }
            state.list.folders[path] = folder
            records.append(.folder(path, folder))
        }
        look(address.path, now)
        for count in (1..<address.path.count).reversed() {
            let path = Array(address.path.prefix(count))
            if state.looked.contains(path) { break }
            guard let status = try? container.documents.folder(at: path).descriptor.status() else { break }
            look(path, DeletedFolder(status))
        }
        return records
    }

    private func append(_ records: [DeletedItem.Record], _ state: inout State) throws(Errno) {
        guard let file = state.file else { throw .noSpace }
        defer { reserve(&state) }
        let bytes = Array(records.map { $0.line + "\n" }.joined().utf8)
        do throws(Errno) {
            try file.descriptor.write(bytes, at: state.list.whole)
            state.list.whole += Int64(bytes.count)
        } catch {
            // Half a line must not become a whole one with the next.
            try? file.descriptor.truncate(to: state.list.whole)
            state.reserved = state.list.whole
            throw error
        }
    }

    /// A store that is full has room for the lines of what is deleted next, where it can be asked for before.
    private func reserve(_ state: inout State) {
        guard policy.keeps, let file = state.file, state.reserved < state.list.whole + Self.leastRoom else { return }
        for room in [Self.room, Self.room / 4, Self.room / 16] {
            do throws(Errno) {
                try file.descriptor.allocate(mode: Self.keepsSize, at: state.list.whole, count: room)
                state.reserved = state.list.whole + room
                return
            } catch {
                guard error.isFull else { return state.reserved = .max }
            }
        }
    }

    /// Room on the store for some hundred lines.
    private static let room: Int64 = 1 << 16, leastRoom: Int64 = 1 << 15
    /// FALLOC_FL_KEEP_SIZE
    private static let keepsSize: Int32 = 1
}
