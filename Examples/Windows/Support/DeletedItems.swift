import AppSupport
import Widgets

/// What was deleted in a window: a toast has “Undo” for each, and keys bring the last one back, also when its toast is gone.
@MainActor
public final class DeletedItems {
    private struct Item {
        let number: Int
        let bringBack: @MainActor () async throws -> Void
        let toast: Toast?
    }

    private let screen: Screen
    private var items: [Item] = []
    private var count = 0

    public init(_ screen: Screen) { self.screen = screen }

    public func put(_ title: String, bringBack: @escaping @MainActor () async throws -> Void) {
        count += 1
        let number = count
        items.append(Item(number: number, bringBack: bringBack, toast: screen.tell("“\(OneLine.name(title))” is deleted", "_Undo") { [weak self] in self?.undo(number) }))
    }

    public func undoLast() { if let last = items.last { undo(last.number) } }

    private func undo(_ number: Int) {
        guard let index = items.firstIndex(where: { $0.number == number }) else { return }
        let item = items.remove(at: index)
        screen.withdraw(item.toast)
        Task {
            do { try await item.bringBack() } catch {
                items.append(Item(number: number, bringBack: item.bringBack, toast: nil))
                screen.tell(AppFault.sentence(of: error))
            }
        }
    }
}
