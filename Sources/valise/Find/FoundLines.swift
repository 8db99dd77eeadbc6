import Catalog
import Coordination
import LinuxFiles
import Predicates
import Shell

/// Writes down what was found: a path a line, or JSON. Of items on a drive a few at a time, because the drive is asked for each.
final class FoundLines {
    private let place: SearchedPlace
    private let isJSON: Bool
    private let endsWithZero: Bool
    private let isLive: Bool
    /// They come from the drive itself.
    var namesAreShown = false
    private var waiting: [FoundItem] = []
    /// The first one is written at once.
    private var batch = 1
    private var isGathered = false
    private(set) var count = 0
    private var buffer: [UInt8] = []
    /// Whether anybody still reads it.
    private(set) var isWanted = true

    init(_ place: SearchedPlace, isJSON: Bool, endsWithZero: Bool, isLive: Bool) {
        (self.place, self.isJSON) = (place, isJSON)
        (self.endsWithZero, self.isLive) = (endsWithZero, isLive)
    }

    /// Whether more is wanted.
    func add(_ item: FoundItem) -> Bool {
        waiting.append(item)
        if waiting.count >= batch { flush() }
        return isWanted
    }

    func flush() {
        write(waiting, isLive ? .added : nil)
        waiting = []
        batch = min(batch * 4, 256)
    }

    /// Of a live query: all that there was is written.
    func gathered() {
        flush()
        (batch, isGathered) = (1, true)
        if isJSON { put(JSON.object([JSON.Member("format", .integer(JSONAnswer.format)), JSON.Member("event", .string("gathered")), JSON.Member("count", .integer(Int64(count)))]).line) } else { put("= \(count)") }
        send()
    }

    /// As a drive says it: till `gathered`, a few at a time.
    func add(_ item: FoundItem, _ word: SearchWord) {
        switch word {
        case .changed, .removed:
            flush()
            write([item], word == .changed ? .changed : .removed)
        default: if isGathered { write([item], .added) } else { _ = add(item) }
        }
    }

    func add(_ update: LiveQuery.Update) {
        write(update.removed, .removed)
        write(update.changed, .changed)
        write(update.added, .added)
    }

    private enum Event: String {
        case added, changed, removed
        var sign: String {
            switch self {
            case .added: "+ "
            case .changed: "~ "
            case .removed: "- "
            }
        }
    }

    private func write(_ items: [FoundItem], _ event: Event?) {
        guard !items.isEmpty, isWanted else { return }
        count += event == .removed ? -items.count : event == .changed ? 0 : items.count
        for (item, path) in zip(items, place.paths(of: items, areThere: event != .removed && !namesAreShown)) {
            if isJSON { put(json(item, path, event).line) } else if endsWithZero {
                buffer += Array((event?.sign ?? "").utf8) + path + [0]
            } else {
                put((event?.sign ?? "") + printable(String(decoding: path, as: UTF8.self)))
            }
        }
        send()
    }

    private func put(_ line: String) { buffer += Array(line.utf8) + [endsWithZero ? 0 : UInt8(ascii: "\n")] }

    private func send() {
        if !buffer.isEmpty, !writeAll(buffer, to: 1) { isWanted = false }
        buffer = []
    }

    private func json(_ found: FoundItem, _ path: [UInt8], _ event: Event?) -> JSON {
        let item = found.item
        var members: [JSON.Member] = []
        func add(_ key: String, _ value: JSON) { members.append(JSON.Member(key, value)) }
        func text(_ bytes: [UInt8]) -> JSON { .string(String(decoding: bytes, as: UTF8.self)) }
        add("format", .integer(JSONAnswer.format))
        if let event { add("event", .string(event.rawValue)) }
        add("path", text(path))
        // A name that is no text has its bytes besides.
        if String(validating: path, as: UTF8.self) == nil { add("bytes", .string(path.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined())) }
        add("name", text(item.shown.bytes))
        add("stored", text(item.stored.bytes))
        add("kind", .string(item.kind.name))
        if let title = item.title { add("title", text(title)) }
        if let url = item.url { add("url", text(url)) }
        add("size", .integer(item.size))
        add("changed", .string(item.changed.text))
        if let created = item.created { add("created", .string(created.text)) }
        if let fault = item.fault { add("fault", .string(fault)) }
        return .object(members)
    }
}
