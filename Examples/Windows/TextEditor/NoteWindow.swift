import AppSupport
import Foundation
import TextEditorModel
import Widgets
import WindowSupport

/// The window: the list of notes, and what is done with one of them. What is open is the ``NotePane``'s.
@MainActor
final class NoteWindow {
    private let layout = Layout(PackageResources.window_ui)
    private let screen: Screen
    private let selection: Part, leaflet: Part, view: Part, listStack: Part, search: Part, searchEntry: Part
    private let list: NoteList?
    private let rows = Rows<NoteList.Row> { row in
        let date = row.changed.map { $0.formatted(date: .abbreviated, time: .shortened) } ?? ""
        return RowFace(row.title, subtitle: row.isInConflict ? "⚠ Two sides changed it" : date)
    }
    private let pane: NotePane
    /// To be chosen as soon as the list has it.
    private var wanted: URL?
    private let deleted: DeletedItems

    /// It lives as long as its window, whose calls hold it.
    static func open() { NoteWindow().start() }

    private init() {
        screen = Screen(layout.part("window"), toasts: layout.part("toasts"))
        deleted = DeletedItems(screen)
        selection = layout.part("selection")
        leaflet = layout.part("leaflet")
        view = layout.part("rows")
        listStack = layout.part("list-stack")
        search = layout.part("search")
        searchEntry = layout.part("search-entry")
        pane = NotePane(layout, screen)
        do { list = try NoteList() } catch {
            list = nil
            pane.explain("No Container", AppFault.sentence(of: error))
        }
    }

    private func start() {
        selection.set("model", rows.model)
        actions()
        pane.changed = { [weak self] in self?.paneChanged() }
        list?.changed = { [weak self] _ in self?.follow() }
        do { try list?.start() } catch { pane.explain("No List", AppFault.sentence(of: error)) }
        screen.show()
    }

    // MARK: The list

    private func follow() {
        guard let list else { return }
        let words = searchEntry.text("text"), isSearching = search.flag("search-mode-enabled") && !words.isEmpty
        let found = isSearching ? list.rows.filter { $0.title.localizedStandardContains(words) } : list.rows
        let chosen = wanted ?? selectedRow?.file
        rows.show(found, in: view)
        listStack.set("visible-child-name", !found.isEmpty ? "rows" : isSearching ? "unfound" : "empty")
        if let chosen, let position = rows.position(of: chosen) {
            select(position)
            wanted = nil
        }
        pane.follow(list.rows)
    }

    private var selectedRow: NoteList.Row? { rows[selection.number("selected")] }

    private func select(_ position: Int) { if selection.number("selected") != position { selection.set("selected", position) } }

    private func choose(_ file: URL) {
        wanted = file
        follow()
    }

    private func paneChanged() {
        if let file = pane.file { choose(file) }
    }

    // MARK: What a person does

    private func actions() {
        screen.action("new", keys: "<Control>n") { [self] in create() }
        screen.action("rename", keys: "F2") { [self] in rename() }
        // In a text, Delete takes a letter away: there it is Shift and Ctrl that delete the note.
        screen.action("delete", keys: "<Control><Shift>Delete") { [self] in delete() }
        screen.action("undelete", keys: "<Control><Shift>u") { [self] in deleted.undoLast() }
        screen.action("search", keys: "<Control>f") { [self] in
            leaflet.set("visible-child-name", "list")
            search.set("search-mode-enabled", true)
            searchEntry.focus()
        }
        screen.action("back", keys: "<Alt>Left") { [self] in
            leaflet.set("visible-child-name", "list")
            view.focus()
        }
        screen.action("close", keys: "<Control>w <Control>q") { [self] in screen.close() }
        screen.help(PackageResources.keys_ui)
        view.on("activate") { [self] values in
            if let row = rows[values.first?.number ?? 0] { open(row.file) }
            return false
        }
        view.key("Delete") { [self] in delete() }
        searchEntry.on("search-changed") { [self] in follow() }
        search.on("notify::search-mode-enabled") { [self] in follow() }
        search.keys(of: layout.part("list"), to: searchEntry)
        leaflet.on("notify::folded") { [self] in pane.arrange(isNarrow: leaflet.flag("folded")) }
        screen.closing { [self] in
            pane.close { [self] in
                list?.stop()
                screen.closeAtOnce()
            }
            return true
        }
    }

    private func open(_ file: URL) {
        leaflet.set("visible-child-name", "note")
        pane.open(file, of: list)
    }

    private func create() {
        guard let list else { return }
        Task {
            do {
                let file = try await list.create()
                search.set("search-mode-enabled", false)
                choose(file)
                open(file)
            } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }

    /// The row that is chosen, or the note that is open.
    private var meant: URL? { pane.hasFocus ? pane.file ?? selectedRow?.file : selectedRow?.file ?? pane.file }

    private func rename() {
        guard let file = meant else {
            screen.tell("Choose a note first.")
            return
        }
        screen.askForName("Rename Note", file.deletingPathExtension().lastPathComponent) { [self] new in
            if let list { choose(try await list.rename(file, to: new)) }
        }
    }

    private func delete() {
        guard let list, let file = meant else {
            screen.tell("Choose a note first.")
            return
        }
        let title = file.deletingPathExtension().lastPathComponent, position = selection.number("selected")
        let remove = { [self] in
            Task {
                do {
                    let item = try await list.delete(file)
                    // The next one is chosen, as in any list.
                    wanted = list.rows.filter { $0.file != file }.dropFirst(position).first?.file
                    deleted.put(title) { [self] in choose(try await list.undoDeleting(item)) }
                } catch { screen.tell(AppFault.sentence(of: error)) }
            }
            return ()
        }
        if pane.file == file { pane.close(remove) } else { remove() }
    }
}
