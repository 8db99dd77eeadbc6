import Foundation
import Widgets
import WindowModel

/// The window: the drives on the left, and on the right the one that is chosen, a document of it, or both sides of one. What is shown of a drive is the
/// pages'; here is where one goes, and what is done with the drive itself.
@MainActor
final class MainWindow {
    private enum Shown: Equatable {
        case nothing, resting(container: String, mountpoint: String), drive, document(String), sides(String), fault
    }

    let screen: Screen
    let program: ValiseProgram?
    private let layout = Layout(PackageResources.window_ui)
    private let leaflet: Part, stack: Part, titles: Part, title: Part, switcher: Part, switcherBar: Part, pages: Part, back: Part
    /// How wide a page is. No page says how narrow the window can be, so that what is folded does not unfold by that.
    private let bodyWidth: Part?
    private let list: ListPart<DriveRow>
    private let drives: DriveList?
    private var deeds: DriveDeeds?
    private var shown = Shown.nothing
    private(set) var drive: Drive?
    /// Known also when the drive does not answer any more.
    private var container: String?
    private var changes: DriveChanges?
    private let overview = OverviewPage(), search = SearchPage(), deleted = DeletedPage(), conflicts = ConflictsPage(), document = DocumentPage(), sides = SidesPage()
    private var stopAction: Part?, openAction: Part?, importAction: Part?, takeBackAction: Part?, unmountAction: Part?, forgetAction: Part?
    /// What the window was opened at, until the list of drives is there.
    private var wanted: String?
    /// The list of drives has not been there yet.
    private var isNew = true

    /// It lives as long as its window, whose calls hold it.
    static func open(at path: String?) { MainWindow().start(path) }

    private init() {
        screen = Screen(layout.part("window"), toasts: layout.part("toasts"))
        leaflet = layout.part("leaflet")
        stack = layout.part("stack")
        titles = layout.part("titles")
        title = layout.part("title")
        switcher = layout.part("switcher")
        switcherBar = layout.part("switcher-bar")
        pages = layout.part("pages")
        back = layout.part("back")
        bodyWidth = layout.part("body").part("hadjustment")
        list = ListPart(layout, "drives") { RowFace($0.name, subtitle: $0.state) }
        var fault = ""
        do { program = try ValiseProgram.found() } catch {
            program = nil
            fault = ValiseFault.sentence(of: error)
        }
        drives = program.map { DriveList($0, known: KnownContainers()) }
        layout.part("drives-fault").set("label", fault)
    }

    private func start(_ path: String?) {
        wanted = path
        deeds = drives.map { DriveDeeds(self, $0) }
        for (name, page) in [("overview", overview as any DrivePage), ("search", search), ("deleted", deleted), ("conflicts", conflicts)] {
            page.start(in: self)
            layout.part(name).set("child", page.page)
        }
        layout.part("document").set("child", document.page)
        layout.part("sides").set("child", sides.page)
        document.start(in: self)
        sides.start(in: self)
        actions()
        list.activated { [self] in open($0) }
        leaflet.on("notify::folded") { [self] in arrange() }
        // Not while sizes are being given out.
        bodyWidth?.on("notify::page-size") { [self] in Task { arrange() } }
        switcher.on("notify::title-visible") { [self] in arrange() }
        pages.on("notify::visible-child-name") { [self] in pageChanged() }
        // What others did meanwhile, and no watch tells of: room that somebody freed, say.
        screen.window.on("notify::is-active") { [self] in if screen.window.flag("is-active") { driveChanged() } }
        drives?.changed = { [weak self] in self?.follow() }
        if let drives { drives.start() } else { layout.part("drives-stack").set("visible-child-name", "fault") }
        show(.nothing)
        screen.closing { [self] in
            if deeds?.asksBeforeClosing({ [self] in screen.close() }) == true { return true }
            leaveDrive()
            drives?.stop()
            return false
        }
        screen.show()
        list.focus()
    }

    // MARK: The drives

    private func follow() {
        guard let drives else { return }
        list.show(drives.rows)
        defer { isNew = false }
        layout.part("drives-fault").set("label", OneLine.sentences(drives.fault ?? ""))
        layout.part("drives-stack").set("visible-child-name", drives.fault != nil ? "fault" : drives.rows.isEmpty ? "empty" : "rows")
        if let path = wanted {
            wanted = nil
            open(path: path)
        } else if isNew, let only = drives.rows.first, drives.rows.count == 1, only.drive != nil {
            // Nobody has to choose among one; in a narrow window it is the list that is seen.
            go(to: only)
        } else if let before = drive {
            if let now = drives.rows.compactMap(\.drive).first(where: { $0.mountpoint == before.mountpoint }) { take(now) } else { driveIsGone(before) }
        } else if case .resting(let container, _) = shown, let row = drives.rows.first(where: { $0.container == container && $0.drive != nil }) { open(row) }
    }

