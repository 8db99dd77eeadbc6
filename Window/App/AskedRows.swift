import Widgets
import WindowModel

/// What a drive is asked for, as a list: its rows, that there are none, or why they are not known. An answer that comes after the next question is none.
@MainActor
final class AskedRows<Row: Identifiable & Equatable> {
    /// There are rows now, or there are none.
    var shown: ((_ hasRows: Bool) -> Void)?
    let list: ListPart<Row>
    private(set) var drive: Drive?
    private let stack: Part, faultText: Part
    private var turn = 0

    /// A layout with a stack of “rows”, “empty” and “fault”, in which is “fault-text”.
    init(_ layout: Layout, _ face: @escaping @MainActor (Row) -> RowFace) {
        (stack, faultText) = (layout.part("stack"), layout.part("fault-text"))
        list = ListPart(layout, "rows", face)
    }

    func turn(to drive: Drive) {
        if self.drive?.mountpoint != drive.mountpoint { list.show([]) }
        self.drive = drive
    }

    func ask(_ question: @escaping @MainActor () async throws -> [Row]) {
        turn += 1
        let mine = turn
        Task {
            do {
                let rows = try await question()
                guard mine == turn else { return }
                list.show(rows)
                stack.set("visible-child-name", rows.isEmpty ? "empty" : "rows")
                shown?(!rows.isEmpty)
            } catch {
                guard mine == turn else { return }
                faultText.set("label", OneLine.sentences(ValiseFault.sentence(of: error)))
                stack.set("visible-child-name", "fault")
                shown?(false)
            }
        }
    }
}
