import Foundation
import Widgets
import WindowModel

/// A plain line for words, behind which is the language of predicates; what is found, as it comes and goes; and searches that were kept.
@MainActor
final class SearchPage: DrivePage {
    let page: Part
    private let layout = Layout(PackageResources.search_ui)
    private let entry: Part, note: Part, stack: Part
    private let found: ListPart<FoundItem>, saved: ListPart<SavedSearch>
    private weak var window: MainWindow?
    private var drive: Drive?
    private var search: ItemSearch?
    private var words = ""

    init() {
        page = layout.part("page")
        entry = layout.part("entry")
        note = layout.part("note")
        stack = layout.part("stack")
        found = ListPart(layout, "found") { item in
            let state = item.fault.map { "⚠ " + $0 } ?? item.url
            return RowFace(item.name, subtitle: [state, OverviewPage.size(item.size), item.changed.formatted(date: .abbreviated, time: .shortened)].compactMap(\.self).joined(separator: " · "))
        }
        saved = ListPart(layout, "saved") { RowFace($0.name, subtitle: $0.words) }
    }

    func start(in window: MainWindow) {
        self.window = window
        search = window.program.map { ItemSearch($0) }
        search?.changed = { [weak self] in self?.follow() }
        entry.on("search-changed") { [weak self] in self?.look() }
        entry.on("stop-search") { [weak self] in self?.stop() }
        entry.on("activate") { [weak self] in self?.moveToRows() }
        found.activated { [weak window] in window?.openDocument($0.path) }
        saved.activated { [weak self] in self?.use($0) }
        saved.view.key("Delete") { [weak self] in self?.removeChosen() }
        window.screen.action("save-search", keys: "<Control>s") { [self] in save() }
    }

    func show(_ drive: Drive) {
        if self.drive?.mountpoint != drive.mountpoint {
            self.drive = drive
            words = ""
            entry.set("text", "")
            look()
        }
        self.drive = drive
    }

    /// Results come by themselves.
    func refresh() { if words.isEmpty { follow() } }
    func focus() { entry.focus() }
    func leave() {
        search?.stop()
        drive = nil
    }

    private func look() {
        guard let drive else { return }
        words = entry.text("text").trimmingCharacters(in: .whitespaces)
        search?.look(for: words, on: drive)
        follow()
    }

    /// Escape empties the line first, and goes back then.
    private func stop() { if words.isEmpty { window?.goBack() } else { entry.set("text", "") } }

    private func moveToRows() { if words.isEmpty { saved.focus() } else { found.focus() } }

    private func follow() {
        guard let search, let drive else { return }
        if words.isEmpty {
            Task {
                let all = await SavedSearch.all(on: drive)
                guard words.isEmpty, self.drive?.mountpoint == drive.mountpoint else { return }
                saved.show(all)
                note.set("label", all.isEmpty ? "" : "Saved searches")
                stack.set("visible-child-name", all.isEmpty ? "hint" : "saved")
            }
        } else {
            found.show(search.items)
            let count = search.items.count
            note.set("label", search.fault != nil || count == 0 ? "" : (count == 1 ? "1 item" : "\(count.formatted()) items") + (search.isWhole ? "" : " so far"))
            if let fault = search.fault { layout.part("fault-text").set("label", OneLine.sentences(fault)) }
            stack.set("visible-child-name", search.fault != nil ? "fault" : count > 0 ? "found" : search.isWhole ? "unfound" : "looking")
        }
    }

    // MARK: Searches that are kept

    private func use(_ search: SavedSearch) {
        entry.set("text", OneLine.withoutNul(search.words))
        entry.focus()
    }

    private func save() {
        guard let drive, let window else { return }
        guard !words.isEmpty else {
            window.screen.tell("Write first what is to be looked for.")
            return
        }
        ask(words, "“\(OneLine.name(words))” is kept on this drive, and is a folder in .valise/search, too.", drive, window)
    }

    private func ask(_ words: String, _ reason: String, _ drive: Drive, _ window: MainWindow) {
        window.screen.askForText("Save This Search", reason, String(words.prefix(40)), "_Save") { [weak self] name in
            do {
                let search = SavedSearch(name: name, words: words)
                try search.save(on: drive)
                window.screen.tell("“\(OneLine.name(name))” is saved", "_Undo") {
                    try? search.remove(on: drive)
                    self?.follow()
                }
                self?.follow()
            } catch { self?.ask(words, ValiseFault.sentence(of: error), drive, window) }
        }
    }

    private func removeChosen() {
        guard let drive, let chosen = saved.chosen, let window else { return }
        saved.chooseNext()
        do {
            try chosen.remove(on: drive)
            window.screen.tell("“\(OneLine.name(chosen.name))” is removed", "_Undo") { [weak self] in
                try? chosen.save(on: drive)
                self?.follow()
            }
        } catch { window.screen.tell(ValiseFault.sentence(of: error)) }
        follow()
    }
}
