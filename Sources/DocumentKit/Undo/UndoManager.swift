import Dispatch
import Foundation

/// Remembers what undoes each change, and what does it again: as Foundation's class of this name, which Linux does not have.
///
/// Changes of one turn of the run loop are one group, which ``undo()`` takes back as a whole. It belongs to one thread, as on
/// Apple's systems: to the main one where a document has it.
///
/// ```swift
/// func setTitle(_ new: String) {
///     let old = title
///     undoManager.registerUndo(withTarget: self) { $0.setTitle(old) }
///     undoManager.setActionName("Rename")
///     title = new
/// }
/// ```
open class UndoManager: NSObject {
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    /// The groups that are open, the outermost first.
    private var openGroups: [UndoGroup] = []
    private var disabled = 0
    private var phase = Phase.none
    /// Which group the end of this turn of the run loop closes.
    private var eventGroup: UndoGroup?
    /// The one that collects what is registered while another one is undone or done again.
    private var runGroup: UndoGroup?
    /// Said before anything was registered in this turn.
    private var nextName: String?

    private enum Phase { case none, undoing, redoing }

    /// By which a value is kept with what can be undone.
    ///
    /// ```swift
    /// extension UndoManager.UserInfoKey { static let moment = UndoManager.UserInfoKey(rawValue: "moment") }
    /// ```
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// ```swift
    /// let undoManager = UndoManager()
    /// ```
    public override init() { super.init() }

    // MARK: Groups

    /// Whether the first change of a turn of the run loop opens a group, which the end of the turn closes.
    ///
    /// ```swift
    /// undoManager.groupsByEvent = false       // a program without a run loop opens and closes them itself
    /// ```
    open var groupsByEvent = true

    /// The modes of the run loop in which a group is closed at the end of the turn.
    ///
    /// ```swift
    /// undoManager.runLoopModes = [.default]
    /// ```
    open var runLoopModes: [RunLoop.Mode] = [.default]

    /// How many groups are open, one in another.
    ///
    /// ```swift
    /// assert(undoManager.groupingLevel == 0)
    /// ```
    open var groupingLevel: Int { openGroups.count }

    /// Begins a group: all that is registered until the matching ``endUndoGrouping()`` is undone at once.
    ///
    /// ```swift
    /// undoManager.beginUndoGrouping()
    /// photos.forEach(remove)
    /// undoManager.endUndoGrouping()
    /// ```
    open func beginUndoGrouping() {
        // The group of the event comes first, so that what is opened inside of an event ends up in it.
        if openGroups.isEmpty, groupsByEvent, phase == .none { openEventGroup() }
        openGroup()
    }

