import Foundation
import Widgets
import WindowModel

/// A document's versions as a time line. The one that is chosen is looked at, compared with what the document is now, and restored.
@MainActor
final class DocumentPage {
    private struct Shown: Identifiable, Equatable {
        let version: DocumentVersion
        let day: String
        var id: String { version.id }
    }

    let page: Part
    var isShown = false { didSet { enable() } }
    private let layout = Layout(PackageResources.document_ui)
    private let halves: Part, differences: Part
    private let notice: NoticePart
    private let list: ListPart<Shown>
    private let content: ContentView
    private weak var window: MainWindow?
    private var path: String?
    private var drive: Drive?
    private var history: DocumentHistory?
    private var restoreAction: Part?, differencesAction: Part?, addressAction: Part?, renameAction: Part?
    /// Of a link file, as it is now.
    private var link: LinkAddress? { didSet { layout.part("address").set("visible", link != nil) } }
    private var undo: (() -> Void)?
    private var toast: Toast?
    /// Of what is looked at, so that what is ready too late is not shown.
    private var turn = 0

    init() {
        page = layout.part("page")
        halves = layout.part("halves")
        differences = layout.part("differences")
        notice = NoticePart(layout, hasButton: true)
        content = ContentView(layout, "now")
        list = ListPart(layout, "versions") { row in
            var words: [String] = []
            if row.version.isNow { words.append(row.version.date.formatted(date: .omitted, time: .shortened)) }
            if let size = row.version.size { words.append(OverviewPage.size(size)) }
            if !row.version.computer.isEmpty { words.append(row.version.computer) }
            return RowFace(row.version.isNow ? "Now" : (row.version.waits ? "⚠ " : "") + row.version.date.formatted(date: .omitted, time: .standard), subtitle: words.joined(separator: " · "), mark: row.day)
        }
    }

    func start(in window: MainWindow) {
        self.window = window
        list.chose = { [weak self] in self?.look() }
        list.activated { [weak self] _ in self?.restoreChosen() }
        differences.on("notify::active") { [weak self] in self?.look() }
        restoreAction = window.screen.action("restore", keys: "<Control><Shift>r") { [self] in restoreChosen() }
        differencesAction = window.screen.action("differences", keys: "<Control>d") { [self] in differences.set("active", !differences.flag("active")) }
        addressAction = window.screen.action("address", keys: "<Control>l") { [self] in if let link { changeAddress(link, link.address, "") } }
        renameAction = window.screen.action("rename", keys: "F2") { [self] in if let path { askName(DocumentName(path), DocumentName(path).words, "") } }
        window.screen.action("undo", keys: "<Control>z") { [self] in undo?() }
        enable()
    }

    func arrange(isNarrow: Bool) { halves.set("orientation", isNarrow ? 1 : 0) }

    func open(_ path: String, on drive: Drive) {
        (self.path, self.drive, history, undo, link) = (path, drive, nil, nil, nil)
        differences.set("active", false)
        notice.hide()
        list.show([])
        content.clear()
        list.choose("now")
        refresh()
        list.focus()
    }

    func refresh() {
        guard isShown, let path, let drive, let program = window?.program else { return }
        Task {
            do {
                let new = try await program.history(of: path, on: drive)
                guard self.path == path, new != history else { return }
                history = new
                show(new)
                if new.others.isEmpty { await remark(path) } else { notice.show("Two sides changed this document at once.", "_Compare") { [weak self] in self?.window?.openSides(path) } }
            } catch {
                guard self.path == path else { return }
                (history, undo) = (nil, nil)
                list.show([])
                let remark = await program.remark(on: path)
                content.explain(remark ?? ValiseFault.sentence(of: error))
                enable()
            }
        }
    }

    private func show(_ history: DocumentHistory) {
        var last = ""
        let before = list.chosen
        list.show(history.versions.map { version in
            let day = DayName.of(version.date)
            defer { last = day }
            return Shown(version: version, day: day == last ? "" : day)
        })
        if list.chosen == nil { list.choose("now") }
        // The same one may have other words now.
        if before?.id == list.chosen?.id { look() }
    }

    private func remark(_ path: String) async {
        guard let said = await window?.program?.remark(on: path), self.path == path else { return notice.hide() }
        if said.contains("--saved") { notice.show(said, "_Give Up What Is Not Saved") { [weak self] in self?.giveUp() } } else { notice.hide() }
    }

    private func giveUp() {
        guard let path, let window, let program = window.program else { return }
        window.screen.ask("Give Up What Is Not Saved?", "The document is what was saved last, then.", [("_Cancel", .other), ("_Give Up", .destroying)]) { [weak self] answer in
            guard answer == 1 else { return }
            window.perform {
                try await program.restoreSaved(path)
                self?.history = nil
                self?.refresh()
                window.refreshDrives()
            }
        }
    }

    // MARK: What is looked at

