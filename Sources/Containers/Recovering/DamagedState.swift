import LinuxFiles
import Transactions

/// What an earlier process left and this one does not understand, in `.valise/damaged/<time>`: the journal as it was, and what
/// lay in staging that no understood line speaks of. Nothing of it is obeyed, and nothing of it is thrown away.
package struct DamagedState {
    package static let folderName = Name(constant: "damaged")

    /// What is wrong, in words.
    private(set) var reasons: [String] = []
    private let state: StateFolder
    private let own: OpenFile
    private var hasJournal = false
    private var folder: (file: OpenFile, name: Name)?

    init(of container: Container, in own: OpenFile) {
        state = container.state
        self.own = own
    }

    /// In a sentence that says where it is; nil where there is nothing.
    var sentence: String? {
        guard !reasons.isEmpty else { return nil }
        let place = folder.map { "what is left of it lies in “\(state.fullPath)/\(Self.folderName)/\($0.name)”: look through it, and remove it" }
        return "what an earlier mount left in “\(state.fullPath)” is damaged: \(reasons.joined(separator: "; ")); \(place ?? "it stays as it is, because nothing can be put aside")"
    }

    mutating func note(_ reason: String) { if reasons.count < 5, !reasons.contains(reason) { reasons.append(reason) } }

    private mutating func madeFolder() throws(Errno) -> OpenFile {
        if let folder { return folder.file }
        let all: OpenFile
        do throws(StateFault) { all = try state.madeFolder(Self.folderName, in: own) } catch { throw error.errno }
        let name = try UndoFolder.makeFolder(in: all.descriptor)
        let made = OpenFile(try all.descriptor.open(name, [.path, .folder]))
        folder = (made, name)
        return made
    }

    /// A copy of the journal as it is, before anything is written there: once.
    mutating func keep(_ journal: Journal) throws(Errno) {
        if hasJournal { return }
        let old = try journal.folder.descriptor.open(Journal.fileName, .read)
        let copy = try madeFolder().descriptor.open(Journal.fileName, [.readWrite, .create, .exclusive], mode: 0o600)
        try old.copyAll(from: 0, count: try old.status().size, to: copy, at: 0)
        try copy.synchronize()
        hasJournal = true
    }

    mutating func keep(staged name: Name, in staging: OpenFile) throws(Errno) {
        try staging.descriptor.rename(name, to: try madeFolder().descriptor, as: name, .exclusive)
    }
}

extension Errno {
    /// The next try would come to the same: what was to be done cannot be done at all.
    var isLasting: Bool {
        [.invalid, .isDirectory, .tooManySymbolicLinks, .nameTooLong, .fileTooLarge, .crossDevice, .notEmpty, .notSupported, .tooManyLinks, .overflow].contains(self)
    }
}
