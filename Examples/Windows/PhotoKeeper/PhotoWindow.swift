import AppSupport
import Foundation
import PhotoKeeperModel
import PhotoKeeperThumbnail
import Widgets
import WindowSupport

/// The window: the grid of photos, the newest first and without reading a picture, and what is done with one of them. The one that is looked at is
/// the ``PhotoPane``'s.
@MainActor
final class PhotoWindow {
    private let layout = Layout(PackageResources.window_ui)
    private let screen: Screen
    private let leaflet: Part, stack: Part
    private let grid: ListPart<Entry>
    private let search: SearchPart
    private let looking = RowSearch<Entry> { $0.title.localizedStandardContains($1) }
    private let list: PhotoList?
    private let pane: PhotoPane
    private let deleted: DeletedItems

    /// It lives as long as its window, whose calls hold it.
    static func open() { PhotoWindow().start() }

    private init() {
        screen = Screen(layout.part("window"), toasts: layout.part("toasts"))
        deleted = DeletedItems(screen)
        leaflet = layout.part("leaflet")
        stack = layout.part("grid-stack")
        var list: PhotoList?, fault: (any Error)?
        do { list = try PhotoList(readsThumbnails: false, thumbnail: { Thumbnail.make($0) }) } catch { fault = error }
        self.list = list
        grid = ListPart(layout, "photos") { [list] entry in
            let state = entry.isInConflict ? "⚠ Two sides changed it" : entry.fault.map { "⚠ " + $0 }
            // Of another size or time, it is another picture.
            let picture = RowPicture.read(id: "\(entry.id) \(entry.changed.timeIntervalSinceReferenceDate) \(entry.size)") {
                do { return try await list?.thumbnail(of: entry.fileURL).map { .bytes($0) } ?? .none } catch { return .fault(AppFault.sentence(of: error)) }
            }
            return RowFace(entry.title, subtitle: state ?? entry.changed.formatted(date: .abbreviated, time: .shortened), picture: picture)
        }
        search = SearchPart(layout, typedIn: "grid-page")
        pane = PhotoPane(layout, screen)
        if let fault { fail(fault) }
    }

    private func fail(_ error: any Error) {
        layout.part("fault-text").set("label", OneLine.sentences(AppFault.sentence(of: error)))
        stack.set("visible-child-name", "fault")
    }

    private func start() {
        actions()
        list?.live.changed = { [weak self] _ in self?.follow() }
        do { try list?.live.start() } catch { fail(error) }
        screen.show()
        grid.focus()
    }

    // MARK: The grid

    private func follow() {
        guard let list else { return }
        let words = search.words
        looking.look(for: words, in: list.live.rows) { [self] found in
            grid.show(found)
            stack.set("visible-child-name", !found.isEmpty ? "photos" : words != nil ? "unfound" : "empty")
        }
        pane.follow(list.live.rows)
    }

    private func choose(_ url: URL) {
        grid.choose(url.path)
        follow()
    }

    private var isPhotoShown: Bool { leaflet.text("visible-child-name") == "photo" }

    /// The photo that is looked at, or the one that is chosen in the grid.
    private var meant: URL? { isPhotoShown ? pane.url : grid.chosen?.fileURL }

    // MARK: What a person does

    private func actions() {
        screen.action("add", keys: "<Control>o") { [self] in choose("Add Photos", "_Add", several: true) { [self] in add($0) } }
        screen.action("replace", keys: "<Control>r") { [self] in replace() }
        screen.action("rename", keys: "F2") { [self] in rename() }
        screen.action("delete", keys: "<Control><Shift>Delete") { [self] in delete() }
        screen.action("undelete", keys: "<Control><Shift>u") { [self] in deleted.undoLast() }
        screen.action("versions", keys: "<Control>h") { [self] in if isPhotoShown { pane.toggleVersions() } }
        screen.action("search", keys: "<Control>f") { [self] in
            back()
            search.open()
        }
        screen.action("back", keys: "<Alt>Left") { [self] in back() }
        screen.action("close", keys: "<Control>w <Control>q") { [self] in screen.close() }
        screen.help(PackageResources.keys_ui)
        grid.activated { [self] in open($0.fileURL) }
        grid.view.key("Delete") { [self] in delete() }
        search.changed = { [weak self] in self?.follow() }
        layout.part("grid-page").acceptFiles { [self] in add($0) }
        layout.part("photo-page").key("Escape") { [self] in back() }
        screen.closing { [list] in
            list?.live.stop()
            return false
        }
    }

    private func choose(_ title: String, _ label: String, several: Bool = false, _ chosen: @escaping @MainActor ([String]) -> Void) {
        let chooser = Layout(PackageResources.choose_ui).part("chooser")
        chooser.set("title", title)
        chooser.set("accept-label", label)
        chooser.set("select-multiple", several)
        screen.choose(chooser, chosen)
    }

    private func back() {
        leaflet.set("visible-child-name", "grid")
        pane.close()
        grid.focus()
    }

    private func open(_ url: URL) {
        guard let list else { return }
        // First, so that what the page gives the keyboard to is there.
        leaflet.set("visible-child-name", "photo")
        pane.open(url, of: list)
    }

    /// One after another; what is no picture is said, and the others are added.
    private func add(_ paths: [String]) {
        guard let list else { return }
        Task {
            var refused: [String] = [], added = 0
            for path in paths {
                do {
                    choose(try await list.add(URL(fileURLWithPath: path)))
                    added += 1
                } catch { refused.append(AppFault.sentence(of: error)) }
            }
            if let first = refused.first { screen.tell(refused.count == 1 ? first : "\(first) Nor could \(refused.count - 1) others be added.") }
            else if added > 1 { screen.tell("\(added) photos are added") }
        }
    }

    private func replace() {
        guard let list, let url = meant else { return tellNone() }
        choose("Replace the Picture", "_Replace") { [self] paths in
            guard let path = paths.first else { return }
            Task {
                do {
                    try await list.replace(url, with: URL(fileURLWithPath: path))
                    screen.tell("The earlier picture is kept as a version")
                } catch { screen.tell(AppFault.sentence(of: error)) }
            }
        }
    }

    private func rename() {
        guard let list, let url = meant else { return tellNone() }
        screen.askForName("Rename Photo", url.deletingPathExtension().lastPathComponent) { [self] new in
            let renamed = try await list.rename(url, to: new)
            pane.isCalled(renamed, insteadOf: url)
            choose(renamed)
        }
    }

    private func delete() {
        guard let list, let url = meant else { return tellNone() }
        let title = url.deletingPathExtension().lastPathComponent
        Task {
            do {
                grid.chooseNext()
                let item = try await list.delete(url)
                if isPhotoShown { back() }
                deleted.put(title) { [self] in choose(try await list.undoDeleting(item)) }
            } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }

    private func tellNone() { screen.tell("Choose a photo first.") }
}