    private func enable() {
        let version = list.chosen?.version
        restoreAction?.set("enabled", isShown && version?.isNow == false && drive?.isReadOnly == false)
        differencesAction?.set("enabled", isShown)
        addressAction?.set("enabled", isShown && link != nil && drive?.isReadOnly == false)
        renameAction?.set("enabled", isShown && history != nil && drive?.isReadOnly == false)
    }

    private func look() {
        enable()
        turn += 1
        guard let version = list.chosen?.version, let now = history?.versions.first, let path else { return }
        let mine = turn, isCompared = differences.flag("active") && !version.isNow, name = (path as NSString).lastPathComponent
        Task {
            let shown = await VersionContent.read(version)
            guard mine == turn else { return }
            if version.isNow {
                if case .text(let text) = shown { link = LinkAddress(text, called: name) } else { link = nil }
                enable()
            }
            guard isCompared else { return content.show(shown, called: name) }
            let current = await VersionContent.read(now)
            guard mine == turn else { return }
            guard case .text(let old) = shown, case .text(let new) = current else { return explainDifference(version, path, mine) }
            let comparison = await Task.detached { LineComparison(from: old, to: new) }.value
            guard mine == turn else { return }
            content.show(comparison.lines.map { line in
                switch line.mark {
                case .both: (" ", line.text, nil)
                case .removed: ("−", line.text, .removed)
                case .added: ("+", line.text, .added)
                }
            })
        }
    }

    private func explainDifference(_ version: DocumentVersion, _ path: String, _ mine: Int) {
        guard let program = window?.program else { return }
        Task {
            let said: VersionContent
            do { said = .text(try await program.difference(of: path, version)) } catch { said = .fault(ValiseFault.sentence(of: error)) }
            if mine == turn { content.show(said, called: path) }
        }
    }

    // MARK: The address of a link

    /// Again, with the reason, until it is an address or somebody cancels.
    private func changeAddress(_ link: LinkAddress, _ words: String, _ reason: String) {
        guard let path, let window else { return }
        window.screen.askForText("Change the Address", reason, words, "_Change") { [weak self] words in
            guard let new = link.replaced(by: words) else { self?.changeAddress(link, words, "That is no address."); return }
            self?.write(new, to: path, "The address is changed", before: link.text)
        }
    }

    private func write(_ text: String, to path: String, _ sentence: String, before: String) {
        guard let window else { return }
        window.perform { [self] in
            try await Task.detached { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }.value
            window.screen.withdraw(toast)
            list.choose("now")
            undo = { [weak self] in
                self?.undo = nil
                self?.write(before, to: path, "The address is what it was", before: text)
            }
            toast = window.screen.tell(sentence, "_Undo") { [weak self] in self?.undo?() }
            refresh()
        }
    }

    // MARK: Its name

    /// Again, with the reason, until it is one or somebody cancels.
    private func askName(_ name: DocumentName, _ words: String, _ reason: String) {
        window?.screen.askForText("Rename", reason, words, "_Rename") { [weak self] words in
            guard let new = name.path(called: words) else { self?.askName(name, words, "That is no name: it has at least one letter, and no “/”."); return }
            if new != name.path { self?.rename(name, new, "It has another name") { self?.askName(name, words, $0) } }
        }
    }

    private func rename(_ name: DocumentName, _ new: String, _ sentence: String, failed: @escaping @MainActor (String) -> Void) {
        guard let window else { return }
        Task {
            do { try await name.move(to: new) } catch { return failed(ValiseFault.sentence(of: error)) }
            guard path == name.path else { return }
            window.screen.withdraw(toast)
            window.openDocument(new)
            undo = { [weak self] in
                self?.undo = nil
                self?.rename(DocumentName(new), name.path, "It is called as it was") { [weak window] in window?.screen.tell($0) }
            }
            toast = window.screen.tell(sentence, "_Undo") { [weak self] in self?.undo?() }
        }
    }

    // MARK: Restoring

    private func restoreChosen() {
        guard let version = list.chosen?.version, !version.isNow, let path, let window, let program = window.program else { return }
        window.perform { [self] in
            try await program.restore(path, version)
            // What it was a moment ago is the last version now.
            let after = try await program.history(of: path, on: drive)
            window.screen.withdraw(toast)
            list.choose("now")
            guard after.versions.count > 1 else {
                toast = window.screen.tell("The version is restored")
                return refresh()
            }
            let before = after.versions[1]
            undo = { [weak self] in self?.undoRestoring(path, before) }
            toast = window.screen.tell("The version is restored", "_Undo") { [weak self] in self?.undo?() }
            refresh()
        }
    }

    private func undoRestoring(_ path: String, _ version: DocumentVersion) {
        guard let window, let program = window.program else { return }
        undo = nil
        window.screen.withdraw(toast)
        window.perform { [weak self] in
            try await program.restore(path, version)
            self?.refresh()
        }
    }
}
