import DocumentKit
import Foundation
import Testing

/// What Apple's documentation says of each call, one after another.
@Suite struct UndoManagerTests {
    private final class Note {
        let undoManager = UndoManager()
        private(set) var text = ""

        init(byEvent: Bool = false) { undoManager.groupsByEvent = byEvent }

        func set(_ new: String) {
            let old = text
            undoManager.registerUndo(withTarget: self) { $0.set(old) }
            text = new
        }

        func group(_ name: String = "", _ body: () -> Void) {
            undoManager.beginUndoGrouping()
            body()
            if !name.isEmpty { undoManager.setActionName(name) }
            undoManager.endUndoGrouping()
        }
    }

    @Test func aGroupIsUndoneAndDoneAgain() {
        let note = Note(), manager = note.undoManager
        #expect(!manager.canUndo && !manager.canRedo && manager.undoMenuItemTitle == "Undo")
        note.group("Typing") {
            note.set("a")
            note.set("ab")
        }
        note.group("Cutting") { note.set("") }
        #expect(manager.undoCount == 2 && manager.undoActionName == "Cutting" && manager.undoMenuItemTitle == "Undo Cutting")
        manager.undo()
        #expect(note.text == "ab" && manager.redoMenuItemTitle == "Redo Cutting")
        manager.undo()
        #expect(note.text == "" && !manager.canUndo && manager.redoActionName == "Typing")
        manager.redo()
        #expect(note.text == "ab" && manager.undoActionName == "Typing")
        manager.redo()
        #expect(note.text == "" && !manager.canRedo)
    }

    @Test func aNewChangeForgetsWhatCouldBeDoneAgain() {
        let note = Note()
        note.group { note.set("a") }
        note.undoManager.undo()
        #expect(note.undoManager.canRedo)
        note.group { note.set("b") }
        #expect(!note.undoManager.canRedo && note.undoManager.undoCount == 1)
    }

    @Test func groupsInGroupsAreOne() {
        let note = Note(), manager = note.undoManager
        note.group {
            note.set("a")
            note.group { note.set("b") }
            #expect(manager.groupingLevel == 1)
        }
        // While a group is open inside of another, nothing is undone.
        manager.beginUndoGrouping()
        manager.beginUndoGrouping()
        manager.undo()
        #expect(note.text == "b")
        manager.endUndoGrouping()
        manager.endUndoGrouping()
        manager.endUndoGrouping()
        manager.undo()
        manager.undo()
        #expect(note.text == "" && manager.groupingLevel == 0)
    }

    @Test func levelsAreKeptToTheirNumber() {
        let note = Note()
        note.undoManager.levelsOfUndo = 2
        for text in ["a", "b", "c"] { note.group { note.set(text) } }
        #expect(note.undoManager.undoCount == 2)
        for _ in 0..<3 { note.undoManager.undo() }
        #expect(note.text == "a")
    }

