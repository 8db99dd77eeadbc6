import Foundation

/// What one registration does. It does not keep its target alive.
struct UndoAction {
    let target: ObjectIdentifier
    let run: () -> Void

    init(target: AnyObject, run: @escaping () -> Void) {
        self.target = ObjectIdentifier(target)
        self.run = run
    }
}

/// Registrations and groups that are undone together, the last one first.
final class UndoGroup {
    private enum Member {
        case action(UndoAction)
        case group(UndoGroup)
    }

    private var members: [Member] = []
    var name = ""
    var isDiscardable = false
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]

    var isEmpty: Bool {
        members.allSatisfy { if case .group(let group) = $0 { group.isEmpty } else { false } }
    }

    func append(_ action: UndoAction) { members.append(.action(action)) }

    /// A group that ends inside of this one; its name and values count where this one has none.
    func append(_ group: UndoGroup) {
        members.append(.group(group))
        if name.isEmpty { name = group.name }
        userInfo.merge(group.userInfo) { own, _ in own }
    }

    /// The group that ended in this one last, unless something else came after it.
    func popLastGroup() -> UndoGroup? {
        guard case .group(let group) = members.last else { return nil }
        members.removeLast()
        return group
    }

    func run() {
        for member in members.reversed() {
            switch member {
            case .action(let action): action.run()
            case .group(let group): group.run()
            }
        }
    }

    func remove(targeting target: ObjectIdentifier) {
        members.removeAll { member in
            switch member {
            case .action(let action): return action.target == target
            case .group(let group):
                group.remove(targeting: target)
                return group.isEmpty
            }
        }
    }
}