    private func take(_ now: Drive) {
        let wasAnswering = drive?.isAnswering
        drive = now
        container = now.container ?? container
        overview.show(now)
        layout.part("conflicts-page").set("badge-number", now.conflictCount ?? 0)
        layout.part("conflicts-page").set("needs-attention", (now.conflictCount ?? 0) > 0)
        if wasAnswering == false, now.isAnswering { openDrive(now) }
    }

    private func driveIsGone(_ before: Drive) {
        let container = container
        leaveDrive()
        if let container { rest(container, before.mountpoint) } else { show(.nothing) }
    }

    func open(_ row: DriveRow) {
        list.choose(row.id)
        if row.drive != nil { go(to: row) } else if let container = row.container { rest(container, row.mountpoint) }
        leaflet.set("visible-child-name", "content")
    }

    /// `focuses`: not where a document of it is opened next.
    private func openDrive(_ drive: Drive, page: String = "overview", focuses: Bool = true) {
        if self.drive?.mountpoint != drive.mountpoint || changes?.isListening != true {
            leaveDrive()
            self.drive = drive
            if let program, drive.isAnswering { changes = DriveChanges(program, on: drive) { [weak self] in self?.driveChanged() } }
        }
        take(drive)
        for other in [search, deleted, conflicts] as [any DrivePage] { other.show(drive) }
        setTitle(drive.name)
        pages.set("visible-child-name", page)
        show(.drive)
        if focuses { visiblePage.focus() }
    }

    private func leaveDrive() {
        changes?.stop()
        changes = nil
        (drive, container) = (nil, nil)
        search.leave()
    }

    private func rest(_ container: String, _ mountpoint: String) {
        leaveDrive()
        layout.part("resting-text").set("label", "The documents in \(OneLine.shown(container)) can be shown in \(OneLine.shown(mountpoint)).")
        setTitle((mountpoint as NSString).lastPathComponent)
        show(.resting(container: container, mountpoint: mountpoint))
        layout.part("mount-resting").focus()
    }

    /// Something on the drive is other than it was.
    private func driveChanged() {
        drives?.refresh()
        switch shown {
        case .document: document.refresh()
        case .sides: sides.refresh()
        default: visiblePage.refresh()
        }
    }

    func refreshDrives() { drives?.refresh() }

    /// What goes on for long; nil when it is over.
    func showWork(_ sentence: String?) {
        if let sentence { layout.part("work-text").set("label", OneLine.shown(sentence)) }
        layout.part("work").set("revealed", sentence != nil)
        stopAction?.set("enabled", sentence != nil)
    }

    /// A container that is shown as one that could be mounted.
    private var restingContainer: String? { if case .resting(let container, _) = shown { container } else { nil } }

    func showNothing() {
        show(.nothing)
        list.focus()
    }

    // MARK: Where one goes

    /// A document, a drive, or what can become one.
    private func open(path: String) {
        guard let drives, let program else { return }
        switch drives.destination(of: path) {
        case .drive(let row): go(to: row)
        case .document(let place, let row):
            go(to: row, focuses: false)
            openDocument(place)
        case .stored(let place, let row):
            go(to: row)
            if let drive { openStored(place, on: drive, program) }
        case .resting(let container, let mountpoint): rest(container, mountpoint)
        case .nothing(let sentence): fail(sentence)
        }
        leaflet.set("visible-child-name", "content")
    }

    private func go(to row: DriveRow, focuses: Bool = true) {
        list.choose(row.id)
        if let drive = row.drive { openDrive(drive, focuses: focuses) }
        container = row.container ?? container
    }

    private func openStored(_ path: String, on drive: Drive, _ program: ValiseProgram) {
        Task {
            if let shown = await program.shownPath(of: path, on: drive) { openDocument(shown) } else { screen.tell("“\(OneLine.name((path as NSString).lastPathComponent))” is how the container keeps it: choose the document on the drive.") }
        }
    }

    func openDocument(_ path: String) {
        guard let drive else { return }
        showTitle(of: path, on: drive)
        show(.document(path))
        document.open(path, on: drive)
    }

    func openSides(_ path: String) {
        guard let drive else { return }
        showTitle(of: path, on: drive)
        show(.sides(path))
        sides.open(path, on: drive)
    }

    private func showTitle(of path: String, on drive: Drive) {
        let place = drive.place(of: path) as NSString
        setTitle(place.lastPathComponent, [drive.name, place.deletingLastPathComponent].filter { !$0.isEmpty }.joined(separator: " / "))
    }

    /// In the header, and for who chooses among windows.
    private func setTitle(_ name: String, _ place: String = "") {
        title.set("title", OneLine.shown(name))
        title.set("subtitle", OneLine.shown(place))
        screen.window.set("title", name.isEmpty ? "Valise" : OneLine.shown(name) + " – Valise")
    }

    private func fail(_ sentence: String) {
        layout.part("fault-text").set("label", OneLine.sentences(sentence))
        setTitle("")
        show(.fault)
    }

