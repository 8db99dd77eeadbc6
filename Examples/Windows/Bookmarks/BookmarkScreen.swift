import AppSupport
import Foundation
import Widgets
import WindowSupport

/// The window of bookmarks: a list, and what is done with one of them. Two apps have it, each with a store of its own.
@MainActor
public final class BookmarkScreen {
    private let layout = Layout(PackageResources.window_ui)
    private let screen: Screen
    private let list: ListPart<BookmarkRow>
    private let search: SearchPart
    private let looking = RowSearch<BookmarkRow> { $0.name.localizedStandardContains($1) || $0.url.localizedStandardContains($1) }
    private let stack: Part
    private let notice: NoticePart
    private let deleted: DeletedItems
    private var store: (any BookmarkStore)?
    private var changeToast: Toast?
    private var offer: MigrationOffer?

    /// It lives as long as its window, whose calls hold it. `make`: the store, or why there is none.
    public static func open(_ make: () throws -> any BookmarkStore) { BookmarkScreen().start(make) }

    private init() {
        screen = Screen(layout.part("window"), toasts: layout.part("toasts"))
        deleted = DeletedItems(screen)
        list = ListPart(layout, "rows") { row in
            RowFace(row.name, subtitle: row.isInConflict ? "⚠ Two sides changed it" : row.fault.map { "⚠ " + $0 } ?? row.url)
        }
        search = SearchPart(layout, typedIn: "page")
        stack = layout.part("stack")
        notice = NoticePart(layout)
    }

    private func start(_ make: () throws -> any BookmarkStore) {
        do {
            let store = try make()
            self.store = store
            actions(store)
            store.changed = { [weak self] sentence in
                self?.follow()
                if let sentence { self?.tellOnce(sentence) }
            }
            try store.start()
            follow()
            if let migrating = store as? any MigratingBookmarkStore {
                offer = MigrationOffer(layout, screen, migrating)
                offer?.start()
            }
        } catch {
            layout.part("fault-text").set("label", OneLine.sentences(AppFault.sentence(of: error)))
            stack.set("visible-child-name", "fault")
        }
        screen.action("close", keys: "<Control>w <Control>q") { [self] in screen.close() }
        screen.closing { [weak self] in
            self?.offer?.stop()
            self?.store?.stop()
            return false
        }
        screen.show()
        list.focus()
    }

    // MARK: The list

    private func follow() {
        guard let store else { return }
        let words = search.words
        looking.look(for: words, in: store.rows) { [self] found in
            list.show(found)
            stack.set("visible-child-name", !found.isEmpty ? "rows" : words != nil ? "unfound" : "empty")
        }
        if let sentence = store.notice { notice.show(sentence) } else { notice.hide() }
    }

    /// Of many changes one after another only the last is said, or the next minute would be full of them.
    private func tellOnce(_ sentence: String) {
        screen.withdraw(changeToast)
        changeToast = screen.tell(sentence)
    }

    /// What is chosen; where nothing is, that is said.
    private func chosen() -> BookmarkRow? {
        if list.chosen == nil { screen.tell("Choose a bookmark first.") }
        return list.chosen
    }

    // MARK: What a person does

    private func actions(_ store: any BookmarkStore) {
        screen.action("add", keys: "<Control>n") { [self] in
            ask("Add Bookmark", "", "", "") { name, url in try await store.add(name: name, url: url) }
        }
        // What cannot be done is shown as that.
        let editable = store as? any EditableBookmarkStore
        screen.action("edit", keys: "F2") { [self] in if let editable, let row = chosen() { edit(row, editable) } }.set("enabled", editable != nil)
        screen.action("open") { [self] in if let row = chosen() { open(row, store) } }
        screen.action("compare", keys: "<Control>d") { [self] in if let editable, let row = chosen() { compare(row, editable) } }.set("enabled", editable != nil)
        screen.action("delete", keys: "<Control><Shift>Delete") { [self] in delete(store) }
        screen.action("undelete", keys: "<Control><Shift>u") { [self] in deleted.undoLast() }
        screen.action("search", keys: "<Control>f") { [self] in search.open() }
        screen.help(PackageResources.keys_ui)
        list.activated { [self] row in if let editable, row.isInConflict { compare(row, editable) } else { open(row, store) } }
        list.view.key("Delete") { [self] in delete(store) }
        // What was searched for is gone with the entry, and the list has the keyboard.
        search.changed = { [weak self] in
            guard let self else { return }
            follow()
            if !search.isOpen { list.focus() }
        }
    }

    /// Again, with what was written and the reason, until it is saved or somebody cancels: what cannot be saved is not gone.
    private func ask(_ heading: String, _ reason: String, _ name: String, _ url: String, _ save: @escaping @MainActor (String, String) async throws -> Void) {
        let layout = Layout(PackageResources.edit_ui), question = layout.part("question"), nameEntry = layout.part("name"), urlEntry = layout.part("url")
        question.set("heading", heading)
        question.set("body", OneLine.sentences(reason))
        nameEntry.set("text", OneLine.withoutNul(name))
        urlEntry.set("text", OneLine.withoutNul(url))
        screen.ask(question) { [self] answer in
            guard answer == "save" else { return }
            let name = nameEntry.text("text"), url = urlEntry.text("text")
            Task {
                do { try await save(name, url) } catch { ask(heading, "It is not saved yet. " + AppFault.sentence(of: error), name, url, save) }
            }
        }
    }

    private func edit(_ row: BookmarkRow, _ store: any EditableBookmarkStore) {
        if let fault = row.fault {
            screen.tell(fault)
            return
        }
        ask("Edit Bookmark", "", row.name, row.url) { name, url in try await store.edit(row.id, name: name, url: url) }
    }

    private func open(_ row: BookmarkRow, _ store: any BookmarkStore) {
        do { screen.open(try store.webAddress(of: row).absoluteString) { [self] in screen.tell($0) } } catch { screen.tell(AppFault.sentence(of: error)) }
    }

    private func delete(_ store: any BookmarkStore) {
        guard let row = chosen() else { return }
        list.chooseNext()
        Task {
            do { deleted.put(row.name, bringBack: try await store.delete(row.id)) } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }

    /// Both sides below each other, and one is kept.
    private func compare(_ row: BookmarkRow, _ store: any EditableBookmarkStore) {
        Task {
            do {
                let sides = try await store.sides(of: row.id)
                guard sides.count > 1 else {
                    screen.tell("Only one side changed this bookmark.")
                    return
                }
                let lines = sides.enumerated().map { number, side in
                    let who = [side.date.map { $0.formatted(date: .abbreviated, time: .shortened) }, side.computer].compactMap(\.self).filter { !$0.isEmpty }
                    return "\(Self.title(number)): \(side.name), \(side.url)" + (who.isEmpty ? "" : " (\(who.joined(separator: ", ")))")
                }
                let answers = sides.indices.map { (label: "Keep Side _\($0 + 1)", kind: Screen.Answer.other) }
                screen.ask("Two Sides Changed This Bookmark", lines.joined(separator: "\n"), [("_Cancel", .other)] + answers) { [self] number in
                    guard number > 0 else { return }
                    Task {
                        do {
                            try await store.resolve(row.id, with: number - 1)
                            screen.tell("The other side is kept as a version")
                        } catch { screen.tell(AppFault.sentence(of: error)) }
                    }
                }
            } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }

    private static func title(_ number: Int) -> String { number == 0 ? "Side 1, now" : "Side \(number + 1)" }
}