    @Test func registeringCanBeSwitchedOff() {
        let note = Note(), manager = note.undoManager
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        note.group { note.set("a") }
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled)
        manager.undo()
        #expect(note.text == "a")
    }

    /// A name that is said before anything was registered in this turn.
    @Test func aNameIsKeptForWhatFollows() {
        let note = Note(byEvent: true), manager = note.undoManager
        func turn() { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
        manager.setActionName("Type")
        note.set("a")
        #expect(manager.undoActionName == "Type")
        turn()
        #expect(manager.groupingLevel == 0 && manager.undoActionName == "Type")
        manager.setActionName("Append")
        #expect(manager.undoActionName == "Type")
        note.set("ab")
        turn()
        #expect(manager.undoActionName == "Append")
        manager.undo()
        #expect(manager.undoActionName == "Type" && manager.redoActionName == "Append" && note.text == "a")
    }

    /// The last group in the one that is open, by itself.
    @Test func aNestedGroupIsUndone() {
        let note = Note(), manager = note.undoManager
        manager.beginUndoGrouping()
        note.group { note.set("a") }
        note.group { note.set("ab") }
        manager.undoNestedGroup()
        #expect(note.text == "a" && manager.groupingLevel == 1 && manager.redoCount == 1)
        note.set("ac")
        manager.undoNestedGroup()
        #expect(note.text == "ac")
        manager.endUndoGrouping()
        manager.undo()
        #expect(note.text == "" && manager.undoCount == 0)
    }

    @Test @MainActor func targetsAreNotKeptAndCanBeForgotten() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        var undone: [String] = []
        final class Target {}
        var gone: Target? = Target()
        let stays = Target(), forgotten = Target()
        for (name, target) in [("gone", gone), ("stays", stays), ("forgotten", forgotten)] {
            guard let target else { continue }
            manager.registerUndo(withTarget: target) { _ in undone.append(name) }
        }
        weak let watched = gone
        gone = nil
        #expect(watched == nil)
        manager.removeAllActions(withTarget: forgotten)
        while manager.canUndo { manager.undo() }
        #expect(undone == ["stays"])
        manager.registerUndo(withTarget: stays) { _ in }
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test func notificationsComeInTheirOrder() {
        let note = Note(), names = Names()
        let watched: [Notification.Name] = [
            .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
            .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
        ]
        let observers = watched.map { name in
            NotificationCenter.default.addObserver(forName: name, object: note.undoManager, queue: nil) { names.add($0.name) }
        }
        defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
        note.group { note.set("a") }
        #expect(names.take() == [.NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup])
        note.undoManager.undo()
        let undone = names.take()
        #expect(undone.first == .NSUndoManagerWillUndoChange && undone.last == .NSUndoManagerDidUndoChange)
        note.undoManager.redo()
        let redone = names.take()
        #expect(redone.first == .NSUndoManagerWillRedoChange && redone.last == .NSUndoManagerDidRedoChange)
    }

    private final class Names: @unchecked Sendable {
        private var names: [Notification.Name] = []
        func add(_ name: Notification.Name) { names.append(name) }
        func take() -> [Notification.Name] {
            defer { names = [] }
            return names
        }
    }

    /// What is changed in one turn is one group; the end of the turn closes it, and so does undoing.
    @Test @MainActor func aTurnOfTheLoopIsOneGroup() async throws {
        let note = Note(byEvent: true), manager = note.undoManager
        note.set("a")
        note.set("b")
        #expect(manager.groupingLevel == 1)
        try await until { manager.groupingLevel == 0 }
        note.set("c")
        try await until { manager.groupingLevel == 0 }
        #expect(manager.undoCount == 2)
        manager.undo()
        #expect(note.text == "b")
        note.set("d")
        manager.undo()
        #expect(note.text == "b" && manager.groupingLevel == 0)
        manager.undo()
        #expect(note.text == "")
    }

    @Test func whatCanBeLostIsSaid() {
        let note = Note(), manager = note.undoManager
        note.group {
            note.set("a")
            manager.setActionIsDiscardable(true)
        }
        #expect(manager.undoActionIsDiscardable && !manager.redoActionIsDiscardable)
        manager.undo()
        #expect(manager.redoActionIsDiscardable)
    }

    @Test func valuesAreKeptWithAnAction() {
        let note = Note(), manager = note.undoManager, key = UndoManager.UserInfoKey(rawValue: "moment")
        note.group {
            note.set("a")
            manager.setActionUserInfoValue(7, forKey: key)
            #expect(manager.undoActionUserInfoValue(forKey: key) as? Int == 7)
        }
        note.group { note.set("ab") }
        #expect(manager.undoActionUserInfoValue(forKey: key) == nil)
        manager.undo()
        #expect(manager.undoActionUserInfoValue(forKey: key) as? Int == 7 && manager.redoActionUserInfoValue(forKey: key) == nil)
        manager.undo()
        #expect(manager.redoActionUserInfoValue(forKey: key) as? Int == 7)
        manager.redo()
        #expect(manager.undoActionUserInfoValue(forKey: key) as? Int == 7)
        manager.setActionUserInfoValue(nil, forKey: key)
        #expect(manager.undoActionUserInfoValue(forKey: key) == nil)
        #expect(NSUndoCloseGroupingRunLoopOrdering == 350_000)
    }
}
