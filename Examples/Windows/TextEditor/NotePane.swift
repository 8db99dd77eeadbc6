import AppSupport
import Foundation
import TextEditorModel
import Widgets

/// The right side of the window: the note that is open, or both sides of one that two changed, or why there is none.
@MainActor
final class NotePane {
    /// Another note is open, or it has another name.
    var changed: (() -> Void)?
    private(set) var file: URL?
    private let screen: Screen
    private let stack: Part, title: Part, text: Part, faultText: Part, pane: Part
    private let notice: NoticePart
    private let buffer: TextBuffer
    private let sides: ConflictSides
    private var list: NoteList?
    private var editor: NoteEditor?
    /// One thing after another: a note is closed before the next one is opened.
    private var work: Task<Void, Never>?

    init(_ layout: Layout, _ screen: Screen) {
        self.screen = screen
        stack = layout.part("note-stack")
        title = layout.part("note-title")
        text = layout.part("text")
        notice = NoticePart(layout, hasButton: true)
        faultText = layout.part("fault-text")
        pane = layout.part("note")
        buffer = TextBuffer(of: text)
        sides = ConflictSides(layout)
        sides.kept = { [weak self] in self?.resolve($0) }
        buffer.edited { [weak self] in
            guard let self else { return }
            editor?.set(buffer.text)
        }
        show("none")
    }

    var hasFocus: Bool { pane.hasFocus }

    func arrange(isNarrow: Bool) { sides.arrange(isNarrow: isNarrow) }

    // MARK: What is shown

    private func show(_ page: String) { stack.set("visible-child-name", page) }

    func explain(_ heading: String, _ sentence: String) {
        title.set("title", OneLine.shown(heading))
        title.set("subtitle", "")
        faultText.set("label", OneLine.sentences(sentence))
        show("fault")
    }

    private func showName() {
        title.set("title", OneLine.shown(file?.deletingPathExtension().lastPathComponent ?? ""))
        title.set("subtitle", "")
    }

    // MARK: Opening and closing

    private func inTurn(_ body: @escaping @MainActor () async -> Void) {
        work = Task { [work] in
            await work?.value
            await body()
        }
    }

    func open(_ file: URL, of list: NoteList?) {
        inTurn { [self] in
            self.list = list
            if editor?.file == file {
                text.focus()
                return
            }
            guard await closed() else { return }
            let editor = NoteEditor(file, levelsOfUndo: 1)
            self.file = file
            showName()
            do {
                try await editor.open()
                guard buffer.load(editor.text) else {
                    await editor.discard()
                    throw AppFault("Its text has characters that this window cannot keep as they are, so it is not edited here. “texteditor show” prints it.")
                }
                editor.happened = { [weak self] in self?.take($0) }
                self.editor = editor
                text.set("editable", true)
                show("text")
                text.focus()
                if editor.isInConflict { take(.inConflict) }
            } catch { explain(file.deletingPathExtension().lastPathComponent, AppFault.sentence(of: error)) }
            changed?()
        }
    }

    /// `done` is called when it is closed, and not where somebody keeps it open.
    func close(_ done: @escaping () -> Void) {
        inTurn { [self] in
            guard await closed() else { return }
            done()
        }
    }

    /// False where it could not be saved, and somebody rather keeps it open.
    private func closed() async -> Bool {
        guard let editor else {
            file = nil
            notice.hide()
            show("none")
            title.set("title", "")
            return true
        }
        // What would be typed while it is saved for the last time would be nowhere.
        text.set("editable", false)
        do { try await editor.close() } catch {
            guard await isDiscarded(AppFault.sentence(of: error)) else {
                text.set("editable", true)
                return false
            }
            await editor.discard()
        }
        self.editor = nil
        return await closed()
    }

    private func isDiscarded(_ reason: String) async -> Bool {
        await withCheckedContinuation { answer in
            screen.ask("The Note Could Not Be Saved", reason, [("_Keep It Open", .other), ("_Discard What Was Typed", .destroying)]) { answer.resume(returning: $0 == 1) }
        }
    }

    // MARK: What others do

    /// What the list says of the note that is open.
    func follow(_ rows: [NoteList.Row]) {
        guard let file, editor != nil, let row = rows.first(where: { $0.path == file.path }) else { return }
        if row.isInConflict, !notice.isShown { take(.inConflict) }
    }

    private func take(_ event: NoteEditor.Event) {
        guard let editor else { return }
        switch event {
        case .otherText:
            buffer.follow(editor.text)
            if editor.textBefore != nil {
                screen.tell("Somebody else changed this note", "_Bring Back") { [weak self] in self?.bringBack() }
            }
        case .otherName:
            file = editor.file
            showName()
            changed?()
        case .inConflict: notice.show("Two sides changed this note at once.", "_Compare") { [weak self] in self?.compare() }
        case .notSaved:
            let reason = editor.failure.map { $0.isEmpty ? "." : ": " + $0 } ?? "."
            notice.show("It is not saved yet\(reason) It is tried again until it is.", "_Save Now") { [weak self] in self?.saveAgain() }
        case .saved: notice.hide()
        case .gone:
            self.editor = nil
            let name = file?.deletingPathExtension().lastPathComponent ?? "", text = buffer.text
            file = nil
            notice.hide()
            explain(name, "Somebody else deleted this note.")
            // What was typed last is in no file.
            if !text.isEmpty { notice.show("Its text is here still.", "_Keep It as a New Note") { [weak self] in self?.keep(text) } }
        }
    }

    private func keep(_ text: String) {
        guard let list else { return }
        Task {
            do {
                let file = try await list.create(text)
                notice.hide()
                open(file, of: list)
            } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }

    private func bringBack() {
        guard let editor else { return }
        do {
            try editor.bringBack()
            buffer.follow(editor.text)
        } catch { screen.tell(AppFault.sentence(of: error)) }
    }

    private func saveAgain() {
        guard let file else { return }
        let list = list
        inTurn { [self] in
            guard let editor else { return }
            text.set("editable", false)
            do {
                try await editor.close()
                self.editor = nil
                notice.hide()
                open(file, of: list)
            } catch {
                text.set("editable", true)
                screen.tell(AppFault.sentence(of: error))
            }
        }
    }

    // MARK: Both sides

    private func compare() {
        guard let file, let list else { return }
        inTurn { [self] in
            // What was typed is one of the sides then.
            guard await closed() else { return }
            self.file = file
            showName()
            do {
                let found = try list.conflict(of: file)
                guard found.count > 1 else { return open(file, of: list) }
                sides.show(found)
                show("conflict")
            } catch { explain(file.deletingPathExtension().lastPathComponent, AppFault.sentence(of: error)) }
        }
    }

    private func resolve(_ number: Int) {
        guard let file, let list else { return }
        inTurn { [self] in
            do {
                try await list.resolve(file, with: number)
                notice.hide()
                open(file, of: list)
                screen.tell("The other side is kept as a version")
            } catch { screen.tell(AppFault.sentence(of: error)) }
        }
    }
}