    private func openGroup() {
        post(.NSUndoManagerCheckpoint)
        openGroups.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Ends the group that was begun last. Without an open one it does nothing.
    ///
    /// ```swift
    /// undoManager.endUndoGrouping()
    /// ```
    open func endUndoGrouping() {
        guard let group = openGroups.last else { return }
        post(.NSUndoManagerCheckpoint)
        let info: [AnyHashable: Any]? = group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil
        post(.NSUndoManagerWillCloseUndoGroup, info)
        openGroups.removeLast()
        if group === eventGroup { eventGroup = nil }
        if group !== runGroup, let outer = openGroups.last { outer.append(group) } else { keep(group) }
        post(.NSUndoManagerDidCloseUndoGroup, info)
    }

    private func keep(_ group: UndoGroup) {
        if phase == .undoing { redoStack.append(group) } else { undoStack.append(group) }
        trim()
    }

    private func openEventGroup() {
        openGroup()
        eventGroup = openGroups.last
        if let nextName { eventGroup?.name = nextName }
        nextName = nil
        guard let group = eventGroup else { return }
        let end = EventEnd(manager: self, group: group)
        RunLoop.current.perform(inModes: runLoopModes) { end.run() }
        // A program whose main thread serves the main queue without a run loop: its turns are those of the queue.
        if MainQueue.isCurrent { DispatchQueue.main.async { end.run() } }
    }

    /// Run on the thread that opened the group, once the turn is over. Never sent to another one.
    private final class EventEnd: @unchecked Sendable {
        private weak var manager: UndoManager?
        private weak var group: UndoGroup?

        init(manager: UndoManager, group: UndoGroup) {
            self.manager = manager
            self.group = group
        }

        func run() {
            guard let manager, let group, manager.eventGroup === group else { return }
            // What somebody forgot to end inside of the event is ended with it.
            while manager.eventGroup === group, manager.groupingLevel > 0 { manager.endUndoGrouping() }
        }
    }

    /// Something was registered and its group is not closed yet.
    var hasOpenChanges: Bool { phase == .none && openGroups.contains { !$0.isEmpty } }

    /// The turn of the run loop is taken to be over here.
    func endEventGroup() {
        guard let group = eventGroup else { return }
        while eventGroup === group, groupingLevel > 0 { endUndoGrouping() }
    }

    // MARK: Registering

    /// Whether changes are remembered now.
    ///
    /// ```swift
    /// if undoManager.isUndoRegistrationEnabled { … }
    /// ```
    open var isUndoRegistrationEnabled: Bool { disabled == 0 }

    /// Changes are not remembered until as many calls of ``enableUndoRegistration()``.
    ///
    /// ```swift
    /// undoManager.disableUndoRegistration()
    /// defer { undoManager.enableUndoRegistration() }
    /// ```
    open func disableUndoRegistration() { disabled += 1 }

    /// Takes one ``disableUndoRegistration()`` back.
    ///
    /// ```swift
    /// undoManager.enableUndoRegistration()
    /// ```
    open func enableUndoRegistration() { disabled = max(0, disabled - 1) }

    /// Remembers what undoes a change. The target is not kept alive: when it is gone, nothing is done. The handler belongs to the main actor, as on
    /// Apple's systems; of a manager that another thread has, it is called by that.
    ///
    /// ```swift
    /// undoManager.registerUndo(withTarget: self) { $0.text = old }
    /// ```
    @preconcurrency
    open func registerUndo<TargetType: AnyObject>(withTarget target: TargetType, handler: @escaping @MainActor @Sendable (TargetType) -> Void) {
        guard isUndoRegistrationEnabled else { return }
        // SAFETY: an actor's function that does not suspend is called as any other one is. Who undoes is the thread that the manager belongs to.
        let handler = unsafe unsafeBitCast(handler, to: (@Sendable (TargetType) -> Void).self)
        if openGroups.isEmpty {
            guard groupsByEvent, phase == .none else {
                // Apple's class throws here. There is nobody to catch it on Linux: the change is a group of its own.
                openGroup()
                add(target, handler)
                return endUndoGrouping()
            }
            openEventGroup()
        }
        add(target, handler)
    }

    private func add<TargetType: AnyObject>(_ target: TargetType, _ handler: @escaping (TargetType) -> Void) {
        openGroups.last?.append(UndoAction(target: target) { [weak target] in if let target { handler(target) } })
        // A new change: what could have been done again does not fit any more.
        if phase == .none { redoStack = [] }
    }

    /// Forgets everything.
    ///
    /// ```swift
    /// undoManager.removeAllActions()
    /// ```
    open func removeAllActions() {
        (undoStack, redoStack, openGroups, eventGroup, nextName) = ([], [], [], nil, nil)
        disabled = 0
    }

    /// Forgets what would be done to a target.
    ///
    /// ```swift
    /// deinit { undoManager.removeAllActions(withTarget: self) }
    /// ```
    open func removeAllActions(withTarget target: Any) {
        let key = ObjectIdentifier(target as AnyObject)
        for group in undoStack + redoStack + openGroups { group.remove(targeting: key) }
        undoStack.removeAll(where: \.isEmpty)
        redoStack.removeAll(where: \.isEmpty)
    }

    /// How many groups are remembered; 0 is as many as there are.
    ///
    /// ```swift
    /// undoManager.levelsOfUndo = 50
    /// ```
    open var levelsOfUndo = 0 {
        didSet { trim() }
    }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: Undoing

    /// Whether there is something to undo.
    ///
    /// ```swift
    /// undoButton.isEnabled = undoManager.canUndo
    /// ```
    open var canUndo: Bool {
        post(.NSUndoManagerCheckpoint)
        return undoCount > 0 || openGroups.contains { !$0.isEmpty }
    }

    /// Whether there is something to do again.
    ///
    /// ```swift
    /// redoButton.isEnabled = undoManager.canRedo
    /// ```
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return redoCount > 0
    }

    /// How many groups can be undone.
    ///
    /// ```swift
    /// print(undoManager.undoCount)
    /// ```
    open var undoCount: Int { undoStack.count }

    /// How many groups can be done again.
    ///
    /// ```swift
    /// print(undoManager.redoCount)
    /// ```
    open var redoCount: Int { redoStack.count }

    /// Whether ``undo()`` is under way.
    ///
    /// ```swift
    /// if undoManager.isUndoing { … }
    /// ```
    open var isUndoing: Bool { phase == .undoing }

    /// Whether ``redo()`` is under way.
    ///
    /// ```swift
    /// if undoManager.isRedoing { … }
    /// ```
    open var isRedoing: Bool { phase == .redoing }

    /// Ends the group that is open, if it is the only one, and undoes the last one. What is registered meanwhile does it again.
    ///
    /// ```swift
    /// undoManager.undo()
    /// ```
    open func undo() {
        if groupingLevel == 1 { endUndoGrouping() }
        if openGroups.isEmpty { undoNestedGroup() }
    }

    /// Undoes the last group that is closed: the last one in the group that is open, or else the last of all. Where something was registered
    /// in the open group since, it does nothing: Apple's class throws then.
    ///
    /// ```swift
    /// undoManager.undoNestedGroup()
    /// ```
    open func undoNestedGroup() {
        post(.NSUndoManagerCheckpoint)
        guard phase == .none, let group = openGroups.last.map({ $0.popLastGroup() }) ?? undoStack.popLast() else { return }
        post(.NSUndoManagerWillUndoChange)
        run(group, .undoing)
        post(.NSUndoManagerDidUndoChange)
    }

