import AppSupport
import Foundation
import PhotoKeeperModel
import Widgets

/// The page of one photo: its picture, what it was, and the sides of one that two changed at once. The row below has these; the one that is chosen there is
/// looked at, and can be kept.
@MainActor
final class PhotoPane {
    private struct Shown: Identifiable, Equatable {
        let id: Int
        let face: RowFace
    }

    private(set) var url: URL?
    private let screen: Screen
    private let title: Part, picture: Part, versionsButton: Part, revealer: Part, strip: Part, selection: Part, keep: Part
    private let notice: NoticePart
    private let rows = Rows<Shown> { $0.face }
    private var list: PhotoList?
    private var entry: Entry?
    private var sides: [PhotoList.Side] = []
    /// Of what is looked at, so that what is ready too late is not shown.
    private var turn = 0

    init(_ layout: Layout, _ screen: Screen) {
        self.screen = screen
        title = layout.part("photo-title")
        picture = layout.part("picture")
        notice = NoticePart(layout)
        versionsButton = layout.part("versions-button")
        revealer = layout.part("versions-revealer")
        strip = layout.part("versions")
        selection = layout.part("version-selection")
        keep = layout.part("keep")
        selection.set("model", rows.model)
        versionsButton.on("notify::active") { [weak self] in self?.reveal() }
        selection.on("notify::selected") { [weak self] in self?.look() }
        keep.on("clicked") { [weak self] in self?.keepChosen() }
        strip.on("activate") { [weak self] in self?.keepChosen() }
    }

    // MARK: The photo

    func open(_ url: URL, of list: PhotoList) {
        close()
        (self.url, self.list) = (url, list)
        entry = list.live.rows.first { $0.id == url.path }
        showTitle()
        showPhoto()
        if entry?.isInConflict == true { versionsButton.set("active", true) }
    }

    func close() {
        (url, list, entry, sides) = (nil, nil, nil, [])
        turn += 1
        versionsButton.set("active", false)
        notice.hide()
        picture.set("paintable", nil as ScreenPicture?)
    }

    func toggleVersions() { versionsButton.set("active", !versionsButton.flag("active")) }

    /// What the list says of it now: another picture is shown, and one that is gone is said to be.
    func follow(_ entries: [Entry]) {
        guard let url else { return }
        let now = entries.first { $0.id == url.path }
        guard now != entry else { return }
        let wasInConflict = isInConflict
        entry = now
        guard now != nil else {
            notice.show("This photo is not there any more.")
            return picture.set("paintable", nil as ScreenPicture?)
        }
        if isInConflict, !wasInConflict, !versionsButton.flag("active") { versionsButton.set("active", true) } else if versionsButton.flag("active") { showSides() } else { showPhoto() }
    }

    func isCalled(_ new: URL, insteadOf old: URL) {
        guard url?.path == old.path else { return }
        url = new
        entry = nil
        showTitle()
    }

    private func showTitle() { title.set("title", OneLine.shown(url?.deletingPathExtension().lastPathComponent ?? "")) }

    private func showPhoto() {
        guard let list, let url else { return }
        notice.hide()
        Task {
            do { show(try await list.picture(of: url), of: url) } catch { if self.url == url { notice.show(AppFault.sentence(of: error)) } }
        }
    }

    /// As large as screens are, and not as large as the photo is.
    private func show(_ bytes: Data, of url: URL) {
        turn += 1
        let mine = turn
        Task {
            let drawn = await ScreenPicture.drawn(bytes, most: 2_560)
            guard mine == turn, self.url == url else { return }
            picture.set("paintable", drawn)
            picture.set("alternative-text", OneLine.shown(url.deletingPathExtension().lastPathComponent))
            guard drawn == nil else { return }
            let size = await ScreenPicture.tooLarge(bytes)
            if mine == turn { notice.show(size ?? "This picture cannot be drawn here: it is damaged, or of a kind for which there is no program.") }
        }
    }

    // MARK: Versions and sides

    private func reveal() {
        let isRevealed = versionsButton.flag("active")
        revealer.set("reveal-child", isRevealed)
        // What is shown the next time begins with what the photo is now.
        rows.show([], in: strip)
        if isRevealed { showSides() } else if url != nil { showPhoto() }
    }

    private var isInConflict: Bool { entry?.isInConflict == true }

    private func showSides() {
        guard let list, let url else { return }
        do { sides = try isInConflict ? list.conflict(of: url) : list.versions(of: url) } catch {
            sides = []
            notice.show(AppFault.sentence(of: error))
        }
        if isInConflict { notice.show("Two sides changed this photo at once. Look at both below, and keep one.") } else if !sides.isEmpty { notice.hide() }
        let shown = sides.map { side in
            let date = side.date.map { $0.formatted(date: .abbreviated, time: .shortened) } ?? ""
            return Shown(id: side.number, face: RowFace(side.number == 0 ? "Now" : date, subtitle: side.number == 0 ? date : side.computer ?? "", picture: .bytes(side.thumbnail ?? side.picture)))
        }
        rows.show(shown, in: strip)
        strip.focus()
        look()
    }

    private func look() {
        guard let url, versionsButton.flag("active"), sides.indices.contains(selection.number("selected")) else { return }
        let side = sides[selection.number("selected")]
        keep.set("label", isInConflict ? "_Keep This One" : side.number == 0 ? "This Is What It Is Now" : "Re_store This Version")
        keep.set("sensitive", isInConflict || side.number > 0)
        show(side.picture, of: url)
    }

    private func keepChosen() {
        guard let list, let url, sides.indices.contains(selection.number("selected")) else { return }
        let number = sides[selection.number("selected")].number, isDecided = isInConflict
        guard isDecided || number > 0 else { return }
        Task {
            do {
                if isDecided { try await list.resolve(url, with: number) } else { try await list.restore(url, version: number) }
                screen.tell(isDecided ? "The other side is kept as a version" : "The earlier picture is kept as a version, too")
                versionsButton.set("active", false)
            } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }
}
