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
    private let leaflet: Part, listStack: Part
    private let rows: ListPart<NoteList.Row>
    private let search: SearchPart
    private let looking = RowSearch<NoteList.Row> { $0.title.localizedStandardContains($1) }
    private let list: NoteList?
    private let pane: NotePane
    private let deleted: DeletedItems

    /// It lives as long as its window, whose calls hold it.
    static func open() { NoteWindow().start() }

    private init() {
        screen = Screen(layout.part("window"), toasts: layout.part("toasts"))
        deleted = DeletedItems(screen)
        leaflet = layout.part("leaflet")
        listStack = layout.part("list-stack")
        rows = ListPart(layout, "rows") { row in
            let date = row.changed.map { $0.formatted(date: .abbreviated, time: .shortened) } ?? ""
            return RowFace(row.title, subtitle: row.isInConflict ? "⚠ Two sides changed it" : date)
        }
        search = SearchPart(layout, typedIn: "list")
        pane = NotePane(layout, screen)
        do { list = try NoteList() } catch {
            list = nil
            pane.explain("No Container", AppFault.sentence(of: error))
        }
    }

    private func start() {
        actions()
        pane.changed = { [weak self] in self?.paneChanged() }
        list?.live.changed = { [weak self] _ in self?.follow() }
        do { try list?.live.start() } catch { pane.explain("No List", AppFault.sentence(of: error)) }
        screen.show()
        rows.focus()
    }

    // MARK: The list

    private func follow() {
        guard let list else { return }
        let words = search.words
        looking.look(for: words, in: list.live.rows) { [self] found in
            rows.show(found)
            listStack.set("visible-child-name", !found.isEmpty ? "rows" : words != nil ? "unfound" : "empty")
        }
        pane.follow(list.live.rows)
    }

    private func choose(_ file: URL) {
        rows.choose(file.path)
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
            search.open()
        }
        screen.action("back", keys: "<Alt>Left") { [self] in
            leaflet.set("visible-child-name", "list")
            rows.focus()
        }
        screen.action("close", keys: "<Control>w <Control>q") { [self] in screen.close() }
        screen.help(PackageResources.keys_ui)
        rows.activated { [self] in open($0.file) }
        rows.view.key("Delete") { [self] in delete() }
        search.changed = { [weak self] in self?.follow() }
        leaflet.on("notify::folded") { [self] in pane.arrange(isNarrow: leaflet.flag("folded")) }
        screen.closing { [self] in
            pane.close { [self] in
                list?.live.stop()
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
                search.close()
                choose(file)
                open(file)
            } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }

    /// The row that is chosen, or the note that is open.
    private var meant: URL? { pane.hasFocus ? pane.file ?? rows.chosen?.file : rows.chosen?.file ?? pane.file }

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
        let title = file.deletingPathExtension().lastPathComponent
        let remove = { [self] in
            Task {
                do {
                    rows.chooseNext()
                    let item = try await list.delete(file)
                    deleted.put(title) { [self] in choose(try await list.undoDeleting(item)) }
                } catch { screen.tell(AppFault.sentence(of: error)) }
            }
            return ()
        }
        if pane.file == file { pane.close(remove) } else { remove() }
    }
}
