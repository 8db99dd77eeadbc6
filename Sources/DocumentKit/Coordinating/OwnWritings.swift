import Coordination
import Foundation
import LinuxFiles

/// What a presenter has written in accesses of its own: a drive that notices that says that it has changed, and cannot know by whom.
struct OwnWritings: Sendable {
    private var underWay: [ItemPath: Int] = [:]
    private var left: [ItemPath: DocumentFile.Mark] = [:]
    private static let most = 1024
    /// How many were begun: whoever looks at an item sees with it whether another one was begun meanwhile.
    private(set) var begun = 0

    mutating func begin(_ path: ItemPath) {
        begun += 1
        underWay[path, default: 0] += 1
    }

    /// What it was when the access was about to end. nil where it is not there.
    mutating func end(_ path: ItemPath, as mark: DocumentFile.Mark?) {
        if let count = underWay[path] { underWay[path] = count > 1 ? count - 1 : nil }
        if left.count >= Self.most { left = [:] }
        left[path] = mark
    }

    func isUnderWay(_ path: ItemPath) -> Bool { underWay[path] != nil }

    /// Whether an item is as the last of them left it.
    func isLeft(_ path: ItemPath, as now: DocumentFile.Mark?) -> Bool {
        guard let mark = left[path], let now else { return false }
        return now.isSame(as: mark) && now.item == mark.item
    }
}