    /// Does again what was undone last.
    ///
    /// ```swift
    /// undoManager.redo()
    /// ```
    open func redo() {
        post(.NSUndoManagerCheckpoint)
        if groupingLevel == 1, eventGroup != nil { endUndoGrouping() }
        guard phase == .none, openGroups.isEmpty, let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        run(group, .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    /// What is registered meanwhile is one group, called as the one that is taken back.
    private func run(_ group: UndoGroup, _ what: Phase) {
        phase = what
        let level = openGroups.count
        openGroup()
        runGroup = openGroups.last
        defer { runGroup = nil }
        openGroups.last?.name = group.name
        openGroups.last?.isDiscardable = group.isDiscardable
        openGroups.last?.userInfo = group.userInfo
        group.run()
        while openGroups.count > level + 1 { endUndoGrouping() }
        if openGroups.count > level { endUndoGrouping() }
        phase = .none
        // An undo that registered nothing cannot be done again.
        if what == .undoing, redoStack.last?.isEmpty == true { redoStack.removeLast() }
        if what == .redoing, undoStack.last?.isEmpty == true { undoStack.removeLast() }
    }

    // MARK: Names

    /// Names what is being done, for the menu: of the group that is open, or of the next one where the turn of the run loop has registered
    /// nothing yet. Where turns are no groups, it is the last one that has none open.
    ///
    /// ```swift
    /// undoManager.setActionName("Rename")
    /// ```
    open func setActionName(_ actionName: String) {
        if openGroups.isEmpty, groupsByEvent, phase == .none { nextName = actionName } else { currentGroup?.name = actionName }
    }

    /// Says whether what is being done can be lost without a question: a change of the view, say.
    ///
    /// ```swift
    /// undoManager.setActionIsDiscardable(true)
    /// ```
    open func setActionIsDiscardable(_ discardable: Bool) { currentGroup?.isDiscardable = discardable }

    /// Keeps a value beside the name of what is being done: a picture, say, or when it was. nil takes it away.
    ///
    /// ```swift
    /// undoManager.setActionUserInfoValue(Date(), forKey: .moment)     // static let moment = UndoManager.UserInfoKey(rawValue: "moment")
    /// ```
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { currentGroup?.userInfo[key] = info }

    private var currentGroup: UndoGroup? { openGroups.first ?? undoStack.last }

    /// What would be undone; "" where nobody named it.
    ///
    /// ```swift
    /// print(undoManager.undoActionName)       // "Rename"
    /// ```
    open var undoActionName: String { currentUndo?.name ?? "" }

    /// What would be done again; "" where nobody named it.
    ///
    /// ```swift
    /// print(undoManager.redoActionName)
    /// ```
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// Whether what would be undone can be lost without a question.
    ///
    /// ```swift
    /// if !undoManager.undoActionIsDiscardable { document.updateChangeCount(.done) }
    /// ```
    open var undoActionIsDiscardable: Bool { currentUndo?.isDiscardable ?? false }

    /// The same of what would be done again.
    ///
    /// ```swift
    /// print(undoManager.redoActionIsDiscardable)
    /// ```
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

    /// What was kept with what would be undone.
    ///
    /// ```swift
    /// let moment = undoManager.undoActionUserInfoValue(forKey: .moment) as? Date
    /// ```
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { currentUndo?.userInfo[key] }

    /// The same of what would be done again.
    ///
    /// ```swift
    /// let moment = undoManager.redoActionUserInfoValue(forKey: .moment) as? Date
    /// ```
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redoStack.last?.userInfo[key] }

    private var currentUndo: UndoGroup? { phase == .none ? currentGroup : undoStack.last }

    /// The words of the menu's item: "Undo Rename".
    ///
    /// ```swift
    /// item.title = undoManager.undoMenuItemTitle
    /// ```
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The words of the menu's item: "Redo Rename".
    ///
    /// ```swift
    /// item.title = undoManager.redoMenuItemTitle
    /// ```
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// "Undo" and the name; to be overridden for other languages.
    ///
    /// ```swift
    /// undoManager.undoMenuTitle(forUndoActionName: "Rename")      // "Undo Rename"
    /// ```
    open func undoMenuTitle(forUndoActionName actionName: String) -> String { actionName.isEmpty ? "Undo" : "Undo \(actionName)" }

    /// "Redo" and the name; to be overridden for other languages.
    ///
    /// ```swift
    /// undoManager.redoMenuTitle(forUndoActionName: "Rename")      // "Redo Rename"
    /// ```
    open func redoMenuTitle(forUndoActionName actionName: String) -> String { actionName.isEmpty ? "Redo" : "Redo \(actionName)" }

    private func post(_ name: Notification.Name, _ info: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }
}