    private func show(_ now: Shown) {
        shown = now
        if now == .nothing { setTitle("") }
        stack.set("visible-child-name", Self.page(of: now))
        arrange()
    }

    private static func page(of shown: Shown) -> String {
        switch shown {
        case .nothing: "none"
        case .resting: "resting"
        case .drive: "drive"
        case .document: "document"
        case .sides: "sides"
        case .fault: "fault"
        }
    }

    /// What is where follows from what is shown and how wide the window is.
    private func arrange() {
        let isDrive = shown == .drive, isNarrow = bodyWidth.map { $0.number("page-size") < 640 } ?? false
        titles.set("visible-child-name", isDrive ? "switcher" : "title")
        if let drive, isDrive { switcher.set("title", OneLine.shown(drive.name)) }
        switcherBar.set("reveal", isDrive && switcher.flag("title-visible"))
        back.set("visible", leaflet.flag("folded") || ["document", "sides"].contains(Self.page(of: shown)))
        document.arrange(isNarrow: isNarrow)
        sides.arrange(isNarrow: isNarrow)
        openAction?.set("enabled", drive != nil)
        unmountAction?.set("enabled", drive != nil)
        importAction?.set("enabled", drive?.isAnswering == true && drive?.isReadOnly == false)
        takeBackAction?.set("enabled", drive?.isAnswering == true && drive?.isReadOnly == false)
        forgetAction?.set("enabled", restingContainer != nil)
        document.isShown = Self.page(of: shown) == "document"
    }

    func goBack() {
        switch shown {
        case .document, .sides:
            if let drive {
                setTitle(drive.name)
                show(.drive)
                visiblePage.refresh()
                visiblePage.focus()
            }
        default:
            leaflet.set("visible-child-name", "drives")
            list.focus()
        }
    }

    private var visiblePage: any DrivePage {
        switch pages.text("visible-child-name") {
        case "search": search
        case "deleted": deleted
        case "conflicts": conflicts
        default: overview
        }
    }

    private func pageChanged() {
        guard shown == .drive else { return }
        visiblePage.refresh()
    }

    private func goTo(_ page: String) {
        guard let drive else { return }
        if shown != .drive { openDrive(drive, page: page) } else {
            pages.set("visible-child-name", page)
            visiblePage.focus()
        }
        leaflet.set("visible-child-name", "content")
    }

    // MARK: What a person does

    private func actions() {
        screen.action("mount", keys: "<Control>o") { [self] in deeds?.chooseFolder() }
        unmountAction = screen.action("unmount", keys: "<Control>e") { [self] in if let drive { deeds?.unmount(drive) } }
        forgetAction = screen.action("forget") { [self] in if let restingContainer { deeds?.forget(restingContainer) } }
        importAction = screen.action("import", keys: "<Control>i") { [self] in if let drive { deeds?.chooseBookmarks(for: drive) } }
        takeBackAction = screen.action("take-back") { [self] in if let drive { deeds?.askToTakeBack(on: drive) } }
        stopAction = screen.action("stop-work", keys: "<Control>period") { [self] in deeds?.stopImport() }
        stopAction?.set("enabled", false)
        openAction = screen.action("open", keys: "<Control>Return") { [self] in openElsewhere() }
        screen.action("open-folder") { [self] in if let drive { openFile(drive.mountpoint) } }
        screen.action("refresh", keys: "F5 <Control>r") { [self] in driveChanged() }
        screen.action("back", keys: "<Alt>Left") { [self] in goBack() }
        screen.action("search", keys: "<Control>f") { [self] in goTo("search") }
        for (number, page) in ["overview", "search", "deleted", "conflicts"].enumerated() { screen.action("page-" + page, keys: "<Alt>\(number + 1)") { [self] in goTo(page) } }
        screen.action("close", keys: "<Control>w <Control>q") { [self] in screen.close() }
        screen.help(PackageResources.keys_ui)
        layout.part("content").key("Escape") { [self] in goBack() }
        layout.part("mount-resting").on("clicked") { [self] in if case .resting(let container, let mountpoint) = shown { deeds?.mount(container, on: mountpoint) } }
    }

    /// What fails is said.
    func perform(_ deed: @escaping @MainActor () async throws -> Void) {
        Task { do { try await deed() } catch { screen.tell(ValiseFault.sentence(of: error)) } }
    }

    /// The drive in a file manager, or the document in the program that is for such files.
    private func openElsewhere() {
        switch shown {
        case .document(let path), .sides(let path): openFile(path)
        default: if let drive { openFile(drive.mountpoint) }
        }
    }

    private func openFile(_ path: String) { screen.open(URL(fileURLWithPath: path).absoluteString) { [self] in screen.tell($0) } }
}

/// One of the pages of a drive.
@MainActor
protocol DrivePage: AnyObject {
    var page: Part { get }
    func start(in window: MainWindow)
    /// Another drive, or what is known of it now.
    func show(_ drive: Drive)
    /// It may have changed.
    func refresh()
    func focus()
}
