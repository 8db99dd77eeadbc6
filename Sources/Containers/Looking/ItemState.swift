import LinuxFiles

/// What an item was when it was looked at, so that it is known again: which file, folder or package it is, and by what
/// one sees that nothing of it has changed. Who looks at a container and who changes it by what was seen use the same
/// function, so that both mean the same.
public struct ItemState: Hashable, Sendable {
    public enum Form: String, Sendable {
        case file = "f", link = "l"
        /// A folder that is one item, of whatever kind.
        case package = "p"
        /// A folder with items in it, each of which has a state of its own.
        case folder = "d"
        /// A device, a socket or a pipe.
        case other = "o"
    }

    public let form: Form
    /// Its number on the file system, which another one may get when it is gone.
    public let number: UInt64
    /// When it was made, where the file system says that.
    public let made: Timestamp?
    /// Nil for a folder.
    public let stamp: ItemStamp?

    public init(form: Form, number: UInt64, made: Timestamp?, stamp: ItemStamp?) {
        (self.form, self.number, self.made, self.stamp) = (form, number, made, stamp)
    }

    /// Returns nil where nothing has the name. `isPackage`: whether a folder of this name is one item.
    init?(of name: Name, in folder: OpenFile, isPackage: Bool) throws(Errno) {
        do throws(Errno) {
            let (status, made) = try folder.descriptor.statusAndBirth(of: name)
            let form: Form = switch status.type {
            case .regular: .file
            case .symbolicLink: .link
            case .folder: isPackage ? .package : .folder
            default: .other
            }
            let stamp: ItemStamp? = switch form {
            case .folder: nil
            case .package: try ItemStamp(package: OpenFile(folder.descriptor.open(name, [.path, .folder])))
            case .file, .link, .other: ItemStamp(status)
            }
            self.init(form: form, number: status.identity.number, made: made, stamp: stamp)
        } catch {
            guard error == .noSuchEntry || error == .notDirectory else { throw error }
            return nil
        }
    }

    /// Whether it is the same item with the same content, where another name was given to it in between. That alone
    /// changes the time at which a file was changed, and none of the files in a package.
    func isContent(of other: ItemState) -> Bool {
        guard (form, number, made) == (other.form, other.number, other.made) else { return false }
        if form == .package { return stamp == other.stamp }
        return (stamp?.size, stamp?.modified) == (other.stamp?.size, other.stamp?.modified)
    }
}

/// By what one sees that a file, or any part of a package, was changed.
public struct ItemStamp: Hashable, Sendable {
    /// In bytes. Of a package it is a sum over the names, sizes and times of all parts.
    public let size: Int64
    /// When content was written last.
    public let modified: Timestamp
    /// When anything of it was changed last: no program can set that.
    public let changed: Timestamp

    public init(size: Int64, modified: Timestamp, changed: Timestamp) {
        (self.size, self.modified, self.changed) = (size, modified, changed)
    }

    init(_ status: FileStatus) { self.init(size: status.size, modified: status.modified, changed: status.changed) }

    init(package: OpenFile) throws(Errno) {
        var parts = Parts()
        try parts.add(package, depth: 0)
        self.init(size: Int64(parts.hash.value >> 2), modified: parts.modified, changed: parts.changed)
    }

    /// Also hidden ones: what takes a package's place replaces these, too.
    private struct Parts {
        var hash = LastingHash()
        var modified = Timestamp(seconds: 0), changed = Timestamp(seconds: 0)

        mutating func add(_ folder: OpenFile, depth: Int) throws(Errno) {
            guard depth < ItemTree.deepest else { throw .nameTooLong }
            for name in try Container.names(in: folder.descriptor).sorted() {
                guard let status = try folder.descriptor.statusIfThere(name) else { continue }
                hash.add(name.bytes + [0, UInt8(truncatingIfNeeded: status.mode >> 12)])
                if status.type == .folder {
                    try add(OpenFile(folder.descriptor.open(name, [.path, .folder])), depth: depth + 1)
                    hash.add([0])
                    continue
                }
                for number in [status.size, status.modified.seconds, status.changed.seconds] { hash.add(number) }
                for number in [status.modified.nanoseconds, status.changed.nanoseconds] { hash.add(Int64(number)) }
                (modified, changed) = (max(modified, status.modified), max(changed, status.changed))
            }
        }
    }
}

extension Container {
    /// What has this path, from the documents on, as it is now. Nil where nothing has it.
    public func state(at path: [Name]) throws(Errno) -> ItemState? {
        guard let name = path.last else { return nil }
        do throws(Errno) { return try state(of: name, in: documents.folder(at: path.dropLast())) } catch {
            guard error == .noSuchEntry || error == .notDirectory else { throw error }
            return nil
        }
    }

    /// The same of a name in a folder that is no package.
    public func state(of name: Name, in folder: OpenFile) throws(Errno) -> ItemState? {
        try ItemState(of: name, in: folder, isPackage: kinds.isPackage(name))
    }
}

// As a program says it to the one that writes in the container: form, number, the two numbers of when it was made,
// which are empty where the file system does not say that, size, and the two times:
// "f.1234.1700000000.5.12.1700000000.5.1700000000.5". Of a folder the first four.
extension ItemState {
    public var text: String {
        var words = [form.rawValue, "\(number)"] + (made.map(Self.words) ?? ["", ""])
        if let stamp { words += ["\(stamp.size)"] + Self.words(stamp.modified) + Self.words(stamp.changed) }
        return words.joined(separator: ".")
    }

    public init?(text: some StringProtocol) {
        let words = text.split(separator: ".", maxSplits: 9, omittingEmptySubsequences: false)
        guard words.count == 4 || words.count == 9, let form = Form(rawValue: String(words[0])),
            let number = UInt64(words[1]),
            (form == .folder) == (words.count == 4)
        else { return nil }
        let made = Timestamp(seconds: words[2], nanoseconds: words[3])
        guard made != nil || words[2].isEmpty && words[3].isEmpty else { return nil }
        guard words.count == 9 else {
            self.init(form: form, number: number, made: made, stamp: nil)
            return
        }
        guard let size = Int64(words[4]), size >= 0, 
            let modified = Timestamp(seconds: words[5], nanoseconds: words[6]),
            let changed = Timestamp(seconds: words[7], nanoseconds: words[8])
        else { return nil }
        self.init(
            form: form, number: number, made: made, stamp: ItemStamp(size: size, modified: modified, changed: changed))
    }

    private static func words(_ time: Timestamp) -> [String] { ["\(time.seconds)", "\(time.nanoseconds)"] }
}
