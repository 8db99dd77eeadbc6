import Containers
import KeyValueStore
import LinuxFiles
import PropertyLists

/// `/.valise/kvs`: the values of the container's key-value store as files, text but for data. It is read anew whenever the store's
/// file is another one: what an app set a moment ago is there.
final class KeyValueFiles: SmallFileStore {
    let area = ControlNode.Area.keyValues
    private let file: KeyValueFile
    private let container: Container
    private let rights: CallerRights

    private struct Known: Sendable {
        /// Of the file that was read; nil where there was none, or where another one may bear the same times.
        let status: FileStatus?
        let reading: KeyValueFile.Reading
        let keys: [Name: String]

        /// When its value was set; 0 where nobody knows.
        func time(of name: Name) -> Int64 { keys[name].flatMap { reading.contents.entries[$0]?.time } ?? 0 }
    }

    private let known = Latest<Known?>(nil)

    /// What those who watch the drive know of, and what others changed since that they do not.
    private struct Announced {
        var contents: KeyValueContents?
        var pending: [KeyValueChange] = []
    }

    private let announced = Locked(Announced(), .keyValues)

    /// What values were that were taken away a moment ago: some programs do that before they write them anew.
    private let removedTypes = RecentTable<String, (type: KeyValueType, until: Int64)>(most: KeyValueContents.mostKeys)
    private static let patience: Int64 = 15_000

    init(_ file: KeyValueFile?, container: Container, rights: CallerRights) {
        (self.file, self.container, self.rights) = (file ?? KeyValueFile(of: container), container, rights)
    }

    /// The folder of a store that lies in no container.
    var ownFolder: OpenFile? { file.folder }

    // MARK: Reading

    private func current() throws(Errno) -> Known {
        let status = try file.whereabouts()?.status
        if let known = known.value, let status, known.status == status { return known }
        let reading: KeyValueFile.Reading
        do throws(Failure) { reading = try file.read() } catch { throw error.errno }
        var keys: [Name: String] = [:]
        for key in reading.contents.keys { if let name = Self.name(of: key) { keys[name] = key } }
        // What was read may be later than its times. What is read next time is that, or later still.
        let now = Known(status: status.flatMap { $0.isUnsettled ? nil : $0 }, reading: reading, keys: keys)
        known.set(now)
        return now
    }

    /// nil for a key that only another program can have made: longer than any is to be.
    private static func name(of key: String) -> Name? {
        let names = EncodedName.names(of: key)
        return names.count == 1 ? names.first : nil
    }

    private func key(of name: Name) -> String { EncodedName.text(of: [name]) ?? "" }

    private func value(of name: Name) throws(Errno) -> PropertyList? {
        let known = try current()
        return known.keys[name].flatMap { known.reading.contents[$0] }
    }

    func names() throws(Errno) -> [Name] { Array(try current().keys.keys) }

    func bytes(of name: Name) throws(Errno) -> [UInt8]? { try value(of: name).map(Self.bytes) }

