import Containers
import LinuxFiles
import Transactions

// Whether Valise's own folder in a container is as a drive leaves it.
extension ContainerCheck {
    mutating func lookAtState() {
        lookAtOwnersState()
        let own = container.state.name
        guard let place = try? container.base.descriptor.open(own, .path), let status = try? place.status() else { return }
        let replaced: StateOddity? = (try? container.state.isReplaced(place)) == true ? .replaced : nil
        if let odd = container.state.oddity(of: status, .folder) ?? replaced {
            if case .owner(let user) = odd, own == Hidden.state, (try? container.base.descriptor.status().owner) == user {
                return add(.unreadable, [own], "it belongs to user \(user), whose container this is, and nobody else looks into it", cause: .notPermitted)
            }
            let mend = odd.isOfType ? "" : "; \(odd.mend(container.state.fullPath))"
            return add(.oddState, [own], "it \(odd.isOfType ? "is \(Container.words(for: status.type))" : odd.reason), so nothing can be written in the container" + mend)
        }
        let state = OpenFile(place)
        for (name, wanted) in [
            (Staging.folderName, FileType.folder), (Container.journalName, .folder), (Container.versionsName, .folder),
            (Container.deletedName, .folder), (Container.namesName, .folder), (Container.handedName, .folder), (Container.importsName, .folder), (UndoFolder.undoName, .folder), (DamagedState.folderName, .folder),
            (ContainerLock.fileName, .regular), (Claimants.fileName, .regular), (Settings.fileName, .regular), (ContainerLock.socketName, .socket),
        ] {
            guard let status = try? state.descriptor.status(of: name), let odd = container.state.oddity(of: status, wanted) else { continue }
            let mend = odd.isOfType ? "" : "; \(odd.mend("\(container.state.fullPath)/\(name)"))"
            add(.oddState, [own, name], "it \(odd.reason)" + mend, needsSomebody: !odd.isOfType)
        }
        lookAtDamaged(state)
        let journal = JournalLook(in: state, of: container)
        guard holder == nil else {
            // It changes while it is looked at; what it names is left to whoever works on it.
            lookAtDrafts(journal.unfinished)
            return busy = Set(journal.unfinished.drafts.values.compactMap { draft in draft.stored.map { documentsPath + draft.path + [$0] } })
        }
        if (try? state.descriptor.status(of: ContainerLock.socketName).type) == .socket {
            add(.leftSocket, [container.state.name, ContainerLock.socketName], "the program that listened there has ended")
        }
        lookAtJournal(journal)
        lookAtStaging(state, journal.unfinished)
    }

    private mutating func lookAtJournal(_ journal: JournalLook) {
        let path = [container.state.name, Container.journalName, Journal.fileName]
        switch journal.fault {
        case .oddLines(let count)?: add(.unreadableJournal, path, "\(count) line\(count == 1 ? "" : "s") of it cannot be understood")
        case .unreadable(let error)?: add(.unreadable, path, "it cannot be read: \(error)")
        case nil: break
        }
        lookAtDrafts(journal.unfinished)
        // Drafts that wait are as they should be, and each is named.
        guard !journal.unfinished.intents.isEmpty, let what = journal.unfinished.summary else { return }
        add(.unfinishedJournal, path, "\(what) that a drive did not finish; the next mount does")
    }

    private mutating func lookAtDrafts(_ unfinished: Unfinished) {
        for draft in unfinished.drafts.values.sorted(by: { $0.number < $1.number }) {
            add(.unsavedDraft, documentsPath + draft.path + [draft.shown], holder == nil ? "it has unsaved changes (a draft), which the next mount saves, or shows" : "it has unsaved changes (a draft)")
        }
    }

    /// Root looks at what the owner has, and does nothing about it.
    private mutating func lookAtOwnersState() {
        guard let owners = OwnersState(of: container.state), (try? container.base.descriptor.exists(Hidden.state)) == true else { return }
        let waiting = owners.waiting().map { ". What waits in it is left to their own next mount: \($0)" } ?? ""
        add(.othersState, [Hidden.state], "it belongs to user \(owners.user), so root neither follows nor changes it" + waiting)
    }

    private mutating func lookAtDamaged(_ state: OpenFile) {
        guard let damaged = try? container.state.folder(DamagedState.folderName, in: state), var entries = try? FolderReader(untraced: damaged.descriptor) else { return }
        while let entry = try? entries.next() {
            add(.damagedState, [container.state.name, DamagedState.folderName, entry.name], "a drive put aside what it could not understand of an earlier one; look through it, and remove it")
        }
    }

    private mutating func lookAtStaging(_ state: OpenFile, _ unfinished: Unfinished) {
        // What was deleted just before its drive ended is kept by the next mount.
        let deleted = Set((try? container.deletedItems())?.all.filter(\.isAwayStill).map { Name.away($0.away) } ?? [])
        do throws(Errno) {
            var entries = try FolderReader(untraced: try state.descriptor.open(Staging.folderName, [.path, .folder]))
            while let entry = try entries.next() {
                if unfinished.owns(staged: entry.name) || deleted.contains(entry.name) || Store.isTrial(entry.name) { continue }
                if entry.name.isHandedOver {
                    add(.unplaced, [container.state.name, Staging.folderName, entry.name], "an import or a save that was ended in the middle; it is taken away by the next one, which brings what is missing")
                    continue
                }
                add(.orphanedStaging, [container.state.name, Staging.folderName, entry.name], "it is left over from a save, and no save that is under way needs it")
            }
        } catch {
            // Where it is missing or no folder, a finding says so already.
            if [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) { return }
            add(.unreadable, [container.state.name, Staging.folderName], "it cannot be read: \(error)", cause: error)
        }
    }
}
