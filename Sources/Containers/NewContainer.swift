import Documents
import LinuxFiles
import PropertyLists
import Transactions

/// A new container.
public enum NewContainer {
    /// Makes the folder (which may exist and be empty) a container; `kinds` nil means all.
    /// With `samples`, a few documents are put into it.
    public static func make(at path: String, kinds: [String]?, samples: Bool) throws(Failure) {
        let all = KindRegistry.basic
        let chosen = try kinds.map { (names) throws(Failure) in
            try names.map { (name) throws(Failure) in try all.wanted(name) }
        } ?? all.all
        do throws(Errno) {
            try makeFolders(path)
            let base = OpenFile(try Descriptor.atPath(path, [.path, .folder])), owner = try base.descriptor.status()
            // In a folder of somebody else root makes what they could make, and it is theirs.
            try ThreadRights.owning(as: owner.owner, group: owner.group, keepsRights: false) { () throws(Errno) in
                if try base.descriptor.exists(Hidden.state) { throw try base.descriptor.status(of: Hidden.state).type == .folder ? .exists : .notSupported }
                guard try isFree(base.descriptor) else { throw .notEmpty }
                let documents = OpenFile(try base.descriptor.madeFolder(Container.documentsName, mode: 0o755))
                let state = try base.descriptor.madeFolder(Hidden.state)
                let settings = try state.open(Settings.fileName, [.readWrite, .create, .exclusive], mode: 0o644)
                try settings.write(Settings(creating: chosen).text, at: 0)
                if samples { for sample in Samples.all where chosen.contains(sample.kind) { try put(sample, in: documents) } }
            }
        } catch {
            throw Failure(error, sentence(for: error, path), cause: error)
        }
    }

    private static func sentence(for error: Errno, _ path: String) -> String {
        switch error {
        case .exists: "“\(path)” is a container already; to see it as a drive: valise mount \(path.pasted) MOUNTPOINT"
        case .notSupported: "“\(path)/\(Hidden.state)” is \(stateType(path)), and Valise makes it a folder; take it away"
        case .notEmpty: "“\(path)” has something in it already; to show what is there as it is: valise mount \(path.pasted) MOUNTPOINT"
        case .accessDenied, .notPermitted: "you may not make a container at “\(path)”: choose a folder of your own"
        case .notDirectory: "“\(path)” is a file, or below one; a container is a folder"
        default: "cannot make a container at “\(path)”: \(error)"
        }
    }

    private static func stateType(_ path: String) -> String {
        let type = try? Descriptor.atPath(path, [.path, .folder]).status(of: Hidden.state).type
        return Container.words(for: type ?? .unknown)
    }

    /// The folder and those above it that are missing.
    private static func makeFolders(_ path: String) throws(Errno) {
        var folder = try Descriptor.atPath(path.hasPrefix("/") ? "/" : ".", [.path, .folder])
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { folder = try Descriptor.parent(of: folder) } else {
                guard let name = Name(String(part)) else { throw .nameTooLong }
                var refused: Errno?
                do throws(Errno) { try folder.makeFolder(name, mode: 0o755) } catch {
                    guard [.exists, .accessDenied, .readOnly].contains(error) else { throw error }
                    refused = error
                }
                do throws(Errno) { folder = try folder.openFollowing(name, [.path, .folder]) } catch {
                    // It is missing because it may not be made.
                    throw error == .noSuchEntry ? refused ?? error : error
                }
            }
        }
    }

    private static func isFree(_ folder: borrowing Descriptor) throws(Errno) -> Bool {
        var entries = try FolderReader(folder)
        while let entry = try entries.next() { if !Hidden.hides(entry.name) || Hidden.isState(entry.name) { return false } }
        return true
    }

    private static func put(_ sample: Samples.Sample, in documents: OpenFile) throws(Errno) {
        guard let shown = Name(sample.shownName) else { throw .invalid }
        let kind = sample.kind.kind
        let writings: [PartWriting]
        do throws(DocumentFault) {
            writings = try sample.writings()
        } catch { throw .invalid }
        let now = Timestamp.now
        let time = UnixMicroseconds(rawValue: now.seconds &* 1_000_000 &+ Int64(now.nanoseconds / 1000))
        guard let stored = Name(kind.storedName(forShown: shown.bytes, at: time, attempt: 0)) else { throw .nameTooLong }
        if let names = sample.kind.form?.names(shown: shown) {
            try documents.descriptor.makeFolder(stored, mode: 0o755)
            let package = try documents.descriptor.open(stored, [.path, .folder])
            for (part, writing) in zip(names, writings) { try write(writing, sample.content, as: part, in: package) }
        } else if let writing = writings.first {
            try write(writing, sample.content, as: stored, in: documents.descriptor)
        }
    }

    private static func write(_ writing: PartWriting, _ content: [UInt8], as name: Name, in folder: borrowing Descriptor) throws(Errno) {
        let bytes: [UInt8]
        switch writing {
        case .keep: return
        case .bytes(let all): bytes = all
        case .around(let head, let tail): bytes = head + content + tail
        }
        let file = try folder.open(name, [.write, .create, .exclusive], mode: 0o644)
        try file.write(bytes, at: 0)
    }
}