    /// A text ends as all but data do: with a line end, which is none of its own.
    private static func bytes(of value: PropertyList) -> [UInt8] {
        if case .string = value { KeyValueText.bytes(of: value) + [lineEnd] } else { KeyValueText.bytes(of: value) }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    private static func value(_ bytes: [UInt8], as type: KeyValueType) -> PropertyList? {
        KeyValueText.value(type == .string && bytes.last == lineEnd ? Array(bytes.dropLast()) : bytes, as: type)
    }

    func type(of name: Name) throws(Errno) -> String? { try value(of: name).flatMap { KeyValueType(of: $0)?.rawValue } }
    func checkType(_ type: String) throws(Errno) { guard KeyValueType(rawValue: type) != nil else { throw .invalid } }
    func fault() throws(Errno) -> String? { try current().reading.loss }

    // MARK: Whose it is

    func newStatus() throws(Errno) -> FileStatus { try status(file.whereabouts()) }

    func status(of name: Name) throws(Errno) -> FileStatus? {
        guard let bytes = try bytes(of: name) else { return nil }
        var status = try newStatus()
        status.size = Int64(bytes.count)
        let time = try current().time(of: name)
        if time > 0 {
            status.modified = Timestamp(seconds: time / 1_000_000, nanoseconds: Int32(truncatingIfNeeded: time % 1_000_000 * 1000))
            (status.accessed, status.changed) = (status.modified, status.modified)
        }
        return status
    }

    /// As the store's own file, or as one that is made.
    private func status(_ place: KeyValueFile.Whereabouts?) throws(Errno) -> FileStatus {
        if var status = place?.status {
            status.mode = FileType.regular.mode | status.permissions & 0o666
            (status.links, status.size) = (1, 0)
            return status
        }
        var status: FileStatus
        if let place { status = place.folderStatus } else { status = try container.base.descriptor.status() }
        status.mode = FileType.regular.mode | 0o600
        (status.links, status.size) = (1, 0)
        return status
    }

    func folderStatus() throws(Errno) -> FileStatus {
        var status = try newStatus()
        let permissions = status.permissions
        status.mode = FileType.folder.mode | permissions | (permissions & 0o444) >> 2
        status.links = 2
        return status
    }

    /// Who may get to the store's file and use it so, where it lies.
    func check(_ wanted: FileRights, _ caller: Caller) throws(Errno) {
        guard rights.areChecked else { return }
        let place = try file.whereabouts()
        if let place { try rights.require(.enter, of: caller, on: place.folder, place.folderStatus) }
        guard let file = place?.file, let status = place?.status else { return try rights.requireShown(wanted, of: caller, status(place)) }
        try rights.require(wanted, of: caller, on: file, status)
    }

    // MARK: Changing

    /// The longest JSON of a value that fits is shorter.
    let mostBytes: Int64 = 1 << 23

    func checkNew(_ name: Name) throws(Errno) {
        guard let key = EncodedName.text(of: [name]) else { throw .invalid }
        guard key.utf8.count <= KeyValueContents.longestKey else { throw .nameTooLong }
    }

    func save(_ bytes: [UInt8], as name: Name, type: String?) throws(Failure) {
        let key = key(of: name)
        try change { (contents) throws(Failure) in
            let own = type.flatMap { KeyValueType(rawValue: $0) } ?? contents[key].flatMap { KeyValueType(of: $0) }
            try Self.set(key, to: bytes, as: own ?? typeOfRemoved(key, bytes) ?? KeyValueText.type(ofNew: bytes), in: &contents)
        }
    }

    func checkWriting(_ beginning: [UInt8], _ size: Int64, as name: Name, type: String?) throws(Failure) {
        let key = key(of: name), own = (type ?? (try? self.type(of: name))).flatMap { KeyValueType(rawValue: $0) }
        // It may take the type of what it was before.
        if own == nil, removedTypes[key] != nil { return }
        switch own ?? .data {
        case .string, .data:
            // The line end that closes a text belongs to the file and not to the value.
            guard size <= Int64(KeyValueContents.mostBytes) + 1 else { throw Failure(.fileTooLarge, KeyValueFault.bytes(Int(clamping: size)).sentence) }
        case let type:
            guard KeyValueText.mayBegin(beginning, as: type) else { throw Self.notOfType(type, key) }
        }
    }

    /// The type of the value that was removed under this key, if what is written can be of that type.
    private func typeOfRemoved(_ key: String, _ bytes: [UInt8]) -> KeyValueType? {
        let removed = removedTypes.take(key)
        guard let removed, Monotonic.milliseconds < removed.until, Self.value(bytes, as: removed.type) != nil else { return nil }
        return removed.type
    }

    private static func set(_ key: String, to bytes: [UInt8], as type: KeyValueType, in contents: inout KeyValueContents) throws(Failure) {
        guard let value = value(bytes, as: type) else { throw notOfType(type, key) }
        try set(key, to: value, in: &contents)
    }

    private static func notOfType(_ type: KeyValueType, _ key: String) -> Failure {
        Failure(.invalid, "the type of “\(key)” is \(type.rawValue): \(type.example)")
    }

    private static func set(_ key: String, to value: PropertyList, in contents: inout KeyValueContents) throws(Failure) {
        do throws(KeyValueFault) { try contents.set(key, to: value, at: KeyValueFile.now) } catch {
            let errno: Errno = switch error {
            case .key: .nameTooLong
            case .value: .invalid
            case .keys: .noSpace
            case .bytes: KeyValueContents.size(value) > KeyValueContents.mostBytes ? .fileTooLarge : .noSpace
            }
            throw Failure(errno, error.sentence, cause: error)
        }
    }

    func remove(_ name: Name) throws(Failure) {
        let key = key(of: name)
        try change { (contents) throws(Failure) in
            let type = contents[key].flatMap { KeyValueType(of: $0) }, until = Monotonic.milliseconds &+ Self.patience
            removedTypes[key] = type.map { ($0, until) }
            contents.remove(key, at: KeyValueFile.now)
        }
    }

    /// A text takes the type of what it replaces; whatever else it is goes along.
    func move(_ name: Name, to new: Name) throws(Failure) {
        let old = key(of: name), key = key(of: new)
        try change { (contents) throws(Failure) in
            guard let value = contents[old] else { throw Failure(.noSuchEntry, "“\(old)” is not there any more") }
            let type = contents[key].flatMap { KeyValueType(of: $0) }
            contents.remove(old, at: KeyValueFile.now)
            switch (value, type) {
            case (.string, let type?), (.data, let type?): try Self.set(key, to: Self.bytes(of: value), as: type, in: &contents)
            default: try Self.set(key, to: value, in: &contents)
            }
        }
    }

    func setType(_ type: String, of name: Name) throws(Failure) {
        let key = key(of: name)
        guard let type = KeyValueType(rawValue: type) else { throw Failure(.invalid, "“\(type)” is no type") }
        try change { (contents) throws(Failure) in
            guard let value = contents[key] else { throw Failure(.noSuchEntry, "“\(key)” is not there any more") }
            try Self.set(key, to: Self.bytes(of: value), as: type, in: &contents)
        }
    }

    /// A body that throws leaves the store as it was.
    private func change(_ body: (inout KeyValueContents) throws(Failure) -> Void) throws(Failure) {
        try announced.withLock { (announced) throws(Failure) in
            var before = KeyValueContents(), fault: Failure?
            let after = try file.change { contents in
                before = contents
                do throws(Failure) { try body(&contents) } catch {
                    fault = error
                    contents = before
                }
            }.contents
            if let known = announced.contents {
                announced.pending += Self.changes(from: known, to: before)
                announced.contents = after
            }
            known.set(nil)
            if let fault { throw fault }
        }
    }

    // MARK: What others change

    /// From now on `takeOthersChanges` tells what others change.
    func beginTelling() throws(Failure) {
        try announced.withLock { (announced) throws(Failure) in if announced.contents == nil { announced.contents = try file.read().contents } }
    }

    func takeOthersChanges() throws(Failure) -> [KeyValueChange] {
        try announced.withLock { (announced) throws(Failure) in
            let now = try file.read().contents
            defer { announced = Announced(contents: now) }
            return announced.pending + (announced.contents.map { Self.changes(from: $0, to: now) } ?? [])
        }
    }

    /// Waits for the store to be replaced.
    func watch() throws(Failure) -> KeyValueWatch { try file.watch() }

    private static func changes(from old: KeyValueContents, to new: KeyValueContents) -> [KeyValueChange] {
        new.keysThatDiffer(from: old).compactMap { key in
            guard let name = name(of: key) else { return nil }
            return KeyValueChange(name: name, what: old[key] == nil ? .came : new[key] == nil ? .went : .changed)
        }
    }
}

/// What became of one key.
struct KeyValueChange: Sendable {
    enum What: Sendable { case came, went, changed }
    let name: Name
    let what: What
}
