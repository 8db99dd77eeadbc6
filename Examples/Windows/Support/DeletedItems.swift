import AppSupport
import Foundation
import Widgets

/// What was deleted in a window: a toast has “Undo” for each, and keys bring the last one back, also when its toast is gone.
@MainActor
public final class DeletedItems {
    private let screen: Screen
    private let bringBack: (RecentlyDeleted.Item) async throws -> URL
    private let isBack: (URL) -> Void
    private var items: [(item: RecentlyDeleted.Item, toast: Part?)] = []

    /// `isBack`: it is among the others again, perhaps under another name.
    public init(_ screen: Screen, bringBack: @escaping (RecentlyDeleted.Item) async throws -> URL, isBack: @escaping (URL) -> Void) {
        (self.screen, self.bringBack, self.isBack) = (screen, bringBack, isBack)
    }

    public func put(_ item: RecentlyDeleted.Item, _ title: String) {
        items.append((item, screen.tell("“\(title)” is deleted", "_Undo") { [weak self] in self?.undo(item) }))
    }

    public func undoLast() { if let last = items.last { undo(last.item) } }

    private func undo(_ item: RecentlyDeleted.Item) {
        guard let index = items.firstIndex(where: { $0.item == item }) else { return }
        let taken = items.remove(at: index)
        screen.withdraw(taken.toast)
        Task {
            do { isBack(try await bringBack(item)) } catch {
                items.append((item, nil))
                screen.tell(AppFault.sentence(of: error))
            }
        }
    }
}

extension Screen {
    /// Asks for another name, again and with the reason until it is one or somebody cancels.
    public func askForName(_ heading: String, _ title: String, because reason: String = "", _ rename: @escaping @MainActor (String) async throws -> Void) {
        askForText(heading, reason, title, "_Rename") { [self] new in
            Task {
                do { try await rename(new) } catch { askForName(heading, new, because: AppFault.sentence(of: error), rename) }
            }
        }
    }
}
