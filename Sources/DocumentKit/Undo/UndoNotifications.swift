import Foundation

extension Notification.Name {
    /// An undo manager begins or ends a group, or is asked what it can do.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: .NSUndoManagerCheckpoint, object: undoManager, queue: nil) { _ in flush() }
    /// ```
    public static let NSUndoManagerCheckpoint = Notification.Name("NSUndoManagerCheckpointNotification")
    /// An undo manager has begun a group. ``UndoManager/beginUndoGrouping()`` says when.
    ///
    /// ```swift
    /// center.addObserver(forName: .NSUndoManagerDidOpenUndoGroup, object: undoManager, queue: nil) { _ in … }
    /// ```
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// An undo manager is about to end a group; ``NSUndoManagerGroupIsDiscardableKey`` is true where it can be lost.
    ///
    /// ```swift
    /// center.addObserver(forName: .NSUndoManagerWillCloseUndoGroup, object: undoManager, queue: nil) { _ in … }
    /// ```
    public static let NSUndoManagerWillCloseUndoGroup = Notification.Name("NSUndoManagerWillCloseUndoGroupNotification")
    /// An undo manager has ended a group: something was changed. This is what marks a document as changed.
    ///
    /// ```swift
    /// center.addObserver(forName: .NSUndoManagerDidCloseUndoGroup, object: undoManager, queue: nil) { _ in changes += 1 }
    /// ```
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name("NSUndoManagerDidCloseUndoGroupNotification")
    /// An undo manager is about to undo.
    ///
    /// ```swift
    /// center.addObserver(forName: .NSUndoManagerWillUndoChange, object: undoManager, queue: nil) { _ in … }
    /// ```
    public static let NSUndoManagerWillUndoChange = Notification.Name("NSUndoManagerWillUndoChangeNotification")
    /// An undo manager has undone something.
    ///
    /// ```swift
    /// center.addObserver(forName: .NSUndoManagerDidUndoChange, object: undoManager, queue: nil) { _ in reload() }
    /// ```
    public static let NSUndoManagerDidUndoChange = Notification.Name("NSUndoManagerDidUndoChangeNotification")
    /// An undo manager is about to do something again.
    ///
    /// ```swift
    /// center.addObserver(forName: .NSUndoManagerWillRedoChange, object: undoManager, queue: nil) { _ in … }
    /// ```
    public static let NSUndoManagerWillRedoChange = Notification.Name("NSUndoManagerWillRedoChangeNotification")
    /// An undo manager has done something again.
    ///
    /// ```swift
    /// center.addObserver(forName: .NSUndoManagerDidRedoChange, object: undoManager, queue: nil) { _ in reload() }
    /// ```
    public static let NSUndoManagerDidRedoChange = Notification.Name("NSUndoManagerDidRedoChangeNotification")
}

/// Under this key, the notifications of a group's end say that it can be lost without a question.
///
/// ```swift
/// let isDiscardable = notification.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool ?? false
/// ```
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// Where in a turn of the run loop a group is ended, on Apple's systems. Run loops on Linux have no order of what they do: here it is
/// ended after all else of the turn.
///
/// ```swift
/// print(NSUndoCloseGroupingRunLoopOrdering)       // 350000
/// ```
public let NSUndoCloseGroupingRunLoopOrdering = 350_000
