import CWindow
import Foundation

/// What a list shows of a row.
public struct RowFace: Equatable, Sendable {
    public let title: String, subtitle: String, mark: String
    public let picture: RowPicture?

    public init(_ title: String, subtitle: String = "", mark: String = "", picture: RowPicture? = nil) {
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
    public var rows: [Row] { store.rows }
    public var count: Int { store.rows.count }
    private let store: RowStore<Row>
    private var returning: Task<Void, Never>?
    /// More changes than these at once are one change.
    private static var mostSteps: Int { 2_000 }

    public init(_ face: @escaping @MainActor (Row) -> RowFace) {
        store = RowStore(face)
        model = store.makeModel()
    }

    public subscript(position: Int) -> Row? { store.rows.indices.contains(position) ? store.rows[position] : nil }
    public func position(of id: Row.ID) -> Int? { store.rows.firstIndex { $0.id == id } }

    /// The middle of what is to be seen: pictures there come first.
    func seen(around middle: @escaping @MainActor () -> Int) { store.pictures.middle = middle }

    /// `view`: the one that shows them. It has the keyboard afterwards where it had it before, also when the row is gone on which that was.
    /// `chosen`: the row that is chosen in it.
    public func show(_ new: [Row], in view: Part, chosen: Row.ID? = nil) {
        let hadFocus = view.hasFocus
        showRows(new, chosen: chosen)
        if hadFocus, !view.hasFocus { view.focus() }
    }

    func showRows(_ new: [Row], chosen: Row.ID? = nil) {
        let old = store.rows, begin = zip(old, new).prefix { $0.0.id == $0.1.id }.count
        let rest = min(old.count, new.count) - begin, end = zip(old.suffix(rest).reversed(), new.suffix(rest).reversed()).prefix { $0.0.id == $0.1.id }.count
        let before = old[begin..<(old.count - end)], after = new[begin..<(new.count - end)]
        if max(before.count, after.count) > Self.mostSteps || before.isEmpty || after.isEmpty {
            replace(before, with: after, chosen)
            if new.count > Self.mostSteps { returnMemory() }
        } else {
            for change in after.map(\.id).difference(from: before.map(\.id)) {
                switch change {
                case let .remove(offset, _, _): replace(begin + offset, 1, with: [])
                case let .insert(offset, _, _): replace(begin + offset, 0, with: after[(after.startIndex + offset)...(after.startIndex + offset)])
                }
            }
        }
        store.become(new)
        if CWindow_is_logged() { CWindow_log("rows \(new.count)") }
    }

    /// All of them, but the one that is chosen: where that goes and comes again, GTK asks for every row until it has found it.
    private func replace(_ before: ArraySlice<Row>, with after: ArraySlice<Row>, _ chosen: Row.ID?) {
        guard let chosen, let old = before.firstIndex(where: { $0.id == chosen }), let new = after.firstIndex(where: { $0.id == chosen }) else {
            return replace(before.startIndex, before.count, with: after)
        }
        replace(old + 1, before.endIndex - old - 1, with: after[(new + 1)...])
        replace(before.startIndex, old - before.startIndex, with: after[..<new])
    }

    /// When a long list is there, what it was made of is not needed any more.
    private func returnMemory() {
        returning?.cancel()
        returning = Task.detached {
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            CWindow_return_memory()
        }
    }

    private func replace(_ position: Int, _ removed: Int, with rows: ArraySlice<Row>) {
        guard removed + rows.count > 0 else { return }
        store.rows.replaceSubrange(position..<(position + removed), with: rows)
        CWindow_rows_changed(model.object, position, removed, rows.count)
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
    /// A row that GTK shows.
    final class Cell: ShownCell, PicturedRow {
        fileprivate(set) var row: Row
        /// As long as GTK shows it; it is GTK's.
        fileprivate(set) var object: OpaquePointer?
        /// Where it was when it was asked for.
        fileprivate(set) var position = 0
        fileprivate var picture: DrawnPicture?
        /// The last one that was asked for.
        fileprivate var wanted: RowPicture?
        private weak var store: RowStore?

        fileprivate init(_ row: Row, _ store: RowStore) { (self.row, self.store) = (row, store) }

        func isUnseen() {
            (object, picture) = (nil, nil)
            if store?.shown[row.id] === self { store?.shown[row.id] = nil }
        }

        func take(_ drawn: DrawnPicture, for asked: RowPicture) {
            guard let object, asked == wanted else { return }
            picture = drawn
            CWindow_set_object(object, "picture", drawn.picture?.texture)
            if let remark = drawn.remark { CWindow_set_text(object, "subtitle", remark) }
        }
    }

    /// The list as GTK knows it. It shares its memory with who gave it.
    var rows: [Row] = []
    fileprivate var shown: [Row.ID: Cell] = [:]
    let pictures = RowPictures()
    private let face: @MainActor (Row) -> RowFace

    init(_ face: @escaping @MainActor (Row) -> RowFace) { self.face = face }

    var count: Int { rows.count }

    func makeModel() -> Part {
        let context = Unmanaged.passRetained(AnyRowSource(self)).toOpaque()
        return Part(owned: CWindow_rows(AnyRowSource.count, AnyRowSource.item, context) { Unmanaged<AnyRowSource>.fromOpaque($0).release() })
    }

    func object(at position: Int) -> OpaquePointer {
        let row = rows[position]
        if let cell = shown[row.id], let object = cell.object {
            cell.position = position
            update(cell, row)
            CWindow_keep(object)
            return object
        }
        let cell = Cell(row, self), face = face(row), context = Unmanaged.passRetained(AnyCell(cell)).toOpaque()
        let object = CWindow_row(face.title, face.subtitle, face.mark, context, AnyCell.end)
        (cell.object, cell.position) = (object, position)
        shown[row.id] = cell
        draw(face, cell)
        return object
    }

    /// The same ids as before, in the same order: what is shown of them may be other than it was.
    func become(_ new: [Row]) {
        rows = new
        guard !shown.isEmpty else { return }
        for (position, row) in new.enumerated() {
            guard let cell = shown[row.id] else { continue }
            cell.position = position
            update(cell, row)
        }
    }

    /// No row waits for its picture, and one that is not seen any more when it is ready gets none.
    private func draw(_ face: RowFace, _ cell: Cell) {
        cell.wanted = face.picture
        guard let picture = face.picture else { return }
        pictures.ask(for: picture, cell)
    }

    private func update(_ cell: Cell, _ row: Row) {
        guard cell.row != row else { return }
        let before = face(cell.row), after = face(row)
        cell.row = row
        guard let object = cell.object else { return }
        if before.title != after.title { CWindow_set_text(object, "title", after.title) }
        if before.subtitle != after.subtitle { CWindow_set_text(object, "subtitle", after.subtitle) }
        if before.mark != after.mark { CWindow_set_text(object, "mark", after.mark) }
        if before.picture != after.picture {
            cell.picture = nil
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
