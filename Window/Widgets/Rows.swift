import CWindow
import Foundation

/// What a list shows of a row.
public struct RowFace: Equatable, Sendable {
    public let title: String, subtitle: String, mark: String
    /// A file's bytes. They are made into a picture when the row is seen, beside the main thread.
    public let picture: Data?

    public init(_ title: String, subtitle: String = "", mark: String = "", picture: Data? = nil) {
        (self.title, self.subtitle, self.mark) = (OneLine.shown(title), OneLine.shown(subtitle), OneLine.shown(mark))
        self.picture = picture
    }
}

/// The rows of a GtkListView or GtkGridView. A row is made into an object of GTK's when it is seen, and is that until nobody shows it any more.
/// One that stays the same item keeps its object, and with it the selection and the keyboard, whatever changes in it or around it.
@MainActor
public final class Rows<Row: Identifiable & Equatable> {
    /// To be given to a selection as its `model`.
    public private(set) var model: Part
    public var rows: [Row] { store.cells.map(\.row) }
    public var count: Int { store.cells.count }
    private let store: RowStore<Row>
    /// More changes than these at once are one change.
    private static var mostSteps: Int { 2_000 }

    public init(_ face: @escaping @MainActor (Row) -> RowFace) {
        store = RowStore(face)
        model = store.makeModel()
    }

    public subscript(position: Int) -> Row? { store.cells.indices.contains(position) ? store.cells[position].row : nil }
    public func position(of id: Row.ID) -> Int? { store.cells.firstIndex { $0.row.id == id } }

    /// `view`: the one that shows them. It has the keyboard afterwards where it had it before, also when the row is gone on which that was.
    public func show(_ new: [Row], in view: Part) {
        let hadFocus = view.hasFocus
        showRows(new)
        if hadFocus, !view.hasFocus { view.focus() }
    }

    func showRows(_ new: [Row]) {
        let old = store.cells, begin = zip(old, new).prefix { $0.0.row.id == $0.1.id }.count
        let rest = min(old.count, new.count) - begin, end = zip(old.suffix(rest).reversed(), new.suffix(rest).reversed()).prefix { $0.0.row.id == $0.1.id }.count
        let before = old[begin..<(old.count - end)], after = new[begin..<(new.count - end)]
        if max(before.count, after.count) > Self.mostSteps || before.isEmpty || after.isEmpty {
            let known = Dictionary(before.map { ($0.row.id, $0) }, uniquingKeysWith: { one, _ in one })
            replace(begin, before.count, with: after.map { known[$0.id] ?? store.cell($0) })
        } else {
            for change in after.map(\.id).difference(from: before.map(\.row.id)) {
                switch change {
                case let .remove(offset, _, _): replace(begin + offset, 1, with: [])
                case let .insert(offset, _, _): replace(begin + offset, 0, with: [store.cell(after[after.startIndex + offset])])
                }
            }
        }
        for (cell, row) in zip(store.cells, new) where cell.row != row { store.update(cell, row) }
    }

    private func replace(_ position: Int, _ removed: Int, with cells: [RowStore<Row>.Cell]) {
        guard removed + cells.count > 0 else { return }
        store.cells.replaceSubrange(position..<(position + removed), with: cells)
        CWindow_rows_changed(model.object, position, removed, cells.count)
    }
}

/// What GTK asks: how many there are, and for one of them.
@MainActor
protocol RowSource: AnyObject {
    var count: Int { get }
    func object(at position: Int) -> OpaquePointer
}

@MainActor
private protocol ShownCell: AnyObject { func isUnseen() }

@MainActor
final class RowStore<Row: Identifiable & Equatable>: RowSource {
    final class Cell: ShownCell {
        var row: Row
        /// As long as GTK shows it; it is GTK's.
        var object: OpaquePointer?
        init(_ row: Row) { self.row = row }
        func isUnseen() { object = nil }
    }

    var cells: [Cell] = []
    private let face: @MainActor (Row) -> RowFace

    init(_ face: @escaping @MainActor (Row) -> RowFace) { self.face = face }

    var count: Int { cells.count }
    func cell(_ row: Row) -> Cell { Cell(row) }

    func makeModel() -> Part {
        let context = Unmanaged.passRetained(AnyRowSource(self)).toOpaque()
        return Part(owned: CWindow_rows(AnyRowSource.count, AnyRowSource.item, context) { Unmanaged<AnyRowSource>.fromOpaque($0).release() })
    }

    func object(at position: Int) -> OpaquePointer {
        let cell = cells[position]
        if let object = cell.object {
            CWindow_keep(object)
            return object
        }
        let face = face(cell.row), context = Unmanaged.passRetained(AnyCell(cell)).toOpaque()
        let object = CWindow_row(face.title, face.subtitle, face.mark, context, AnyCell.end)
        cell.object = object
        draw(face, cell)
        return object
    }

    /// No row waits for its picture, and one that is not seen any more when it is ready gets none.
    private func draw(_ face: RowFace, _ cell: Cell) {
        guard let bytes = face.picture else { return }
        Task { [weak cell] in
            let drawn = await ScreenPicture.drawn(bytes, most: 300)
            guard let cell, let object = cell.object else { return }
            CWindow_set_object(object, "picture", drawn?.texture)
        }
    }

    func update(_ cell: Cell, _ row: Row) {
        let before = face(cell.row), after = face(row)
        cell.row = row
        guard let object = cell.object else { return }
        if before.title != after.title { CWindow_set_text(object, "title", after.title) }
        if before.subtitle != after.subtitle { CWindow_set_text(object, "subtitle", after.subtitle) }
        if before.mark != after.mark { CWindow_set_text(object, "mark", after.mark) }
        if before.picture != after.picture {
            if after.picture == nil { CWindow_set_object(object, "picture", nil) }
            draw(after, cell)
        }
    }
}

/// C's functions know no type of rows.
@MainActor
private final class AnyRowSource {
    let source: any RowSource
    init(_ source: any RowSource) { self.source = source }

    static let count: CWindowCount = { context in
        nonisolated(unsafe) let context = context
        return MainActor.assumeIsolated { Unmanaged<AnyRowSource>.fromOpaque(context).takeUnretainedValue().source.count }
    }

    static let item: CWindowItem = { context, position in
        nonisolated(unsafe) let context = context
        nonisolated(unsafe) var object: OpaquePointer?
        MainActor.assumeIsolated { object = Unmanaged<AnyRowSource>.fromOpaque(context).takeUnretainedValue().source.object(at: position) }
        // Always set by then.
        return object.unsafelyUnwrapped
    }
}

@MainActor
private final class AnyCell {
    let cell: any ShownCell
    init(_ cell: any ShownCell) { self.cell = cell }

    static let end: CWindowEnd = { context in
        nonisolated(unsafe) let context = context
        MainActor.assumeIsolated {
            let cell = Unmanaged<AnyCell>.fromOpaque(context)
            cell.takeUnretainedValue().cell.isUnseen()
            cell.release()
        }
    }
}
