import CWindow
import Foundation

/// A row's picture: a file's bytes, or how they are read as soon as somebody looks at the row.
public enum RowPicture: Equatable, Sendable {
    /// What reading it brought.
    public enum Content: Sendable {
        case bytes(Data), none
        /// Why there is none, in the row's second line.
        case fault(String)
    }

    case bytes(Data)
    /// `id`: another one for another picture. Of what is in memory or is to be seen, none is read twice.
    case read(id: String, @Sendable () async -> Content)

    public static func == (one: RowPicture, other: RowPicture) -> Bool {
        switch (one, other) {
        case (.bytes(let one), .bytes(let other)): one == other
        case (.read(let one, _), .read(let other, _)): one == other
        default: false
        }
    }
}

/// A picture as it was drawn, or the remark in its place.
@MainActor
final class DrawnPicture {
    let picture: ScreenPicture?, remark: String?
    var lastUse = 0
    init(_ picture: ScreenPicture?, _ remark: String? = nil) { (self.picture, self.remark) = (picture, remark) }
}

@MainActor
protocol PicturedRow: AnyObject {
    var position: Int { get }
    /// GTK's object, as long as somebody shows it.
    var object: OpaquePointer? { get }
    func take(_ drawn: DrawnPicture, for asked: RowPicture)
}

/// The pictures of a list's rows. They are read beside the main thread, those in the middle of what is seen first, and not at all where somebody has
/// scrolled on meanwhile. So many as fill a few screens are kept.
@MainActor
final class RowPictures {
    /// No value: to copy a weak reference takes long.
    private final class Wish {
        weak var row: (any PicturedRow)?
        let picture: RowPicture
        init(_ row: any PicturedRow, _ picture: RowPicture) { (self.row, self.picture) = (row, picture) }
    }

    var middle: () -> Int = { 0 }
    private var wishes: [Wish] = []
    private var running: [String: [Wish]] = [:]
    private var count = 0, isGoingOn = false
    private var kept: [String: DrawnPicture] = [:]
    private var uses = 0
    /// GTK makes rows for some screens around the one that is seen, about 200 of a grid.
    private static let most = 300, mostAtOnce = 2, side = 300

    func ask(for picture: RowPicture, _ row: any PicturedRow) {
        if case .read(let id, _) = picture {
            if let drawn = kept[id] {
                use(drawn)
                return row.take(drawn, for: picture)
            }
            if running[id] != nil {
                running[id]?.append(Wish(row, picture))
                return
            }
        }
        wishes.append(Wish(row, picture))
        guard !isGoingOn else { return }
        isGoingOn = true
        // What is asked for in the same moment is all known by then.
        Task {
            isGoingOn = false
            goOn()
        }
    }

    private func goOn() {
        while count < Self.mostAtOnce, let wish = takeNext() {
            count += 1
            Task {
                await fulfil(wish)
                count -= 1
                goOn()
            }
        }
    }

    /// Of those that are still wanted, the one that is nearest to the middle.
    private func takeNext() -> Wish? {
        let middle = middle()
        var next: Int?, least = Int.max, wanted: [Wish] = []
        for wish in wishes {
            guard let row = wish.row, row.object != nil else { continue }
            let distance = abs(row.position - middle)
            if distance < least { (next, least) = (wanted.count, distance) }
            wanted.append(wish)
        }
        wishes = wanted
        return next.map { wishes.remove(at: $0) }
    }

    private func fulfil(_ wish: Wish) async {
        switch wish.picture {
        case .bytes(let bytes): wish.row?.take(DrawnPicture(await ScreenPicture.drawn(bytes, most: Self.side)), for: wish.picture)
        case .read(let id, let read):
            if let drawn = kept[id] {
                use(drawn)
                wish.row?.take(drawn, for: wish.picture)
                return
            }
            guard running[id] == nil else {
                running[id]?.append(wish)
                return
            }
            running[id] = [wish]
            let drawn = await Self.drawn(read)
            if CWindow_is_logged() { CWindow_log("read \(id)") }
            keep(drawn, id)
            for wish in running.removeValue(forKey: id) ?? [] { wish.row?.take(drawn, for: wish.picture) }
        }
    }

    private static func drawn(_ read: @Sendable () async -> RowPicture.Content) async -> DrawnPicture {
        switch await read() {
        case .bytes(let bytes): DrawnPicture(await ScreenPicture.drawn(bytes, most: side))
        case .none: DrawnPicture(nil)
        case .fault(let sentence): DrawnPicture(nil, OneLine.shown("⚠ " + sentence))
        }
    }

    private func use(_ drawn: DrawnPicture) {
        uses += 1
        drawn.lastUse = uses
    }

    private func keep(_ drawn: DrawnPicture, _ id: String) {
        use(drawn)
        kept[id] = drawn
        guard kept.count > Self.most else { return }
        // The quarter that nobody has wanted for longest.
        for (id, _) in kept.sorted(by: { $0.value.lastUse < $1.value.lastUse }).prefix(Self.most / 4) { kept[id] = nil }
    }
}
