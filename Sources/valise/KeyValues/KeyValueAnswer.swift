import KeyValueStore
import PropertyLists
import Shell

/// What `valise kvs` says: for people a value or a table, for programs an object, of the same shape whatever was asked.
struct KeyValueAnswer {
    private let path: String
    private let isJSON: Bool
    private let isQuiet: Bool

    init(_ file: KeyValueFile, isJSON: Bool, isQuiet: Bool) { (path, self.isJSON, self.isQuiet) = (file.path, isJSON, isQuiet) }

    func value(of key: String, _ reading: KeyValueFile.Reading) {
        warn(reading)
        if isJSON { return printOut(line([key], reading)) }
        guard let value = reading.contents[key] else { return }
        let bytes = KeyValueText.bytes(of: value)
        guard case .string = value else { return printOut(bytes) }
        printOut(bytes + [UInt8(ascii: "\n")])
    }

    func changed(_ key: String, _ reading: KeyValueFile.Reading) {
        warn(reading)
        if isJSON { printOut(line([key], reading)) }
    }

    func list(_ reading: KeyValueFile.Reading) {
        warn(reading)
        let keys = reading.contents.keys
        if isJSON { return printOut(line(keys, reading)) }
        if isQuiet { return printOut(keys.map { printable($0) + "\n" }.joined()) }
        printOut(KeyValueTable(keys.map { row($0, reading) }).text(paint: .on(1)))
    }

    // MARK: Watching

    func begin(_ reading: KeyValueFile.Reading) {
        warn(reading)
        printOut(isJSON ? line([], reading, event: "watching") : "= \(reading.contents.keys.count)\n")
    }

    func difference(_ key: String, _ before: KeyValueFile.Reading, _ now: KeyValueFile.Reading) {
        let event = before.contents[key] == nil ? "added" : now.contents[key] == nil ? "removed" : "changed"
        if isJSON { return printOut(line([key], now, event: event)) }
        let sign = ["added": "+", "removed": "-"][event] ?? "~", row = row(key, now)
        printOut(now.contents[key] == nil ? "- \(printable(key))\n" : "\(sign) \(printable(key)) = \(printable(row.value))\n")
    }

    // MARK: Shapes

    private func row(_ key: String, _ reading: KeyValueFile.Reading) -> KeyValueTable.Row {
        guard let value = reading.contents[key], let type = KeyValueType(of: value) else { return (key, "", "") }
        if case .data(let bytes) = value { return (key, type.rawValue, size(Int64(bytes.count))) }
        var text = String(decoding: KeyValueText.bytes(of: value), as: UTF8.self)
        if type != .string { text.removeLast() }
        return (key, type.rawValue, text)
    }

    private func line(_ keys: [String], _ reading: KeyValueFile.Reading, event: String? = nil) -> String {
        var members: [JSON.Member] = [JSON.Member("container", .string(path))]
        if let event { members.append(JSON.Member("event", .string(event))) }
        members.append(JSON.Member("keys", .array(keys.map { json($0, reading) })))
        members.append(JSON.Member("count", .integer(Int64(reading.contents.keys.count))))
        members.append(JSON.Member("bytes", .integer(Int64(reading.contents.size))))
        if let loss = reading.loss { members.append(JSON.Member("loss", .string(loss))) }
        return JSONAnswer.line(members)
    }

    /// Dates and data are text here, because the type says what they are.
    private func json(_ key: String, _ reading: KeyValueFile.Reading) -> JSON {
        var members = [JSON.Member("key", .string(key))]
        if let value = reading.contents[key], let type = KeyValueType(of: value) {
            members.append(JSON.Member("type", .string(type.rawValue)))
            var json = KeyValueJSON.json(value)
            if case .object(let marked) = json, type != .dictionary, let plain = marked.first?.value { json = plain }
            members.append(JSON.Member("value", json))
        }
        if let time = reading.contents.entries[key]?.time, time > 0 {
            members.append(JSON.Member("time", JSONAnswer.time(time / 1_000_000, nanoseconds: Int32(truncatingIfNeeded: time % 1_000_000 * 1000))))
        }
        return .object(members)
    }

    /// What was lost is said before what is left: programs find it in the answer.
    private func warn(_ reading: KeyValueFile.Reading) { if let loss = reading.loss, !isJSON { printError(loss) } }
}
