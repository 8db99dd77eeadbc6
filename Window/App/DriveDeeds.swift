import Foundation
import Widgets
import WindowModel

/// What is done with drives themselves: a folder is mounted, a drive is taken away, a container is forgotten, bookmarks come into one.
@MainActor
final class DriveDeeds {
    private weak var window: MainWindow?
    private let screen: Screen
    private let drives: DriveList
    private var importing: BookmarkImport?
    /// What came of it.
    private var toast: Toast?
    /// Called when the import has ended.
    private var afterImport: (() -> Void)?

    init(_ window: MainWindow, _ drives: DriveList) { (self.window, screen, self.drives) = (window, window.screen, drives) }

    func chooseFolder() {
        screen.choose(Layout(PackageResources.choose_ui).part("chooser"), in: HomeFolder.path) { [self] paths in
            guard let path = paths.first else { return }
            if let row = drives.rows.first(where: { $0.container == path && $0.drive != nil }) { window?.open(row) } else { askPlace(path, drives.place(for: path), "") }
        }
    }

    /// Again, with the reason, until it is mounted or somebody cancels.
    private func askPlace(_ container: String, _ place: String, _ reason: String) {
        let name = OneLine.shown((container as NSString).lastPathComponent)
        screen.askForText("Mount “\(name)”", reason.isEmpty ? "Its documents are shown as files in this folder:" : reason, place, "_Mount") { [self] place in
            mount(container, on: HomeFolder.expanded(place))
        }
    }

    func mount(_ container: String, on mountpoint: String, password: String? = nil) {
        Task {
            do {
                guard mountpoint.hasPrefix("/") else { throw ValiseFault("A folder's path begins with “/” or “~”.") }
                try await drives.mount(container, on: mountpoint, password: password)
                if let row = drives.rows.first(where: { $0.mountpoint == mountpoint && $0.drive != nil }) ?? drives.rows.first(where: { $0.container == container }) { window?.open(row) }
            } catch let fault as ValiseFault where fault.asksForPassword || fault.isWrongPassword {
                askPassword(container, mountpoint, isWrong: fault.isWrongPassword)
            } catch { askPlace(container, mountpoint, ValiseFault.sentence(of: error)) }
        }
    }

    /// Of an encrypted backup, until it is the right one or somebody cancels.
    private func askPassword(_ backup: String, _ mountpoint: String, isWrong: Bool) {
        let name = OneLine.shown((backup as NSString).lastPathComponent)
        let words = isWrong ? "That is not the password of this backup. It is the one that was chosen for backups in Finder or iTunes, not the device's code." : "The backup is encrypted. Its password was chosen in Finder or iTunes."
        screen.askForPassword("Open “\(name)”", words, "_Open") { [self] password in
            screen.tell("Opening the backup takes some seconds…")
            mount(backup, on: mountpoint, password: password)
        }
    }

    func unmount(_ drive: Drive) {
        Task {
            do {
                try await drives.unmount(drive)
                screen.tell("“\(drive.name)” is unmounted", drive.container == nil ? nil : "_Undo") { [self] in if let container = drive.container { mount(container, on: drive.mountpoint) } }
            } catch {
                screen.ask("“\(drive.name)” Is Not Unmounted", ValiseFault.sentence(of: error), [("_Keep It", .other), ("_Unmount Anyway", .destroying)]) { [self] answer in
                    if answer == 1 { window?.perform { [self] in try await drives.unmount(drive, atOnce: true) } }
                }
            }
        }
    }

    func forget(_ container: String) {
        guard let row = drives.rows.first(where: { $0.container == container && $0.drive == nil }) else { return }
        drives.forget(row)
        window?.showNothing()
        screen.tell("“\(row.name)” is not in the list any more", "_Undo") { [drives] in drives.remember(row) }
    }

    /// Of a browser that is there, whose file nobody has to know, or of a file.
    func chooseBookmarks(for drive: Drive) {
        let found = BrowserBookmarks.found()
        guard !found.isEmpty else { return chooseFile(for: drive) }
        let answers: [(label: String, kind: Screen.Answer)] = [("_Cancel", .other)] + found.map { ($0.browser, .suggested) } + [("_Another File…", .other)]
        screen.ask("Import Bookmarks", "Of which browser? What is on “\(drive.name)” already is left out.", answers) { [self] answer in
            if answer > found.count { chooseFile(for: drive) } else if answer > 0 { importBookmarks(found[answer - 1].path, called: found[answer - 1].browser, into: drive) }
        }
    }

    private func chooseFile(for drive: Drive) {
        let chooser = Layout(PackageResources.choose_ui).part("chooser")
        chooser.set("title", "Import Bookmarks")
        chooser.set("accept-label", "_Import")
        // GTK_FILE_CHOOSER_ACTION_OPEN.
        chooser.set("action", 0)
        // What was used last, where a page that a browser has just written is.
        screen.choose(chooser) { [self] paths in
            if let path = paths.first { importBookmarks(path, called: (path as NSString).lastPathComponent, into: drive) }
        }
    }

    /// Its line above the drive says how far it is, and has a button that ends it.
    private func importBookmarks(_ path: String, called name: String, into drive: Drive) {
        guard importing == nil else {
            screen.tell("Another import is not done yet.")
            return
        }
        window?.showWork("Importing “\(name)”…")
        importing = BookmarkImport(drives.program, of: path, into: drive) { [weak self] count in
            self?.window?.showWork("Importing “\(name)”: \(count) \(count == 1 ? "bookmark" : "bookmarks")")
        } ended: { [weak self] outcome in self?.importEnded(outcome, drive) }
    }

    private func importEnded(_ outcome: Result<BookmarkImport.Outcome, ValiseFault>, _ drive: Drive) {
        importing = nil
        window?.showWork(nil)
        if let afterImport { return afterImport() }
        switch outcome {
        case .success(let outcome):
            toast = screen.tell(outcome.sentence, outcome.isUndoable ? "_Undo" : nil) { [self] in takeBack(on: drive) }
        case .failure(let fault): screen.tell(fault.description)
        }
    }

    /// Also when the line that offered it is gone, or the window was closed since.
    func askToTakeBack(on drive: Drive) {
        guard importing == nil else {
            screen.tell("The import is not done yet.")
            return
        }
        screen.ask("Take Back the Last Import?", "What it brought to “\(drive.name)” goes among the deleted. What was changed since stays.", [("_Cancel", .other), ("_Take Back", .suggested)]) { [self] answer in
            if answer == 1 { takeBack(on: drive) }
        }
    }

    private func takeBack(on drive: Drive) {
        screen.withdraw(toast)
        window?.perform { [self] in
            let said = try await drives.program.takeImportBack(on: drive)
            screen.tell("The import is taken back: " + said)
        }
    }

    func stopImport() { importing?.stop() }

    /// Whether an import is on its way: then it is asked whether that is to end, and `close` is called when it has. What came till then stays, and is whole.
    func asksBeforeClosing(_ close: @escaping @MainActor () -> Void) -> Bool {
        guard importing != nil else { return false }
        guard afterImport == nil else { return true }
        let answers: [(label: String, kind: Screen.Answer)] = [("_Go On", .other), ("_End and Close", .suggested)]
        screen.ask("End the Import?", "What has come till now stays, and can be taken back. The same import goes on with the rest.", answers) { [self] answer in
            guard answer == 1 else { return }
            guard importing != nil else { return close() }
            afterImport = close
            stopImport()
        }
        return true
    }
}
