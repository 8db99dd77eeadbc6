import LinuxFiles

// Whether Valise's own folder in a container is as a drive leaves it.
extension ContainerCheck {
    mutating func lookAtState() {
        let base = container.base
        guard let type = try? base.descriptor.status(of: Hidden.state).type else { return }
        guard type == .folder else {
            return add(.oddState, [Hidden.state], "it is \(Self.words(for: type)), so nothing can be written in the container")
        }
        let state: OpenFile
        do throws(Errno) { state = OpenFile(try base.descriptor.open(Hidden.state, [.path, .folder])) } catch {
            return add(.unreadable, [Hidden.state], "it cannot be entered: \(error)")
        }
        for (name, wanted) in [
            (Workshop.stagingName, FileType.folder), (Workshop.journalName, .folder), (Container.versionsName, .folder),
            (Container.namesName, .folder), (UndoFolder.undoName, .folder),
            (ContainerLock.fileName, .regular), (Settings.fileName, .regular), (ContainerLock.socketName, .socket),
        ] {
            guard let type = try? state.descriptor.status(of: name).type, type != wanted else { continue }
            add(.oddState, [Hidden.state, name], "it is \(Self.words(for: type)), and Valise makes it \(Self.words(for: wanted))")
        }
        let journal = JournalLook(in: state)
        guard holder == nil else {
            // It changes while it is looked at; what it names is left to whoever works on it.
            return busy = Set(journal.unfinished.drafts.values.compactMap { draft in draft.stored.map { documentsPath + draft.path + [$0] } })
        }
        if (try? state.descriptor.status(of: ContainerLock.socketName).type) == .socket {
            add(.leftSocket, [Hidden.state, ContainerLock.socketName], "nobody answers there any more")
        }
        lookAtJournal(journal)
        lookAtStaging(state, journal.unfinished)
    }

    private mutating func lookAtJournal(_ journal: JournalLook) {
        let path = [Hidden.state, Workshop.journalName, Journal.fileName]
        if let (kind, reason) = journal.fault { add(kind, path, reason) }
        let drafts = journal.unfinished.drafts.count, changes = journal.unfinished.intents.count
        guard drafts + changes > 0 else { return }
        let what = [(drafts, "draft"), (changes, "change")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        add(.unfinishedJournal, path, "\(what.joined(separator: " and ")) that a drive did not finish; the next mount does")
    }

    private mutating func lookAtStaging(_ state: OpenFile, _ unfinished: Unfinished) {
        do throws(Errno) {
            var entries = try FolderReader(untraced: try state.descriptor.open(Workshop.stagingName, [.path, .folder]))
            while let entry = try entries.next() {
                if unfinished.owns(staged: entry.name) || Store.isTrial(entry.name) { continue }
                add(.orphanedStaging, [Hidden.state, Workshop.stagingName, entry.name], "nothing that is under way speaks of it")
            }
        } catch {
            // Not there, or no folder: that was said above.
            if [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) { return }
            add(.unreadable, [Hidden.state, Workshop.stagingName], "it cannot be read: \(error)")
        }
    }
}

/// The journal as it lies there, read by somebody who does not write in it.
struct JournalLook {
    private(set) var unfinished = Unfinished([])
    /// Why not all of it is understood.
    private(set) var fault: (kind: CheckFinding.Kind, reason: String)?

    init(in state: OpenFile) {
        do throws(Errno) {
            let folder = try state.descriptor.open(Workshop.journalName, [.path, .folder])
            let type = try folder.status(of: Journal.fileName).type
            guard type == .regular else {
                fault = (.oddState, "it is \(ContainerCheck.words(for: type)), and Valise makes it a file")
                return
            }
            let lines = Journal.lines(of: try folder.openUntraced(Journal.fileName, [.read, .nonBlocking]).readAll(limit: Journal.limit))
            let records = lines.compactMap { Journal.Record(line: $0) }
            unfinished = Unfinished(records)
            let odd = lines.count - records.count
            if odd > 0 { fault = (.unreadableJournal, "\(odd) line\(odd == 1 ? "" : "s") of it cannot be understood") }
        } catch {
            // Not there, or no folder, which is another finding.
            if [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) { return }
            fault = (.unreadable, "it cannot be read: \(error)")
        }
    }
}
