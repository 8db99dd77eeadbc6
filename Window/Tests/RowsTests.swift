import Testing

@testable import Widgets

/// What a list of GTK's is told, held against what is to be seen. None of it needs a display.
@MainActor
@Suite struct RowsTests {
    private struct Row: Identifiable, Equatable {
        let id: Int
        var name: String
    }

    private let selection = Layout(Array("<interface><object class=\"GtkSingleSelection\" id=\"selection\"><property name=\"autoselect\">0</property><property name=\"can-unselect\">1</property></object></interface>".utf8)).part("selection")
    private let rows: Rows<Row>
    private let made = Made()

    /// How many rows were made into objects.
    private final class Made { var count = 0 }

    init() {
        rows = Rows { [made] row in
            made.count += 1
            return RowFace(row.name)
        }
    }

    /// What GTK has at a position.
    private func title(_ position: Int) -> String {
        selection.set("selected", position)
        return selection.part("selected-item")?.text("title") ?? "nothing"
    }

    /// Lists at random: the one that is chosen stays it as long as it is there, and each row is what it is called.
    @Test func whatIsChosenStaysChosen() {
        selection.set("model", rows.model)
        var random = Numbers(state: 4_711), kept = 0
        for _ in 0..<600 {
            let chosen = rows.rows.isEmpty ? nil : rows[Int(random.next() % UInt64(rows.count))]
            if let chosen, let position = rows.position(of: chosen.id) { selection.set("selected", position) }
            var new = rows.rows
            switch random.next() % 5 {
            case 0: new.shuffle(using: &random)
            case 1: new.append(contentsOf: (0..<3).map { _ in Row(id: Int(random.next() >> 8), name: "new") })
            case 2: if !new.isEmpty { new.remove(at: Int(random.next() % UInt64(new.count))) }
            case 3: for index in new.indices where random.next() % 3 == 0 { new[index].name += "'" }
            default: if new.count > 1 { new.insert(new.remove(at: new.count - 1), at: 0) }
            }
            rows.showRows(new)
            #expect(rows.rows == new)
            if let chosen, let position = new.firstIndex(where: { $0.id == chosen.id }), selection.part("selected-item") != nil {
                // A row that moves is taken out and put in again: whoever asks for the selection chooses it again. One that stays is chosen still.
                let now = selection.number("selected")
                if now < new.count { #expect(now == position) }
                kept += now == position ? 1 : 0
            }
            for position in new.indices { #expect(title(position) == new[position].name) }
        }
        #expect(kept > 200)
    }

    /// A change of a row is no removal: its object, and with it what GTK has chosen, stays.
    @Test func aRowThatChangesIsTheSame() {
        selection.set("model", rows.model)
        rows.showRows((0..<10).map { Row(id: $0, name: "\($0)") })
        selection.set("selected", 7)
        rows.showRows((0..<10).map { Row(id: $0, name: "\($0)!") })
        #expect(selection.number("selected") == 7 && selection.part("selected-item")?.text("title") == "7!")
        rows.showRows((3..<10).map { Row(id: $0, name: "\($0)") })
        #expect(selection.number("selected") == 4 && selection.part("selected-item")?.text("title") == "7")
    }

    /// Rows that nobody looks at have no object, however many there are.
    @Test func manyRowsAreOneChange() {
        selection.set("model", rows.model)
        rows.showRows((0..<100_000).map { Row(id: $0, name: "\($0)") })
        #expect(rows.count == 100_000 && title(99_999) == "99999")
        rows.showRows((50_000..<150_000).reversed().map { Row(id: $0, name: "\($0)") })
        #expect(title(0) == "149999" && title(99_999) == "50000")
    }

    /// Nor are they made where one is chosen, wherever that is then.
    @Test func theChosenOneIsNotLookedFor() {
        selection.set("model", rows.model)
        rows.showRows((0..<100_000).map { Row(id: $0, name: "\($0)") })
        selection.set("selected", 70_000)
        for new in [Array((50_000..<150_000).reversed()), Array(60_000..<80_000), Array(0..<100_000)] {
            rows.showRows(new.map { Row(id: $0, name: "\($0)") }, chosen: 70_000)
            #expect(selection.number("selected") == new.firstIndex(of: 70_000) && selection.part("selected-item")?.text("title") == "70000")
        }
        #expect(made.count < 100)
        rows.showRows((0..<10).map { Row(id: $0, name: "\($0)") }, chosen: 70_000)
        #expect(rows.count == 10 && title(9) == "9")
    }
}

private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
