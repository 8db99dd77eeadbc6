import AppSupport
import Foundation
import Widgets

/// Offers to take over bookmarks that were kept in another way before: a line above the list, a question that says what will be done, and how far it is.
@MainActor
final class MigrationOffer {
    private let screen: Screen
    private let bar: Part, text: Part, button: Part
    private let store: any MigratingBookmarkStore
    private var action: Part?
    private var work: Task<Void, Never>?
    private static let shown = 3

    init(_ layout: Layout, _ screen: Screen, _ store: any MigratingBookmarkStore) {
        (self.screen, self.store) = (screen, store)
        bar = layout.part("offer")
        text = layout.part("offer-text")
        button = layout.part("offer-button")
    }

    func start() {
        action = screen.action("migrate") { [self] in if work == nil { ask() } else { work?.cancel() } }
        store.otherPlan = { [weak self] in self?.show() }
        show()
    }

    private func show() {
        guard work == nil else { return }
        let count = store.plan().names.count
        text.set("label", count == 1 ? "A bookmark is in the key-value store still." : "\(count) bookmarks are in the key-value store still.")
        button.set("label", "_Make Documents of Them…")
        bar.set("revealed", count > 0)
        action?.set("enabled", count > 0)
    }

    private func ask() {
        let (names, there) = store.plan()
        guard !names.isEmpty else { return show() }
        // A name may be very long.
        var what = names.prefix(Self.shown).map { "“\($0.prefix(60))\($0.count > 60 ? "…" : "")”" }.joined(separator: ", ")
        if names.count > Self.shown { what += " and \(names.count - Self.shown) more" }
        var lines = ["\(names.count == 1 ? "One becomes a document" : "\(names.count) become documents"): \(what)."]
        if there > 0 { lines.append(there == 1 ? "One is a document already, or was deleted since." : "\(there) are documents already, or were deleted since.") }
        lines.append("The store keeps its list. It can be stopped at any time, and goes on where it was.")
        screen.ask("Make Documents of These Bookmarks?", lines.joined(separator: "\n"), [("_Cancel", .other), ("_Make Documents", .suggested)]) { [self] answer in
            if answer == 1 { migrate(names.count) }
        }
    }

    private func migrate(_ count: Int) {
        guard work == nil else { return }
        button.set("label", "_Stop")
        text.set("label", "Making documents…")
        work = Task {
            var made = 0, fault: String?
            do { made = try await store.migrate { [weak self] done in self?.text.set("label", "Making documents: \(done) of \(count)") } } catch { fault = AppFault.sentence(of: error) }
            work = nil
            let left = store.plan().names.count
            let said = made == 1 ? "1 bookmark is a document now" : "\(made) bookmarks are documents now"
            screen.tell(fault ?? (left == 0 ? said : said + ", \(left) wait"))
            show()
        }
    }

    func stop() {
        store.otherPlan = nil
        work?.cancel()
    }
}
